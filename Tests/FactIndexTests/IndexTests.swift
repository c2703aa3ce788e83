import CSQLite
import FactIndex
import Foundation
import Photos
import TestSupport
import Testing
import WorkerProtocol
import WorkerRuntime

/// Recorded facts can be read again, and no file in place of the index does harm.
@Suite struct IndexTests {
  @Test func `recorded facts are known in the next session`() throws {
    let disk = IndexDisk()
    try disk.write(["a.jpg", "b.jpg", "sub/c.jpg"])

    #expect(try disk.record(["b.jpg", "a.jpg", "sub/c.jpg"]) == 3)

    #expect(disk.known("") == ["a.jpg", "b.jpg"])
    #expect(disk.known("sub/") == ["c.jpg"])
    #expect(disk.known("other/") == [])
    var contents = try #require(disk.contents(""))
    let found = contents.index(of: Array("b.jpg".utf8)[...])
    let place = try #require(found)
    let facts = contents.facts(place)
    #expect(facts.taken?.iso8601 == "2024-05-01T12:30:00")
    #expect(facts.width == 40 && facts.height == 30 && facts.format == .jpeg)
    #expect(facts.modified == 1_600_000_000 && facts.byteCount == 10)
    #expect(facts.sensitivity == 200 && facts.aperture == 2.8 && facts.exposureTime == 0)
    #expect(contents.pools.camera.text(facts.camera) == "Canon A1")
    #expect(contents.pools.lens.text(facts.lens) == nil && !facts.hasLocation)
    #expect(contents.stamp(place) == FileStamp(of: disk.folder.path("photos/b.jpg")))
  }

  @Test func `what was read in an unknown state of a file, or not read, is not recorded`() throws {
    let disk = IndexDisk()
    let names = ["a.jpg", "b.jpg", "unsettled.jpg", "incomplete.jpg", "unknown.jpg", "bare.jpg"]
    try disk.write(names)
    var infos = names.map { disk.entry($0).info }
    let place = PhotoMetadata.Location(latitude: 1.5, longitude: -2)
    infos[1].metadata?.location = place
    infos[2].stamp.identity = 0
    infos[3].isIncomplete = true
    infos[5].metadata = nil
    // Numbers of texts in a block differ from the IDs of the index.
    var block = InfoBlock([PhotoInfo]())
    block.append(disk.entry("other.jpg", camera: "Other").info)
    for (name, info) in zip(names, infos) {
      if name == "unknown.jpg" { block.append(PackedInfo()) } else { block.append(info) }
    }
    let batch = PhotoBatch(
      root: 0, folder: disk.folder.path("photos/"),
      names: (["other.jpg"] + names).flatMap { Array($0.utf8) + [0] }, facts: block)

    let count = try disk.record(batch)

    #expect(count == 3 && disk.known("") == ["a.jpg", "b.jpg", "other.jpg"])
    for (name, info) in zip(names, infos).prefix(2) {
      var contents = try #require(disk.contents(""))
      let found = contents.index(of: Array(name.utf8)[...])
      let index = try #require(found)
      let read = contents.facts(index).unpacked(
        texts: contents.pools, takenAt: contents.location(index))
      var expected = info
      expected.metadata?.aperture = Double(Float(2.8))
      #expect(read == expected)
    }
  }

  @Test func `all files of the index are accessible to this user only`() throws {
    let disk = IndexDisk()
    try disk.write(["a.jpg"])
    try disk.record(["a.jpg"])

    let names = try FileManager.default.contentsOfDirectory(atPath: "\(disk.folder.path)/cache")
    #expect(names.contains("index.sqlite"))
    for name in names {
      var status = stat()
      #expect(stat("\(disk.folder.path)/cache/\(name)", &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600, "\(name)")
    }
  }

  @Test func `facts that are read again replace the earlier ones`() throws {
    let disk = IndexDisk()
    try disk.write(["a.jpg"])
    try disk.record(["a.jpg"])
    try disk.write(["a.jpg"], length: 20)

    try disk.record([disk.entry("a.jpg", camera: "Leica")])

    let contents = try #require(disk.contents(""))
    #expect(contents.count == 1 && contents.facts(0).byteCount == 20)
    #expect(contents.pools.camera.text(contents.facts(0).camera) == "Leica")
  }

  // MARK: - Other files in place of the index

  enum Intruder: String, CaseIterable {
    case empty, text, randomBytes, foreignDatabase, newerVersion, olderLayout, folder, danglingLink
  }

  @Test(arguments: Intruder.allCases)
  func `a file that is not an index of this version is moved aside`(intruder: Intruder) throws {
    let disk = IndexDisk()
    try disk.write(["a.jpg"])
    switch intruder {
    case .empty: disk.folder.write(to: "cache/index.sqlite")
    case .text: disk.folder.write(Array("A letter to a friend.".utf8), to: "cache/index.sqlite")
    case .randomBytes:
      var random = SeededGenerator(seed: 7)
      disk.folder.write(
        (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) },
        to: "cache/index.sqlite")
    case .foreignDatabase: try disk.execute("CREATE TABLE letter(text)")
    case .newerVersion:
      try disk.record(["a.jpg"])
      try disk.execute("PRAGMA user_version = 99")
    case .olderLayout:
      try disk.record(["a.jpg"])
      try disk.execute(
        """
        DROP TABLE folder;
        CREATE TABLE folder(
          id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, age INTEGER NOT NULL);
        CREATE TABLE text(id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
        CREATE TABLE pack(
          folder INTEGER NOT NULL, number INTEGER NOT NULL, new INTEGER NOT NULL,
          count INTEGER NOT NULL, photos BLOB NOT NULL, PRIMARY KEY(folder, number));
        PRAGMA user_version = 11
        """)
    case .folder:
      try FileManager.default.createDirectory(
        atPath: disk.database, withIntermediateDirectories: true)
    case .danglingLink:
      try FileManager.default.createSymbolicLink(
        atPath: disk.database, withDestinationPath: "\(disk.folder.path)/elsewhere")
    }

    #expect(disk.known("") == [])
    #expect(try disk.record(["a.jpg"]) == 1)

    #expect(disk.known("") == ["a.jpg"])
    let manager = FileManager.default
    #expect(!manager.fileExists(atPath: "\(disk.folder.path)/elsewhere"))
    // An empty file is an empty database, which becomes the index.
    if intruder != .empty, intruder != .danglingLink {
      #expect(manager.fileExists(atPath: "\(disk.database).old"))
    }
  }

  @Test(arguments: 0..<40)
  func `a broken index is harmless, and facts can be recorded again`(seed: UInt64) throws {
    let disk = IndexDisk()
    let names = (0..<300).map { "IMG_\($0).jpg" }
    try disk.write(names)
    try disk.record(names)
    var random = SeededGenerator(seed: seed)
    let handle = try #require(FileHandle(forUpdatingAtPath: disk.database))
    let length = try handle.seekToEnd()
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      try handle.seek(toOffset: .random(in: 0..<length, using: &random))
      try handle.write(contentsOf: [UInt8.random(in: 0...255, using: &random)])
    }
    if seed % 4 == 0 { try handle.truncate(atOffset: .random(in: 0..<length, using: &random)) }
    try handle.close()

    // All names that are found could be names in a folder.
    for name in disk.known("") { #expect(!name.isEmpty && !name.contains("/")) }
    // Damage that SQLite notices leads to a new index, at the latest when everything is written
    // again.
    let counts = (0..<3).map { _ in try? disk.record(names) }
    #expect(counts.last == names.count, "\(counts)")
    for name in disk.known("") { #expect(!name.isEmpty && !name.contains("/")) }
  }

  // MARK: - Size

  @Test func `the folders recorded longest ago are removed first`() throws {
    let disk = IndexDisk()
    let folders = ["first", "second", "third", "fourth"]
    let names = folders.map { folder in (0..<400).map { "\(folder)/\($0).jpg" } }
    for names in names { try disk.write(names) }
    for names in names[..<3] { try disk.record(names) }
    // Recording a photo of the first folder again makes it the latest one.
    try disk.record(["first/7.jpg"])

    // A folder takes 29,000 bytes, so two remain of more.
    try disk.record(names[3], sizeLimit: 85_000)

    let left = folders.map { disk.known("\($0)/").count }
    #expect(left == [400, 0, 0, 400])
  }

  @Test func `two programs write at once, and a third one reads`() async throws {
    let disk = IndexDisk()
    let names = (0..<2).map { half in (0..<400).map { "\(half)-\($0).jpg" } }
    for names in names { try disk.write(names) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for names in names {
        group.addTask {
          let writer = IndexWriter(disk.file)
          for name in names {
            let count = try writer.record([disk.entry(name)])
            #expect(count == 1)
            try writer.write()
          }
        }
      }
      group.addTask {
        var counts: [Int] = []
        while counts.count < 200 { counts.append(disk.known("").count) }
        #expect(counts == counts.sorted(), "what is known stays known")
      }
      try await group.waitForAll()
    }
    #expect(disk.known("").count == 800)
  }
}
