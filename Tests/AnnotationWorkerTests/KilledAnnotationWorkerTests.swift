import Foundation
import PhotoLibrary
import Photos
import TestSupport
import Testing

@testable import AnnotationWorker

/// The process that writes ratings is killed at every system call that changes something, and there is
/// always either the old file or the new one.
@Suite struct KilledAnnotationWorkerTests {
  enum Target: String, CaseIterable, Sendable {
    case newSidecar, oldSidecar, photo
    /// A photo on a disk on which each file has a name.
    case photoWithName

    var isEmbedded: Bool { self == .photo || self == .photoWithName }
  }

  private func rate(
    _ folder: RatedFolder, _ target: Target, killedAt call: Int?,
    until isDone: () -> Bool = { true }
  ) -> AnnotationResult? {
    let programs = URL(fileURLWithPath: WorkerExecutable.tests).deletingLastPathComponent().path
    let killer = ["\(programs)/kill-at-call", "\(folder.folder.path)/killed", "-"]
    let without = ["\(programs)/without-call", "linkat"]
    let launcher = call.map { killer + ["\($0)"] } ?? []
    let process = RatedProcess(
      launcher: launcher + (target == .photoWithName ? without : []), in: folder)
    return process.rate("a.jpg", .stars(5), isEmbedded: target.isEmbedded, until: isDone)
  }

  @Test(arguments: Target.allCases)
  func `a process killed at any system call leaves the old file or the new one`(
    target: Target
  ) throws {
    let photo = image("card.jpg")
    let sidecar = RatedFolder.sidecar("xmp:Rating=\"2\"")
    var call = 0
    var wasKilled = true
    var results: Set<Int> = []
    while wasKilled, call < 3000 {
      call += 1
      let folder = RatedFolder()
      folder.write(photo, to: "a.jpg")
      if target == .oldSidecar { folder.write(sidecar, to: "a.jpg.xmp") }
      let result = rate(folder, target, killedAt: call)
      wasKilled = folder.bytes("killed") != nil
      try #require(result?.failure == nil || wasKilled, "call \(call): \(result?.failure ?? "")")
      let stars = AnnotationFiles.rating(ofPhoto: folder.path("a.jpg")).stars
      try #require([target == .oldSidecar ? 2 : 0, 5].contains(stars), "call \(call): \(stars)")
      if !target.isEmbedded { try #require(folder.bytes("a.jpg") == photo, "call \(call)") }
      if target == .oldSidecar, stars == 2 { try #require(folder.bytes("a.jpg.xmp") == sidecar) }
      if target.isEmbedded, stars == 0 { try #require(folder.bytes("a.jpg") == photo) }
      results.insert(stars)
      // What it left behind is in the way of nobody.
      let next = rate(folder, target, killedAt: nil) {
        !folder.names.contains { $0.hasPrefix(".photogrid") }
      }
      try #require(next?.failure == nil)
      try #require(AnnotationFiles.rating(ofPhoto: folder.path("a.jpg")).stars == 5)
      try #require(!folder.names.contains { $0.hasPrefix(".photogrid") }, "call \(call)")
    }
    #expect(call > 10 && !wasKilled)
    #expect(results.count == 2, "killed before and after")
  }
}
