import TestSupport
import Testing

@testable import Photos

/// Names in blocks of some bytes, and of a megabyte.
struct NameBlocksTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `names of any length, added in any batches, are found again`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Small blocks: some names are longer than one.
    var blocks = NameBlocks(offsetBits: 4)
    var added: [(name: [UInt8], location: NameBlocks.Location)] = []
    for _ in 0..<30 {
      let batch = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        (0..<Int.random(in: 0...40, using: &random)).map { _ in
          UInt8.random(in: 1...255, using: &random)
        }
      }
      let locations = blocks.append(Array(batch.map { $0 + [0] }.joined()))
      #expect(locations.count == batch.count)
      added += zip(batch, locations).map { ($0, $1) }
    }
    #expect(added.map { Array(blocks[$0.location]) } == added.map(\.name))
    #expect(blocks.byteCount == added.map { $0.name.count + 1 }.reduce(0, +))
    let read = blocks.withPointers { pointers in added.map { Array(pointers.name(at: $0.location)) }
    }
    #expect(read == added.map(\.name))

    // From any name on, consecutive names are a beginning of what was added after it.
    let locations = added.map(\.location)
    for start in added.indices {
      let names = blocks.consecutive(locations[start...])
      let all = Array(added[start...].map { $0.name + [0] }.joined())
      #expect(names.count > added[start].name.count && names.last == 0 && all.starts(with: names))
    }
  }

  @Test func `a copy keeps its names while others are added`() {
    var blocks = NameBlocks(offsetBits: 4)
    let first = blocks.append(Array("a.jpg\0b.jpg\0".utf8))
    let copy = blocks
    let second = blocks.append(Array("c.jpg\0d.jpg\0".utf8))
    #expect(copy.byteCount == 12)
    #expect(Array(copy.consecutive(first)) == Array("a.jpg\0b.jpg\0".utf8))
    #expect(Array(blocks[second[1]]) == Array("d.jpg".utf8))
  }

  @Test func `photos are found and sorted by names that fill more than a block`() {
    let count = 60_000
    let texts = (0..<count).map { "Photo \(count - $0) of a long day.jpg" }
    var names = PhotoNames()
    names.learn(
      NameBatch(
        first: Photo.ID(0), folder: Array("p/".utf8),
        names: texts.flatMap { Array($0.utf8) + [0] }))
    let photos = (0..<count).map { Photo.ID($0) }

    for number in [1, count / 2, count] {
      #expect(names.contains(Array("photo \(number) of".utf8), in: photos[count - number]))
      #expect(!names.contains(Array("photo \(number + 1) of".utf8), in: photos[count - number]))
    }
    #expect(names.sorted(photos) == photos.reversed())
  }
}
