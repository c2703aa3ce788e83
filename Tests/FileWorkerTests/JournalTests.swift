import Foundation
import PhotoGridCore
import TestSupport
import Testing
import WorkerProtocol

@testable import FileWorker

/// The journal of file operations, and how interrupted operations are settled with it.
@Suite struct JournalTests {
  private let group = FileGroup.ID(operation: 1, number: 1, count: 1)

  private func identity(_ path: [UInt8]) throws -> FileIdentity {
    try #require(FileIdentity(at: path))
  }

  @Test func `entries with names of any bytes are read back, and a truncated line is left out`()
    throws
  {
    let folder = TemporaryFolder()
    let odd: [UInt8] = [0x2F, 0xFF, 0x20, 0x0A, 0x25, 0x1B, 0x80]
    let entries = FileMove.Method.allCases.map {
      var entry = JournalEntry(
        .rename, group, $0, FileIdentity(device: .max, inode: 3), from: odd, to: [0x2F, 0x61])
      if $0 == .copy { entry.copy = FileIdentity(device: 9, inode: .max) }
      return entry
    }
    do {
      let journal = try #require(Journal(folder.path("state/undo/1")))
      for entry in entries { journal.add(entry) }
      #expect(journal.entries == entries)
    }
    let cut = Array("trash 8.1.1 move 1 2 /x /y".utf8)
    let file = try FileHandle(
      forWritingTo: URL(fileURLWithPath: "\(folder.path)/state/undo/1"))
    try file.seekToEnd()
    try file.write(contentsOf: cut)
    try file.close()

    let journal = try #require(Journal(folder.path("state/undo/1")))
    journal.add(entries[0])
    #expect(journal.entries.count { $0.kind == .rename } == 5)
  }

  @Test(arguments: seeds(1...50)) func `random lines are valid entries or none`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let words = [
      "trash", "7", "7.1.1", "move", "link", "%", "%F", "%00", "/a", "\u{FF}", "-1", "restore",
    ]
    for _ in 0..<200 {
      let line = (0..<Int.random(in: 0...9, using: &random))
        .map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
      if let entry = JournalEntry(line: line) {
        #expect(JournalEntry(line: entry.line) == entry)
      }
    }
  }

  @Test func `files are moved without a journal if it cannot be created`() {
    let folder = TemporaryFolder()
    #expect(Journal([]) == nil)
    #expect(Journal(Array("/dev/null/none/undo/1".utf8)) == nil)
    symlink("/etc/hostname", "\(folder.path)/1")
    #expect(Journal(folder.path("1")) == nil)
    var files = FileOperator()
    let photo = folder.write([1], to: "a.jpg")
    let request = FileProtocol.Request(
      token: 1, journal: folder.path("1"),
      .rename([MovedFile(from: photo, to: folder.path("b.jpg"))], isUndo: false))
    #expect(
      files.perform(request) == .moved([MovedFile(from: photo, to: folder.path("b.jpg"))]))
    #expect(files.perform(.init(token: 2, .undoRecorded)) == .undone(RecordedUndo()))
  }

  @Test
  func `a file with both names loses the old one only if the journal says that it was linked`()
    throws
  {
    let folder = TemporaryFolder()
    let (old, new) = (folder.write([7], to: "old"), folder.path("new"))
    link("\(folder.path)/old", "\(folder.path)/new")
    let file = try identity(old)

    let byRename = JournalEntry(.rename, group, .exclusiveRename, file, from: old, to: new)
    #expect(!Settlement([byRename]).isDone, "two names that were there before both stay")
    #expect(FileIdentity(at: old) == file && FileIdentity(at: new) == file)

    let byLink = JournalEntry(.rename, group, .link, file, from: old, to: new)
    #expect(Settlement([byLink]).isDone)
    #expect(FileIdentity(at: old) == nil && FileIdentity(at: new) == file)
  }

  @Test func `the empty placeholder of an interrupted move is removed, and no other file`() throws {
    let folder = TemporaryFolder()
    let (old, new) = (folder.write([7], to: "old"), folder.write([], to: "new", mode: 0o600))
    let file = try identity(old)
    let byRename = JournalEntry(.rename, group, .exclusiveRename, file, from: old, to: new)
    #expect(!Settlement([byRename]).isDone && FileIdentity(at: new) != nil)
    let byPlaceholder = JournalEntry(.rename, group, .placeholder, file, from: old, to: new)
    #expect(!Settlement([byPlaceholder]).isDone && FileIdentity(at: new) == nil)
    folder.write([8], to: "new", mode: 0o600)
    #expect(!Settlement([byPlaceholder]).isDone && FileIdentity(at: new) != nil)
    #expect(FileIdentity(at: old) == file)
  }

  @Test func `another program's info file is never removed`() throws {
    let folder = TemporaryFolder()
    let photo = folder.write([7], to: "a.jpg")
    let info = folder.write(
      Array("[Trash Info]\nPath=/elsewhere/a.jpg\nDeletionDate=2026-01-01T00:00:00\n".utf8),
      to: "Trash/info/a.jpg.trashinfo")
    let entry = JournalEntry(
      .trash, group, .exclusiveRename, try identity(photo), from: photo,
      to: folder.path("Trash/files/a.jpg"))
    #expect(!Settlement([entry]).isDone)
    #expect(FileIdentity(at: info) != nil)
  }

  @Test func `operations of several sessions are undone from the last to the first`() throws {
    let folder = TemporaryFolder()
    let home = folder.path("Trash")
    func path(_ name: String) -> [UInt8] { folder.path("photos/\(name)") }
    for name in ["a", "b", "c"] { folder.write([7], to: "photos/\(name)") }
    func perform(_ session: Int, _ requests: [(UInt32, FileChange)]) -> [FileOutcome] {
      var files = FileOperator()
      return requests.map { operation, change in
        files.perform(
          .init(
            token: 1, operation: operation, journal: folder.path("undo/\(session)"), change))
      }
    }
    _ = perform(
      1, [(1, .trash([path("a")], home: home)), (1, .trash([path("b")], home: home))])
    _ = perform(2, [(1, .rename([MovedFile(from: path("c"), to: path("d"))], isUndo: false))])
    // A renaming that was undone is not undone again.
    _ = perform(
      3,
      [
        (1, .rename([MovedFile(from: path("d"), to: path("e"))], isUndo: false)),
        (2, .rename([MovedFile(from: path("e"), to: path("d"))], isUndo: true)),
      ])

    let place = folder.path("photos/")
    let undone = perform(4, [(1, .undoRecorded), (2, .undoRecorded), (3, .undoRecorded)])

    #expect(undone[0] == .undone(RecordedUndo(count: 1, name: Array("c".utf8), folder: place)))
    #expect(undone[1] == .undone(RecordedUndo(count: 2, name: Array("a".utf8), folder: place)))
    #expect(undone[2] == .undone(RecordedUndo()))
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/photos")
    #expect(names.sorted() == ["a", "b", "c"])
  }

  @Test func `a file that cannot be restored stays in the trash, and the reason is reported`()
    throws
  {
    let folder = TemporaryFolder()
    let photo = folder.write([7], to: "photos/a")
    var files = FileOperator()
    let journal = folder.path("undo/1")
    _ = files.perform(
      .init(token: 1, operation: 1, journal: journal, .trash([photo], home: folder.path("T"))))
    folder.write([8], to: "photos/a")

    let outcome = files.perform(.init(token: 2, operation: 2, journal: journal, .undoRecorded))

    let reason = "there is a file of that name"
    #expect(outcome == .undone(RecordedUndo(failureCount: 1, reason: reason)))
    #expect(contents(of: "\(folder.path)/photos/a") == [8])
    #expect(contents(of: "\(folder.path)/T/files/a") == [7])
  }
}
