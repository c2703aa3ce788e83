import FactIndex
import Foundation
import Geometry
import PhotoLibrary
import Photos
import TestSupport
import Testing
import WorkerProtocol

/// The process that writes the index merges packs at the end, when nothing waits for it: the computer
/// may be switched off in the middle.
@Suite struct KilledMergeTests {
  private static let programs =
    URL(fileURLWithPath: WorkerExecutable.tests).deletingLastPathComponent().path
  private static let indexer = "\(programs)/photogrid"
  private static let old = (0..<100).map { "\($0).jpg" }
  /// Some of them replace older ones.
  private static let new = (90..<120).map { "\($0).jpg" }
  private static let all = (0..<120).map { "\($0).jpg" }

  /// What a session reads of a photo.
  private struct Known: Equatable {
    var facts: PackedInfo?
    var camera: String?
    var hash: UInt64?
    var stamp: FileStamp?
  }

  private let disk = IndexDisk()
  private var killed: String { "\(disk.folder.path)/killed" }
  private var started: String { "\(disk.folder.path)/started" }
  private var ended: String { "\(disk.folder.path)/ended" }
  private var saved: String { "\(disk.folder.path)/saved" }
  private var cache: String { "\(disk.folder.path)/cache" }

  /// Records the facts, ratings and hashes of photos in a process, which merges the packs as soon as
  /// that is done, and waits for its end.
  ///
  /// - Parameters:
  ///   - names: The photos.
  ///   - stars: Their rating.
  ///   - call: The system call of the merge at which the process is killed; nil if it is not.
  /// - Returns: What a session would have read before the merge.
  /// - Throws: An error if the photos have no facts.
  private func record(_ names: [String], stars: Int, killedAt call: Int? = nil) throws -> [Known] {
    for file in [killed, started, ended] { unlink(file) }
    let killer = "'\(Self.programs)/kill-at-call' '\(killed)' '\(started)'"
    let program = call.map { "\(killer) \($0)" } ?? ""
    let recorder = FactRecorder(
      executable: WorkerExecutable(
        path: "/bin/sh",
        arguments: ["-c", "\(program) '\(Self.indexer)' --index-worker; : > '\(ended)'"]),
      folder: disk.cache)
    for name in names {
      let entry = disk.entry(name, camera: stars == 2 ? "Canon A1" : "Leica")
      recorder.record(entry.info, ofFileAt: entry.path, at: now())
      recorder.record(Rating(stars: stars), stamp: 7, ofFileAt: entry.path, at: now())
      var hashed = entry.info
      hashed.hash = DifferenceHash(bits: UInt64(stars))
      recorder.record(hashOf: hashed, ofFileAt: entry.path, at: now())
    }
    recorder.recordAll { now() }
    let before = known()
    try Data().write(to: URL(fileURLWithPath: started))
    recorder.shutDown(at: now())
    while !exists(ended) { usleep(2000) }
    return before
  }

  /// What a session reads of all photos.
  private func known() -> [Known] {
    guard var contents = disk.contents("") else { return [] }
    return Self.all.map { name in
      guard let place = contents.index(of: Array(name.utf8)[...]) else { return Known() }
      var facts = contents.facts(place)
      // The number of a text may be another in each session.
      let camera = contents.pools.camera.text(facts.camera)
      facts.camera = 0
      return Known(
        facts: facts, camera: camera, hash: contents.hash(place)?.bits,
        stamp: contents.stamp(place))
    }
  }

  /// Whether there is one pack, in the order of the listing.
  private func isMerged() throws -> Bool {
    let counts = try disk.packCounts()
    return counts.new == 0 && counts.merged == 1
  }

  private func exists(_ file: String) -> Bool { access(file, F_OK) == 0 }

  /// Copies the index in place of another, which nobody uses.
  private func copy(_ source: String, to target: String) throws {
    try? FileManager.default.removeItem(atPath: target)
    try FileManager.default.copyItem(atPath: source, toPath: target)
  }

  @Test func `a process killed at any system call of a merge leaves the same facts`() throws {
    try disk.write(Self.all)
    _ = try record(Self.old, stars: 2)
    try #require(try isMerged())
    try copy(cache, to: saved)
    var call = -1
    var wasKilled = true
    var wasMerged: Set<Bool> = []
    while wasKilled, call < 2000 {
      // The beginning of each call.
      call += 2
      try copy(saved, to: cache)

      let before = try record(Self.new, stars: 4, killedAt: call)

      wasKilled = exists(killed)
      try #require(before.count { $0.facts?.rating == Rating(stars: 4) } == Self.new.count)
      try #require(before.count { $0.camera == "Canon A1" } == 90)
      try #require(before.allSatisfy { $0.facts != nil && $0.stamp != nil })
      try #require(known() == before, "killed at call \(call)")
      wasMerged.insert(try isMerged())
      guard wasKilled, call % 8 == 1 else { continue }
      // The next session records and merges as if nothing had happened.
      try #require(try record(Self.new, stars: 4) == before, "killed at call \(call)")
      try #require(try isMerged(), "killed at call \(call)")
      try #require(known() == before, "killed at call \(call)")
    }
    #expect(call > 20, "\(call) calls")
    #expect(!wasKilled, "it ends before the last call that was tried")
    #expect(wasMerged == [false, true], "it was killed before the commit and after it")
  }
}
