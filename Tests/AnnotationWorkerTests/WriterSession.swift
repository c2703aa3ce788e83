import Foundation
import Geometry
import Glibc
import PhotoLibrary
import Photos
import TestSupport
import WorkerProtocol

/// A session that changes the photo of a folder by a process that can be killed.
struct WriterSession {
  enum Change: Equatable {
    case rating(AnnotationEdit)
    /// A quarter turn clockwise.
    case turn
  }

  enum Outcome: Equatable {
    case written
    case failed(String)
    /// It is not known whether it was written.
    case unknown
  }

  let number: Int
  let folder: RatedFolder
  /// The name of the photo.
  let photo: String
  let isEmbedded: Bool

  /// A program beside this one that writes its process's number down before it begins.
  private func process(_ program: String) -> WorkerExecutable {
    let programs = URL(fileURLWithPath: WorkerExecutable.tests).deletingLastPathComponent().path
    let identity = "\(folder.folder.path)/process\(number)"
    return folder.folder.script(
      """
      export ROUND=\(folder.folder.path)
      echo $$ > \(identity).new
      mv \(identity).new \(identity)
      exec \(programs)/\(program)
      """)
  }

  /// Makes the changes, which are all ratings or all turns, and returns their outcomes.
  func make(_ changes: [Change]) -> [Outcome] {
    changes.contains(.turn) ? turn(changes.count) : rate(changes)
  }

  private func rate(_ changes: [Change]) -> [Outcome] {
    let client = AnnotationClient(
      process: process("photogrid-worker --ratings"), isEmbedded: isEmbedded
    ) { _ in folder.path(photo) }
    defer { client.shutDown { now() } }
    let tasks = changes.compactMap { change in
      if case .rating(let edit) = change { AnnotationTask(Photo.ID(0), edit) } else { nil }
    }
    client.write(tasks, at: now())
    return outcomes(changes.count) {
      client.service(at: now()).flatMap(\.results).map { result in
        result.failure.map { .failed($0) } ?? .written
      }
    }
  }

  private func turn(_ count: Int) -> [Outcome] {
    let client = FileOperationClient(
      executable: process("photogrid --file-worker"),
      journal: folder.path("state/undo/\(number)"))
    defer { client.shutDown() }
    for _ in 0..<count {
      let turn = FileOperation.turn([Photo.ID(0)], by: .quarterTurn).located { _ in
        folder.path(photo)
      }
      client.request([turn], trash: [], here: [], at: now())
    }
    return outcomes(count) {
      client.service(at: now()).map { result in
        switch result.outcome {
        case .done: .written
        case .refused(let message): .failed(message)
        default: .unknown
        }
      }
    }
  }

  private func outcomes(_ count: Int, _ next: () -> [Outcome]) -> [Outcome] {
    var outcomes: [Outcome] = []
    let end = Date().addingTimeInterval(300)
    while outcomes.count < count, Date() < end {
      outcomes += next()
      usleep(300)
    }
    return outcomes
  }

  /// Kills the process, if it runs.
  func kill() -> Bool {
    let text = String(decoding: folder.bytes("process\(number)") ?? [], as: UTF8.self)
    guard let process = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)),
      let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ"),
      // It may have ended, and the number be that of another process.
      environment.range(of: Data(folder.folder.path.utf8)) != nil
    else { return false }
    return Glibc.kill(process, SIGKILL) == 0
  }
}
