import Foundation
import Photos
import TestSupport
import Testing
import WorkerProtocol
import WorkerRuntime

@testable import FileWorker

/// The journal of file operations, and how interrupted operations are settled with it.
@Suite struct JournalTests {
  private let group = FileGroup.ID(batch: 1, number: 1, count: 1)

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
      if $0 == .copy {
        entry.copy = FileIdentity(device: 9, inode: .max)
        entry.link = LinkTexts(before: odd, after: [0x3E, 0x20])
      }
      return entry
    }
    do {
      let journal = try Journal(folder.path("state/undo/1"))
      for entry in entries { journal.add(entry) }
      #expect(journal.entries == entries)
    }
    let cut = Array("trash 8.1.1 move 1 2 /x /y".utf8)
    let file = try FileHandle(
      forWritingTo: URL(fileURLWithPath: "\(folder.path)/state/undo/1"))
    try file.seekToEnd()
    try file.write(contentsOf: cut)
    try file.close()

    let journal = try Journal(folder.path("state/undo/1"))
    journal.add(entries[0])
    #expect(journal.entries == entries + [entries[0]])
  }

  @Test func `a journal cut at any byte keeps its whole lines, and the next line is its own`()
    throws
  {
    let folder = TemporaryFolder()
    let entry = JournalEntry(
      .trash, group, .link, FileIdentity(device: 1, inode: 2), from: [0x2F, 0x61], to: [0x2F, 0x62])
    let path = folder.path("undo/1")
    do {
      let journal = try Journal(path)
      journal.begin(1)
      for _ in 0..<2 { journal.add(entry) }
      journal.end(group)
    }
    let url = URL(filePath: "\(folder.path)/undo/1")
    let whole = try Data(contentsOf: url)
    for count in 0...whole.count {
      try whole.prefix(count).write(to: url)
      let lines = whole.prefix(count).split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
      )
      .dropLast()
      _ = try Journal(path)
      #expect(
        try Data(contentsOf: url) == Data(lines.flatMap { $0 + [UInt8(ascii: "\n")] }), "\(count)")
    }
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

  @Test func `every beginning of a line counts as cut short, and more than a line does not`() throws
  {
    var entry = JournalEntry(
      .rename, group, .copy, FileIdentity(device: 77, inode: 3), from: [0x2F, 0x20, 0x61],
      to: [0x2F, 0x62])
    entry.copy = FileIdentity(device: 9, inode: 12)
    var linked = entry
    linked.link = LinkTexts(before: [0x3E, 0x20], after: [0x62])
    for line in [entry.line, linked.line, "end 12.3.4", "undone 12.3.4", "at 12 1764064800"] {
      for count in 0...line.count {
        #expect(!JournalEntry.isForeign(String(line.prefix(count))), "\(count) of \(line)")
      }
      #expect(JournalEntry.isForeign(line + " more"))
    }
    for line in [
      "version 2", "tag 1.1.1 move 7 3 /a /b", "rename 1:1 move 7 3 /a /b",
      "rename 1.1.1 reflink 7 3 /a /b",
    ] {
      #expect(JournalEntry.isForeign(line), "\(line)")
    }
  }

  @Test(arguments: [
    "version 2", "tag 2.2.1 move 7 3 /a /b", "rename 2.2.1 move 7 3 /a /b 7 3 sha:00",
    "end 1.1.1 2026-11-23", "\u{1B}[31m \u{FF}", "{\"kind\": \"rename\"}",
  ])
  func `what another version did last is not undone, and neither is what was before it`(
    line: String
  ) throws {
    let folder = TemporaryFolder()
    func path(_ name: String) -> [UInt8] { folder.path("photos/\(name)") }
    func perform(_ session: Int, _ change: PathTask) -> FileOutcome {
      var files = FileOperator()
      return files.perform(
        .init(batch: 1, journal: folder.path("undo/\(session)"), change))
    }
    func names() -> [String] { fileNames("\(folder.path)/photos") }
    func rename(_ old: String, to new: String) -> PathTask {
      .rename([FileStep(from: path(old), to: path(new))], isUndo: false)
    }
    for name in ["a", "b"] { folder.write([7], to: "photos/\(name)") }
    _ = perform(1, rename("a", to: "c"))
    let journal = "\(folder.path)/undo/1"
    let old = contents(of: journal)
    folder.write(old + Array("\(line)\n".utf8), to: "undo/1")
    let foreign = contents(of: journal)

    let refusal = RecordedUndo(
      failureCount: 1, reason: "another version of photogrid recorded the last change")
    #expect(perform(2, .undoRecorded()) == .undone(refusal))
    #expect(names() == ["b", "c"] && contents(of: journal) == foreign)

    // What this version did after it is undone, and nothing else.
    _ = perform(3, rename("b", to: "d"))
    guard case .undone(let undone) = perform(4, .undoRecorded()) else { return }
    #expect(undone.count == 1 && names() == ["b", "c"])
    #expect(perform(5, .undoRecorded()) == .undone(refusal))
    #expect(names() == ["b", "c"] && contents(of: journal) == foreign)
  }

  @Test func `what another version was killed at is left as it is`() throws {
    let folder = TemporaryFolder()
    let (a, b) = (folder.write([7], to: "a"), folder.write([8], to: "b"))
    let pair = FileGroup.ID(batch: 1, number: 1, count: 2)
    let done = JournalEntry(
      .rename, pair, .exclusiveRename, try identity(a), from: folder.path("old"), to: a)
    // This version would move the first file back, as the second is not known to be at its target.
    folder.write(Array("\(done.line)\nrename 1.1.2 reflink 7 8 /x /y\n".utf8), to: "undo/1")
    var files = FileOperator()
    let move = FileStep(from: b, to: folder.path("c"))
    let outcome = files.perform(
      .init(batch: 1, journal: folder.path("undo/2"), .rename([move], isUndo: false)))
    #expect(outcome == .done([move]))
    #expect(fileNames(folder.path) == ["a", "c", "undo"])
  }

  @Test func `the journal of a version that knew neither copies nor turns is undone`() throws {
    let folder = TemporaryFolder()
    let photo = folder.write([7], to: "photos/b")
    let file = try identity(photo)
    let paths = [folder.path("photos/a"), photo].map { TrashInfo.encoded($0) }
    folder.write(
      Array(
        "rename 1.1.1 move \(file.device) \(file.inode) \(paths[0]) \(paths[1])\nend 1.1.1\n".utf8),
      to: "undo/1")
    var files = FileOperator()
    let outcome = files.perform(
      .init(batch: 1, journal: folder.path("undo/2"), .undoRecorded()))
    guard case .undone(let undone) = outcome else { return }
    #expect(undone.count == 1 && fileNames("\(folder.path)/photos") == ["a"])
  }

  @Test func `files are moved without a journal if it cannot be created`() {
    let folder = TemporaryFolder()
    #expect(throws: FileFault.system(ENOTDIR)) { try Journal(Array("/dev/null/none/undo/1".utf8)) }
    let journal = folder.path("undo/1")
    mkdir("\(folder.path)/undo", 0o700)
    symlink("/etc/hostname", "\(folder.path)/undo/1")
    #expect(throws: FileFault.untrusted(journal, .isLink)) { try Journal(journal) }
    var files = FileOperator()
    let photo = folder.write([1], to: "a.jpg")
    let request = FileProtocol.Request(
      journal: journal,
      .rename([FileStep(from: photo, to: folder.path("b.jpg"))], isUndo: false))
    #expect(
      files.perform(request) == .done([FileStep(from: photo, to: folder.path("b.jpg"))]))
    #expect(files.perform(.init(.undoRecorded())) == .undone(RecordedUndo()))
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

  @Test func `a file at a temporary name gets a number if its name is taken meanwhile`() throws {
    let folder = TemporaryFolder()
    let temporary = folder.write(Array("photo".utf8), to: "photos/.photogrid-1f")
    for name in ["a.jpg", "a-1.jpg"] { folder.write(Array("other".utf8), to: "photos/\(name)") }
    let file = try #require(FileIdentity(at: temporary))
    let entry = JournalEntry(
      .rename, FileGroup.ID(batch: 1, number: 1, count: 2), .exclusiveRename, file,
      from: folder.path("photos/a.jpg"), to: temporary)
    #expect(!Settlement([entry]).isDone)
    #expect(fileNames("\(folder.path)/photos") == ["a-1.jpg", "a-2.jpg", "a.jpg"])
    #expect(contents(of: "\(folder.path)/photos/a-2.jpg") == Array("photo".utf8))
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

  @Test func `what was done is undone though the disk has another device number since`() throws {
    let disk = try TransferDisk()
    disk.folder.write(Array("photo".utf8), to: "photos/a.jpg")
    let photo = disk.folder.path("photos/a.jpg")
    let other = try disk.target(.otherDisk)
    let changes: [PathTask] = [
      .rename([FileStep(from: photo, to: disk.folder.path("photos/b.jpg"))], isUndo: false),
      .trash([disk.folder.path("photos/b.jpg")], home: disk.folder.path("Trash")),
    ]
    for change in changes { _ = disk.perform(change) }
    let moved = disk.folder.write(Array("moved".utf8), to: "photos/c.jpg")
    _ = disk.perform(.move([moved], into: destination(other)))
    let path = "\(disk.folder.path)/state/undo/1"
    let lines = String(decoding: contents(of: path), as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: " ").map { String($0) }
    }
    // "rename 1.1.1 move DEVICE INODE SOURCE TARGET [DEVICE INODE]"
    let renumbered = lines.map { words in
      words.indices.map { [3, 7].contains($0) && words.count > 6 ? "7\(words[$0])" : words[$0] }
    }
    // The session that wrote it still has it open.
    unlink(path)
    disk.folder.write(
      Array(renumbered.map { $0.joined(separator: " ") + "\n" }.joined().utf8), to: "state/undo/1")
    disk.files = FileOperator()

    for _ in 0..<3 {
      guard case .undone(let undo) = disk.perform(.undoRecorded(), in: 2) else { continue }
      #expect(undo.count == 1 && undo.failureCount == 0, "\(undo)")
    }
    #expect(fileNames("\(disk.folder.path)/photos") == ["a.jpg", "c.jpg"])
  }

  @Test func `operations of several sessions are undone from the last to the first`() throws {
    let folder = TemporaryFolder()
    let home = folder.path("Trash")
    func path(_ name: String) -> [UInt8] { folder.path("photos/\(name)") }
    for name in ["a", "b", "c"] { folder.write([7], to: "photos/\(name)") }
    func perform(_ session: Int, _ requests: [(UInt32, PathTask)]) -> [FileOutcome] {
      var files = FileOperator()
      return requests.map { operation, change in
        files.perform(
          .init(
            batch: operation, journal: folder.path("undo/\(session)"), change))
      }
    }
    _ = perform(
      1, [(1, .trash([path("a")], home: home)), (1, .trash([path("b")], home: home))])
    _ = perform(2, [(1, .rename([FileStep(from: path("c"), to: path("d"))], isUndo: false))])
    // A renaming that was undone is not undone again.
    _ = perform(
      3,
      [
        (1, .rename([FileStep(from: path("d"), to: path("e"))], isUndo: false)),
        (2, .rename([FileStep(from: path("e"), to: path("d"))], isUndo: true)),
      ])

    let place = folder.path("photos/")
    let undone = perform(4, [(1, .undoRecorded()), (2, .undoRecorded()), (3, .undoRecorded())])

    #expect(
      undone[0]
        == .undone(
          RecordedUndo(kind: .rename, count: 1, name: Array("c".utf8), folder: place)))
    #expect(
      undone[1]
        == .undone(
          RecordedUndo(kind: .trash, count: 2, name: Array("a".utf8), folder: place)))
    #expect(undone[2] == .undone(RecordedUndo()))
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/photos")
    #expect(names.sorted() == ["a", "b", "c"])
  }

  @Test func `what can be undone is found with its kind, place and time, and undone only once`()
    throws
  {
    let folder = TemporaryFolder()
    let photo = folder.write([7], to: "photos/a")
    func perform(_ session: Int, _ files: inout FileOperator, _ change: PathTask) -> FileOutcome {
      files.perform(.init(batch: 9, journal: folder.path("undo/\(session)"), change))
    }
    var first = FileOperator()
    _ = perform(
      1, &first, .move([photo], into: FileDestination(folder: folder.path("new"), isCreated: true)))
    first = FileOperator()

    // Two other sessions find it; both are asked about it, and both users agree.
    var (second, third) = (FileOperator(), FileOperator())
    guard
      case .found(let found?) = perform(2, &second, .findRecorded(here: folder.path("photos"))),
      case .found(let same?) = perform(3, &third, .findRecorded(here: folder.path("new")))
    else {
      Issue.record("nothing is found")
      return
    }
    #expect(found.id == RecordedOperation.ID(journal: Array("1".utf8), number: 9))
    #expect(found.kind == .move && found.count == 1 && found.name == Array("a".utf8))
    #expect(found.folder == folder.path("photos/") && found.isHere && !same.isHere)
    let age = try #require(found.age)
    #expect(found.id == same.id && age >= 0 && found.time != nil)
    #expect(
      perform(2, &second, .findRecorded(skipping: [found.id])) == .found(nil),
      "an operation that was given up does not bar the way")

    guard case .undone(let undone) = perform(2, &second, .undoRecorded(found.id)) else { return }
    #expect(undone.kind == .move && undone.count == 1 && undone.failureCount == 0)
    #expect(
      fileNames("\(folder.path)/photos") == ["a"] && fileNames(folder.path) == ["photos", "undo"])
    let late = RecordedUndo(
      failureCount: 1, reason: "it has since been undone or changed")
    #expect(perform(3, &third, .undoRecorded(found.id)) == .undone(late))
    #expect(fileNames("\(folder.path)/photos") == ["a"])
  }

  @Test func `if the folder is gone, undo says so, and the photo stays in the trash`() throws {
    let folder = TemporaryFolder()
    let photo = folder.write([7], to: "photos/a")
    var files = FileOperator()
    let journal = folder.path("undo/1")
    _ = files.perform(
      .init(batch: 1, journal: journal, .trash([photo], home: folder.path("T"))))
    try FileManager.default.removeItem(atPath: "\(folder.path)/photos")
    let outcome = files.perform(.init(batch: 2, journal: journal, .undoRecorded()))
    let refusal = RecordedUndo(
      kind: .trash, failureCount: 1, reason: "no such file or folder")
    #expect(outcome == .undone(refusal))
    #expect(contents(of: "\(folder.path)/T/files/a") == [7])
    #expect(fileNames("\(folder.path)/T/info") == ["a.trashinfo"])
  }

  @Test func `a file that cannot be restored stays in the trash, and the reason is reported`()
    throws
  {
    let folder = TemporaryFolder()
    let photo = folder.write([7], to: "photos/a")
    var files = FileOperator()
    let journal = folder.path("undo/1")
    _ = files.perform(
      .init(batch: 1, journal: journal, .trash([photo], home: folder.path("T"))))
    folder.write([8], to: "photos/a")

    let outcome = files.perform(.init(batch: 2, journal: journal, .undoRecorded()))

    let reason = "a file with that name exists"
    #expect(outcome == .undone(RecordedUndo(kind: .trash, failureCount: 1, reason: reason)))
    #expect(contents(of: "\(folder.path)/photos/a") == [8])
    #expect(contents(of: "\(folder.path)/T/files/a") == [7])
  }
}
