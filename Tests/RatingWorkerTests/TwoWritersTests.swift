import Foundation
import Glibc
import Geometry
import Photos
import PhotoLibrary
import TestSupport
import Testing

@testable import RatingWorker

/// Two sessions change the same photo while their processes are killed at random moments; afterwards the
/// photo is whole, and has all that was reported.
///
/// `PHOTOGRID_ROUNDS=1000` sets the number of rounds; of more than 100, every 50th has a photo of 300 MB.
@Suite struct TwoWritersTests {
  private static let roundCount =
    ProcessInfo.processInfo.environment["PHOTOGRID_ROUNDS"].flatMap { Int($0) } ?? 12

  private struct Round {
    var isEmbedded: Bool
    var byteCount: Int
    /// The changes of each session.
    var edits: [[RatingEdit]]
    /// The pauses before the kills, in microseconds.
    var pauses: [UInt32]

    init(_ number: Int, _ random: inout SeededGenerator) {
      isEmbedded = number % 3 != 2
      let isHuge = roundCount > 100 && number % 50 == 49
      byteCount = isHuge ? 300 << 20 : Int.random(in: 100_000...4_000_000, using: &random)
      let count = isHuge ? 3 : 8
      edits = (0..<2).map { session in
        (0..<count).map { turn in
          switch (number + turn) % 3 {
          case 0: session == 0 ? .stars(turn % 6) : .label(turn % 2 == 0 ? .red : .green)
          default:
            KeywordEdit(adding: ["word \(session) \(turn)"]).map { .keywords($0) } ?? .stars(1)
          }
        }
      }
      let longest: UInt32 = isHuge ? 1_500_000 : 150_000
      pauses = (0..<3).map { _ in UInt32.random(in: 0...longest, using: &random) }
    }
  }

  @Test func `two writers and kills at random moments damage nothing and lose nothing`()
    async throws
  {
    var random = SeededGenerator(seed: 48)
    var (kills, written, failed) = (0, 0, 0)
    for number in 0..<Self.roundCount {
      let round = Round(number, &random)
      let folder = RatedFolder()
      var photo = RatedFolder.picture("card.jpg")
      photo += [UInt8](
        repeating: UInt8(number & 0x7F), count: max(round.byteCount - photo.count, 0))
      folder.write(photo, to: "a.jpg")
      let (results, count) = await run(round, folder)
      kills += count
      written += results.joined().count { $0.failure == nil }
      failed += results.joined().count { $0.failure != nil }
      try check(folder, round, photo, results, "round \(number)")
    }
    print("\(Self.roundCount) rounds: \(written) changes written, \(failed) failed, \(kills) kills")
  }

  /// Runs both sessions, and returns their results and the number of processes that were killed.
  private func run(_ round: Round, _ folder: RatedFolder) async -> ([[RatingResult]], Int) {
    await withTaskGroup(of: (Int, [RatingResult]).self) { group in
      for session in 0..<2 {
        group.addTask {
          (session, Self.write(round.edits[session], session, folder, round.isEmbedded))
        }
      }
      let killer = Task.detached {
        var kills = 0
        for (number, pause) in round.pauses.enumerated() {
          usleep(pause)
          if Self.kill(session: number % 2, folder) { kills += 1 }
        }
        return kills
      }
      var results: [[RatingResult]] = [[], []]
      for await (session, found) in group { results[session] = found }
      return (results, await killer.value)
    }
  }

  private static var now: Instant {
    Instant(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds))
  }

  private static func write(
    _ edits: [RatingEdit], _ session: Int, _ folder: RatedFolder, _ isEmbedded: Bool
  ) -> [RatingResult] {
    let programs = URL(fileURLWithPath: WorkerExecutable.tests).deletingLastPathComponent().path
    let identity = "\(folder.folder.path)/process\(session)"
    let process = folder.folder.script(
      "export ROUND=\(folder.folder.path); echo $$ > \(identity).new; mv \(identity).new \(identity)\n"
        + "exec \(programs)/photogrid-worker --ratings")
    let client = RatingClient(process: process, isEmbedded: isEmbedded) { _ in
      folder.path("a.jpg")
    }
    defer { client.shutDown { now } }
    client.write(edits.map { RatingTask(Photo.ID(0), $0) }, at: now)
    var results: [RatingResult] = []
    let end = Date().addingTimeInterval(300)
    while results.count < edits.count, Date() < end {
      results += client.service(at: now).flatMap(\.results)
      usleep(300)
    }
    return results
  }

  /// Kills the process of a session, if it runs.
  private static func kill(session: Int, _ folder: RatedFolder) -> Bool {
    let text = String(decoding: folder.bytes("process\(session)") ?? [], as: UTF8.self)
    guard let process = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)),
      let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ"),
      // It may have ended, and the number be that of another process.
      environment.range(of: Data(folder.folder.path.utf8)) != nil
    else { return false }
    return Glibc.kill(process, SIGKILL) == 0
  }

  private func check(
    _ folder: RatedFolder, _ round: Round, _ photo: [UInt8], _ results: [[RatingResult]],
    _ name: Comment
  ) throws {
    try #require(results.map(\.count) == round.edits.map(\.count), name)
    let now = try #require(folder.bytes("a.jpg"), name)
    if round.isEmbedded {
      // One packet was inserted, near the beginning.
      let head = zip(now, photo).prefix { $0 == $1 }.count
      let rest = photo.count - head
      try #require(
        head > 2 && now.count >= photo.count && Self.isEqual(now, photo, last: rest), name)
      try #require(folder.output(of: "exiftool", "-s3", "-Warning", "-Error", "a.jpg") == "", name)
    } else {
      try #require(now.count == photo.count && Self.isEqual(now, photo, last: now.count), name)
    }
    let found = RatedFolder.keywords(of: folder.path("a.jpg"))
    let rating = RatingFiles.rating(ofPhoto: folder.path("a.jpg"))
    for (session, edits) in round.edits.enumerated() {
      let isReported = results[session].map { $0.failure == nil }
      for (edit, isReported) in zip(edits, isReported) {
        guard case .keywords(let edit) = edit, isReported else { continue }
        try #require(found.contains(edit.added[0]), "\(name): \(edit.added[0])")
      }
      // The last rating that was reported, or one that failed after it.
      let values = edits.filter { if case .keywords = $0 { false } else { true } }
      let reported = zip(edits, isReported).filter { pair in values.contains(pair.0) }
      guard let last = reported.lastIndex(where: { $0.1 }) else { continue }
      let allowed = reported[last...].map { $0.0.applied(to: .none) }
      try #require(
        allowed.contains { session == 0 ? $0.stars == rating.stars : $0.label == rating.label },
        "\(name): \(rating)")
    }
    try #require(Set(found).count == found.count, name)
    let process = RatedProcess(in: folder)
    let next = process.rate("a.jpg", .stars(3), isEmbedded: round.isEmbedded) {
      !folder.names.contains { $0.hasPrefix(".photogrid") }
    }
    try #require(next?.failure == nil, name)
    let files = folder.names.filter { !$0.hasPrefix("process") && !$0.hasPrefix("worker-") }
    try #require(files == (round.isEmbedded ? ["a.jpg"] : ["a.jpg", "a.jpg.xmp"]), name)
  }

  /// Whether two files end with the same bytes, which are too many to be compared one by one here.
  private static func isEqual(_ one: [UInt8], _ other: [UInt8], last count: Int) -> Bool {
    one.withUnsafeBytes { one in
      other.withUnsafeBytes { other in
        guard count <= one.count, count <= other.count, let first = one.baseAddress,
          let second = other.baseAddress
        else { return count == 0 }
        return memcmp(first + (one.count - count), second + (other.count - count), count) == 0
      }
    }
  }
}
