import FactIndex
import PhotoGridCore
import Testing
import WorkerProtocol

/// Hashes of pictures in the index.
@Suite struct HashIndexTests {
  private func record(
    _ hash: UInt64?, of name: String, on disk: IndexDisk, length: Int = 10
  ) throws -> Int {
    let status = FileStatus(byteCount: length, modified: 1_600_000_000)
    let hashed = IndexEntry.Hashed(hash.map { DifferenceHash(bits: $0) }, of: status)
    return try IndexWriter(disk.file).record([
      IndexEntry(path: disk.folder.path("photos/\(name)"), hashed: hashed)
    ])
  }

  @Test func `hashes are recorded of files with and without facts, and replaced`() throws {
    let disk = IndexDisk()
    try disk.write(["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    try disk.pack(["b.jpg", "d.jpg"])
    #expect(try record(1, of: "a.jpg", on: disk) == 1)
    #expect(try record(2, of: "b.jpg", on: disk) == 1)
    #expect(try record(nil, of: "c.jpg", on: disk) == 1)
    #expect(try record(.max, of: "b.jpg", on: disk) == 1)

    let facts = ["a.jpg", "b.jpg", "c.jpg", "d.jpg"].map { disk.facts($0) }
    #expect(facts.map { $0?.hash?.bits } == [1, .max, nil, nil])
    #expect(facts.map { $0?.hasHash } == [true, true, true, false])
    #expect(facts.map { $0?.isKnown } == [false, true, false, true])

    // Facts that are read again, and packed, keep the hash.
    try disk.pack(["a.jpg", "b.jpg"])
    #expect(disk.facts("a.jpg")?.hash?.bits == 1 && disk.facts("a.jpg")?.isKnown == true)
    #expect(disk.facts("b.jpg")?.hash?.bits == .max)
    #expect(try IndexWriter(disk.file).clear() == 3)
    #expect(disk.contents("") == nil)
  }

  @Test func `the hash of a file that has changed is neither recorded nor used`() throws {
    let disk = IndexDisk()
    try disk.write(["a.jpg", "b.jpg"])
    #expect(try record(1, of: "a.jpg", on: disk, length: 11) == 0)
    #expect(disk.contents("") == nil)

    #expect(try record(1, of: "b.jpg", on: disk) == 1)
    try disk.write(["b.jpg"], length: 12)
    _ = try IndexWriter(disk.file).record([disk.entry("b.jpg", length: 12)])
    let facts = try #require(disk.facts("b.jpg"))
    #expect(facts.isKnown && !facts.hasHash)
  }

  @Test func `a row that no file can have is left out`() throws {
    let disk = IndexDisk()
    try disk.write(["a.jpg"])
    #expect(try record(1, of: "a.jpg", on: disk) == 1)
    try disk.execute(
      """
      INSERT INTO hash SELECT folder, x'612f62', inode, bytes, modified, bits FROM hash;
      INSERT INTO hash SELECT folder, x'', inode, bytes, modified, bits FROM hash
        WHERE name = x'612e6a7067';
      INSERT INTO hash SELECT folder, x'62', inode, -1, modified, bits FROM hash
        WHERE name = x'612e6a7067';
      INSERT INTO hash SELECT folder, x'63', inode, bytes, modified, 'text' FROM hash
        WHERE name = x'612e6a7067'
      """)
    #expect(disk.known("") == ["a.jpg", "c"])
    #expect(disk.facts("a.jpg")?.hash?.bits == 1)
  }
}
