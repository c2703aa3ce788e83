import Foundation
import Geometry
import PhotoLibrary
import Photos
import PseudoTerminal
import TestSupport
import Testing
import WorkerProtocol
import WorkerRuntime

@testable import FileWorker

/// A disk that ignores case, such as a memory card, and one that returns less than is asked for.
@Suite(
  .enabled(if: FaultyDisks.areUsable, "no disk can be mounted here: /dev/fuse is missing"))
struct CaseTests {
  private let folder = TemporaryFolder()
  private let disks: FaultyDisks
  private var photos: String { "\(folder.path)/store-disk/photos" }

  init() throws {
    for name in ["a.jpg", "a.jpg.xmp", "a.xmp", "b.jpg", "live.heic", "live.mov"] {
      folder.write(Array(name.utf8), to: "store-disk/photos/\(name)")
    }
    mkdir("\(folder.path)/store-disk/target", 0o755)
    disks = try FaultyDisks(in: folder.path)
  }

  private func path(_ name: String) -> [UInt8] { folder.path("disk/photos/\(name)") }

  private func renaming(_ names: KeyValuePairs<String, String>) -> PathTask {
    .rename(names.map { FileStep(from: path($0), to: path($1)) }, isUndo: false)
  }

  /// Performs a change in a session of its own.
  private func perform(_ change: PathTask, session: Int = 1, killedAt call: Int? = nil)
    -> FileOutcome?
  {
    let worker = [WorkerExecutable.beside("photogrid"), "--file-worker"]
    let killer = call.map {
      [WorkerExecutable.beside("kill-at-call"), "\(folder.path)/killed", "-", "\($0)"]
    }
    let words = disks.running((killer ?? []) + worker)
    let client = FileOperationClient(
      executable: WorkerExecutable(path: words[0], arguments: Array(words.dropFirst())),
      journal: folder.path("state/undo/\(session)"))
    client.request([change], at: now())
    let end = Date().addingTimeInterval(90)
    while Date() < end {
      if let result = client.service(at: now()).first {
        client.shutDown()
        while !disks.processes.isEmpty { usleep(1000) }
        return result.outcome
      }
      usleep(500)
    }
    return nil
  }

  private static let before = ["a.jpg", "a.jpg.xmp", "a.xmp", "b.jpg", "live.heic", "live.mov"]

  private static let renamings: [(names: KeyValuePairs<String, String>, after: [String])] = [
    (["a.jpg": "A.jpg"], ["A.jpg", "A.jpg.xmp", "A.xmp", "b.jpg", "live.heic", "live.mov"]),
    (["a.jpg": "a.JPG"], ["a.JPG", "a.JPG.xmp", "a.xmp", "b.jpg", "live.heic", "live.mov"]),
    (
      ["live.heic": "Live.heic"], ["Live.heic", "Live.mov", "a.jpg", "a.jpg.xmp", "a.xmp", "b.jpg"]
    ),
    // Each gets the other's name, in capitals.
    (
      ["a.jpg": "B.jpg", "b.jpg": "A.jpg"],
      ["A.jpg", "B.jpg", "B.jpg.xmp", "B.xmp", "live.heic", "live.mov"]
    ),
  ]

  @Test(arguments: renamings.indices)
  func `names change in case alone, with those of companions, and back`(index: Int) {
    disks.obey("nocase")
    let (names, after) = Self.renamings[index]
    guard case .done? = perform(renaming(names)) else {
      Issue.record("it is not renamed")
      return
    }
    #expect(fileNames(photos) == after)
    #expect(contents(of: "\(photos)/\(names[0].value)") == Array(names[0].key.utf8))
    guard case .undone(let undone)? = perform(.undoRecorded(), session: 2) else {
      Issue.record("it is not undone")
      return
    }
    #expect(undone.count == names.count && undone.failureCount == 0)
    guard fileNames(photos) == Self.before else {
      Issue.record("\(fileNames(photos))")
      return
    }
    for name in Self.before { #expect(contents(of: "\(photos)/\(name)") == Array(name.utf8)) }
  }

  @Test func `a name of another file is taken in any case, and all files move together`() {
    disks.obey("nocase")
    #expect(
      perform(renaming(["a.jpg": "B.JPG"])) == .refused("a file with that name exists (B.JPG)"))
    #expect(fileNames(photos) == Self.before)
    let target = FileDestination(folder: folder.path("disk/target"), isCreated: false)
    guard
      case .done(let files)? = perform(.move([path("a.jpg"), path("live.heic")], into: target))
    else {
      Issue.record("they are not moved")
      return
    }
    #expect(files.count == 5)
    #expect(
      fileNames("\(folder.path)/store-disk/target") == [
        "a.jpg", "a.jpg.xmp", "a.xmp", "live.heic", "live.mov",
      ])
  }

  @Test func `a process that is killed in between leaves every file, in one case or the other`() {
    disks.obey("nocase")
    let killed = "\(folder.path)/killed"
    var call = 0
    while call < 3000 {
      call += 1
      // The names of journals sort in their order.
      let outcome = perform(
        renaming(["a.jpg": "A.jpg"]), session: 10_000 + 2 * call, killedAt: call)
      guard case .done? = outcome else {
        Issue.record("killed at call \(call): \(String(describing: outcome))")
        return
      }
      #expect(fileNames(photos) == Self.renamings[0].after, "killed at call \(call)")
      guard unlink(killed) == 0 else { break }
      _ = perform(.undoRecorded(), session: 10_001 + 2 * call)
      guard fileNames(photos) == Self.before else {
        Issue.record("killed at call \(call): \(fileNames(photos))")
        return
      }
    }
    #expect(call > 10)
  }

  @Test func `a file that was linked to its own name in another case keeps it`() throws {
    disks.obey("nocase")
    // As an earlier version of the program recorded it, on a system without the call that renames.
    let file = try #require(FileIdentity(at: Array("\(photos)/a.jpg".utf8)))
    let group = FileGroup.ID(batch: 1, number: 1, count: 1)
    let entry = JournalEntry(.rename, group, .link, file, from: path("a.jpg"), to: path("A.jpg"))
    folder.write(Array("\(entry.line)\n".utf8), to: "state/undo/0", mode: 0o600)
    _ = perform(renaming(["b.jpg": "c.jpg"]))
    #expect(fileNames(photos).contains("a.jpg") || fileNames(photos).contains("A.jpg"))
    #expect(fileNames(photos).count == Self.before.count)
  }

  @Test func `pieces that are shorter than asked for are no difference between files`() throws {
    folder.write((0..<300_000).map { UInt8(truncatingIfNeeded: $0) }, to: "large.jpg")
    let photo = folder.path("large.jpg")
    let target = FileDestination(folder: folder.path("disk/target"), isCreated: false)
    guard case .done(let copies)? = perform(.copy([photo], into: target)) else {
      Issue.record("it is not copied")
      return
    }
    // The contents are compared only if the times differ.
    utimes("\(folder.path)/store-disk/target/large.jpg", [timeval(), timeval()])
    disks.obey("short=4099 read 0 0")
    #expect(perform(.removeCopies(copies)) == .done([]))
    #expect(fileNames("\(folder.path)/store-disk/target") == [])
  }
}
