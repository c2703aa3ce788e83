import Foundation
import PhotoGridCore
import PhotoLibrary
import TestSupport
import Testing

@testable import RatingWorker

/// The process that writes ratings is killed at every system call that changes something, and there is
/// always either the old file or the new one.
@Suite struct KilledRatingWorkerTests {
  enum Target: String, CaseIterable, Sendable { case newSidecar, oldSidecar, photo }

  private func rate(_ folder: RatedFolder, _ target: Target, killedAt call: Int?) -> RatingResult? {
    let programs = URL(fileURLWithPath: WorkerExecutable.tests).deletingLastPathComponent().path
    let worker = "\(programs)/photogrid-worker"
    let executable =
      call.map {
        WorkerExecutable(
          path: "\(programs)/kill-at-call",
          arguments: ["\(folder.folder.path)/killed", "-", "\($0)", worker, "--ratings"])
      } ?? WorkerExecutable(path: worker, arguments: ["--ratings"])
    let client = RatingClient(process: executable, isEmbedded: target == .photo) { _ in
      folder.path("a.jpg")
    }
    defer { client.shutDown { Self.now } }
    client.write([RatingTask(Photo.ID(0), .stars(5))], at: Self.now)
    let end = Date().addingTimeInterval(60)
    while Date() < end {
      if let news = client.service(at: Self.now).first { return news.results.first }
      usleep(500)
    }
    return nil
  }

  private static var now: Instant {
    Instant(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds))
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
      let stars = RatingFiles.rating(ofPhoto: folder.path("a.jpg")).stars
      try #require([target == .oldSidecar ? 2 : 0, 5].contains(stars), "call \(call): \(stars)")
      if target != .photo { try #require(folder.bytes("a.jpg") == photo, "call \(call)") }
      if target == .oldSidecar, stars == 2 { try #require(folder.bytes("a.jpg.xmp") == sidecar) }
      if target == .photo, stars == 0 { try #require(folder.bytes("a.jpg") == photo) }
      results.insert(stars)
      // What it left behind is in the way of nobody.
      try #require(rate(folder, target, killedAt: nil)?.failure == nil)
      try #require(RatingFiles.rating(ofPhoto: folder.path("a.jpg")).stars == 5)
      try #require(!folder.names.contains { $0.hasPrefix(".photogrid") }, "call \(call)")
    }
    #expect(call > 10 && !wasKilled)
    #expect(results.count == 2, "killed before and after")
  }
}
