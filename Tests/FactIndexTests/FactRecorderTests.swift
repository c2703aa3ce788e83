import FactIndex
import Foundation
import Geometry
import PhotoLibrary
import Photos
import TestSupport
import Testing
import WorkerProtocol

/// The process that writes the index may be killed at any moment, and the disk may be full.
@Suite struct FactRecorderTests {
  private static let folder =
    URL(fileURLWithPath: WorkerExecutable.tests).deletingLastPathComponent().path
  private static let indexer = WorkerExecutable(
    path: "\(folder)/photogrid", arguments: ["--library"])
  private static let names = (0..<20).map { "\($0).jpg" }

  /// Records the facts, hashes and ratings of all photos of a disk, like a session that ends right
  /// afterwards, and waits for the end of the process.
  ///
  /// - Returns: The message of the failure; nil if there was none.
  private func record(_ disk: IndexDisk, _ executable: WorkerExecutable) -> String? {
    let ended = "\(disk.folder.path)/ended"
    unlink(ended)
    let recorder = FactRecorder(
      executable: WorkerExecutable(
        path: "/bin/sh",
        arguments: ["-c", "\"$@\"; : > '\(ended)'", "sh"] + executable.arguments),
      folder: disk.cache)
    for name in Self.names {
      let entry = disk.entry(name)
      recorder.record(entry.info, ofFileAt: entry.path, at: now())
      recorder.record(Rating(stars: 2), stamp: 7, ofFileAt: entry.path, at: now())
      recorder.record(hashOf: entry.info, ofFileAt: entry.path, at: now())
    }
    recorder.recordAll { now() }
    let failure = recorder.failure
    recorder.shutDown(at: now())
    // It writes when there is no more to record.
    while failure == nil, access(ended, F_OK) != 0 { usleep(2000) }
    return failure
  }

  @Test func `facts are recorded, and the process ends by itself`() throws {
    let disk = IndexDisk()
    try disk.write(Self.names)

    #expect(record(disk, Self.indexer) == nil)

    #expect(disk.known("") == Self.names.sorted())
  }

  @Test
  func `everything that is waiting when the program ends is recorded, without waiting for it`()
    throws
  {
    let disk = IndexDisk()
    let names = (0..<6000).map { "\($0).jpg" }
    try disk.write(names)
    let gate = "\(disk.folder.path)/gate"
    #expect(mkfifo(gate, 0o600) == 0)
    // It does nothing before the recorder has been shut down.
    let recorder = FactRecorder(
      executable: WorkerExecutable(
        path: "/bin/sh",
        arguments: ["-c", "read line < '\(gate)'; exec '\(Self.indexer.path)' --library"]),
      folder: disk.cache)
    for name in names {
      let entry = disk.entry(name)
      recorder.record(entry.info, ofFileAt: entry.path, at: now())
      recorder.advance(at: now())
    }

    recorder.shutDown(at: now())

    #expect(disk.known("").isEmpty)
    try "go\n".write(toFile: gate, atomically: false, encoding: .utf8)
    while disk.contents("")?.count != names.count { usleep(5000) }
    #expect(disk.known("") == names.sorted())
  }

  @Test func `files that changed just now are left out`() throws {
    let disk = IndexDisk()
    try disk.write(["a.jpg"])
    let recorder = FactRecorder(executable: Self.indexer, folder: disk.cache)
    var entry = disk.entry("a.jpg")
    let seconds = 1_600_000_000
    // The time of a file may be that of a clock that was wrong.
    for (passed, isRecorded) in [(-1, false), (0, false), (1, false), (-2, true), (2, true)] {
      entry.info.stamp = FileStamp(
        inode: 7, byteCount: 10, seconds: seconds, nanoseconds: 0, changed: 0,
        now: seconds + passed)
      recorder.record(entry.info, ofFileAt: entry.path, at: now())
      recorder.record(hashOf: entry.info, ofFileAt: entry.path, at: now())
      #expect(recorder.isIdle == !isRecorded, "after \(passed) s")
    }
    recorder.shutDown(at: now())
  }

  @Test func `a writer killed at any system call leaves a usable index`() throws {
    var call = 0
    var wasKilled = true
    while wasKilled, call < 5000 {
      call += 1
      let disk = IndexDisk()
      try disk.write(Self.names + ["before.jpg"])
      try disk.record(["before.jpg"])
      let killed = "\(disk.folder.path)/killed"

      let failure = record(
        disk,
        WorkerExecutable(
          path: "\(Self.folder)/kill-at-call",
          arguments: [killed, "-", "\(call)", Self.indexer.path, "--library"]))

      wasKilled = FileManager.default.fileExists(atPath: killed)
      let known = disk.known("")
      try #require(
        known == ["before.jpg"] || known == (Self.names + ["before.jpg"]).sorted(),
        "killed at call \(call): \(known)")
      // Everything of a request is recorded, or nothing.
      if let contents = disk.contents("") {
        for place in 0..<contents.count where contents.name(place) != Array("before.jpg".utf8)[...]
        {
          let facts = contents.facts(place)
          try #require(
            facts.isKnown && facts.isHashKnown && facts.rating == Rating(stars: 2),
            "killed at call \(call)")
        }
      }
      try #require(wasKilled || failure == nil)
      try #require(try disk.record(Self.names) == Self.names.count, "killed at call \(call)")
      try #require(disk.known("").count == Self.names.count + 1, "killed at call \(call)")
    }
    #expect(call > 50, "\(call) calls")
    #expect(!wasKilled, "it ends before the last call that was tried")
  }

  @Test(arguments: [0, 4096, 20_000])
  func `a full disk affects nothing else`(limit: Int) throws {
    let disk = IndexDisk()
    try disk.write(Self.names)

    let failure = record(
      disk,
      WorkerExecutable(
        path: "/usr/bin/prlimit",
        arguments: ["--fsize=\(limit)", Self.indexer.path, "--library"]))

    #expect(failure != nil)
    #expect(try disk.record(Self.names) == Self.names.count)
    #expect(disk.known("") == Self.names.sorted())
  }

  @Test func `facts that arrive just before the process is idle for long wake nobody early`() throws
  {
    let disk = IndexDisk()
    try disk.write(Self.names)
    let recorder = FactRecorder(executable: Self.indexer, folder: disk.cache)
    func record(_ name: String, at now: Instant) throws {
      let entry = disk.entry(name)
      recorder.record(entry.info, ofFileAt: entry.path, at: now)
    }
    try record(Self.names[0], at: now())
    recorder.recordAll { now() }
    let end = try #require(recorder.nextDeadline)

    let late = end.advanced(bySeconds: -0.1)
    try record(Self.names[1], at: late)
    recorder.advance(at: end)

    #expect(try #require(recorder.nextDeadline) == late.advanced(bySeconds: 0.5))
    recorder.shutDown(at: end)
  }

  @Test func `a folder that cannot be created affects nothing else`() throws {
    let disk = IndexDisk()
    try disk.write(Self.names)
    let recorder = FactRecorder(executable: Self.indexer, folder: Array("/dev/null/none".utf8))
    let entry = disk.entry("0.jpg")
    recorder.record(entry.info, ofFileAt: entry.path, at: now())
    let end = Date().addingTimeInterval(90)
    while !recorder.isIdle, Date() < end {
      recorder.advance(at: now())
      usleep(500)
    }

    #expect(recorder.failure != nil && recorder.isIdle)
    recorder.record(entry.info, ofFileAt: entry.path, at: now())
    #expect(recorder.isIdle, "it is not tried again")
    #expect(recorder.nextDeadline == nil, "nothing wakes the program any more")
    recorder.shutDown(at: now())
  }
}
