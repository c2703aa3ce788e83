import FactIndex
import Photos
import Testing
import WorkerProtocol

/// Hashes of pictures in the index.
@Suite struct HashIndexTests {
  private func record(_ hash: UInt64?, of name: String, on disk: IndexDisk) throws -> Int {
    try disk.record(disk.hashed(name, hash))
  }

  @Test func `hashes are recorded of files with and without facts, and replaced`() throws {
    let disk = IndexDisk()
    try disk.write(["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    try disk.record(["b.jpg", "d.jpg"])
    #expect(try record(1, of: "a.jpg", on: disk) == 1)
    #expect(try record(2, of: "b.jpg", on: disk) == 1)
    #expect(try record(nil, of: "c.jpg", on: disk) == 1)
    #expect(try record(.max, of: "b.jpg", on: disk) == 1)

    let facts = ["a.jpg", "b.jpg", "c.jpg", "d.jpg"].map { disk.facts($0) }
    #expect(["a.jpg", "b.jpg", "c.jpg", "d.jpg"].map { disk.hash($0) } == [1, .max, nil, nil])
    #expect(facts.map { $0?.hasHash } == [true, true, false, false])
    #expect(facts.map { $0?.isHashKnown } == [true, true, true, false])
    #expect(facts.map { $0?.isKnown } == [false, true, false, true])

    // Facts that are read again keep the hash.
    try disk.record(["a.jpg", "b.jpg"])
    #expect(disk.hash("a.jpg") == 1 && disk.facts("a.jpg")?.isKnown == true)
    #expect(disk.hash("b.jpg") == .max)
  }

  @Test func `the hash of a file that has changed is not used, nor are its older facts`() throws {
    let disk = IndexDisk()
    try disk.write(["a.jpg", "b.jpg"])
    #expect(try record(1, of: "b.jpg", on: disk) == 1)
    try disk.record(["a.jpg"])
    try disk.write(["a.jpg", "b.jpg"], length: 12)
    try disk.record(["b.jpg"])
    #expect(try record(2, of: "a.jpg", on: disk) == 1)

    let facts = try #require(disk.facts("b.jpg"))
    #expect(facts.isKnown && !facts.isHashKnown)
    let hashed = try #require(disk.facts("a.jpg"))
    #expect(!hashed.isKnown && hashed.isHashKnown && disk.hash("a.jpg") == 2)
  }

  @Test(arguments: [1, 300, 9000])
  func `hashes are those that were recorded`(count: Int) throws {
    let disk = IndexDisk()
    let names = (0..<count).map { "IMG_\($0).jpg" }
    try disk.write(names)
    let writer = IndexWriter(disk.file)
    for start in stride(from: 0, to: count, by: 256) {
      var batch = PhotoBatch(root: 0, folder: disk.folder.path("photos/"))
      var block = InfoBlock()
      for number in start..<min(start + 256, count) {
        let hash = number % 5 == 0 ? nil : DifferenceHash(bits: UInt64(number))
        var row = PackedInfo()
        row.stamp = disk.entry(names[number]).info.stamp
        row.setHash(hash)
        batch.append(Array(names[number].utf8))
        block.append(row, hash: hash)
      }
      batch.facts = block
      #expect(try writer.record(batch) == batch.count)
    }
    writer.close()

    var contents = try #require(disk.contents(""))
    #expect(contents.count == count)
    for (number, name) in names.enumerated() {
      let found = contents.index(of: Array(name.utf8)[...])
      let place = try #require(found)
      #expect(contents.facts(place).isHashKnown)
      try #require(contents.hash(place)?.bits == (number % 5 == 0 ? nil : UInt64(number)))
    }
  }

  @Test func `a newer hash replaces an older one`() throws {
    let disk = IndexDisk()
    try disk.write(["a.jpg", "b.jpg"])
    let writer = IndexWriter(disk.file)
    for (name, bits) in [("b.jpg", 1), ("a.jpg", 2), ("b.jpg", 3)] as [(String, UInt64)] {
      _ = try writer.record(disk.hashed(name, bits))
    }
    writer.close()
    #expect(disk.hash("a.jpg") == 2 && disk.hash("b.jpg") == 3)
    #expect(try record(4, of: "a.jpg", on: disk) == 1)
    #expect(disk.hash("a.jpg") == 4 && disk.hash("b.jpg") == 3)
  }
}
