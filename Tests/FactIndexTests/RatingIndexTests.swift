import FactIndex
import Photos
import Testing
import WorkerProtocol

/// Ratings in the index.
@Suite struct RatingIndexTests {
  @Test func `ratings are recorded of files with and without facts, and replaced`() throws {
    let disk = IndexDisk()
    try disk.write(["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    try disk.record(["b.jpg", "d.jpg"])
    let writer = IndexWriter(disk.file)
    func rate(_ name: String, _ stars: Int, stamp: UInt64) throws {
      _ = try writer.record(disk.rated(name, Rating(stars: stars, label: .blue), stamp: stamp))
    }
    try rate("a.jpg", 1, stamp: 1)
    try rate("b.jpg", 2, stamp: 2)
    try rate("c.jpg", 3, stamp: .max)
    try rate("b.jpg", 5, stamp: 4)
    try writer.write()

    var contents = try #require(disk.contents(""))
    #expect(disk.known("") == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    let places = ["a.jpg", "b.jpg", "c.jpg", "d.jpg"].compactMap {
      contents.index(of: Array($0.utf8)[...])
    }
    #expect(places.count == 4)
    let facts = places.map { contents.facts($0) }
    #expect(facts.map { $0.rating?.stars } == [1, 5, 3, nil])
    #expect(facts.map(\.isKnown) == [false, true, false, true])
    #expect(places.map { contents.ratingStamp($0) } == [1, 4, .max, nil])

    // Facts that are read again keep the rating.
    try disk.record(["b.jpg"])
    #expect(disk.facts("b.jpg")?.rating == Rating(stars: 5, label: .blue))
    #expect(disk.facts("c.jpg")?.rating?.stars == 3)
  }
}
