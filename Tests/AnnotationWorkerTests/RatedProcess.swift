import Foundation
import Geometry
import PhotoLibrary
import Photos
import TestSupport

/// A process that writes ratings, started by another program.
struct RatedProcess {
  private let executable: WorkerExecutable
  private let folder: RatedFolder

  /// - `launcher`: The program and its arguments, before those of the process.
  init(_ launcher: String..., in folder: RatedFolder) { self.init(launcher: launcher, in: folder) }

  init(launcher: [String], in folder: RatedFolder) {
    let programs = URL(fileURLWithPath: WorkerExecutable.tests).deletingLastPathComponent().path
    let all = launcher + ["\(programs)/photogrid-worker", "--ratings"]
    executable = WorkerExecutable(path: all[0], arguments: Array(all.dropFirst()))
    self.folder = folder
  }

  /// Writes a change, and returns its result once a condition holds; nil if there was none.
  func rate(
    _ name: String, _ edit: AnnotationEdit, isEmbedded: Bool, until isDone: () -> Bool = { true }
  ) -> AnnotationResult? {
    let client = AnnotationClient(process: executable, isEmbedded: isEmbedded) { _ in
      folder.path(name)
    }
    defer { client.shutDown { now() } }
    client.write([AnnotationTask(Photo.ID(0), edit)], at: now())
    var result: AnnotationResult?
    let end = Date().addingTimeInterval(60)
    while Date() < end {
      result = result ?? client.service(at: now()).first?.results.first
      if result != nil, isDone() { break }
      usleep(500)
    }
    return result
  }
}
