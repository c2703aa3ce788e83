import TestSupport
import Testing

@testable import Photos

struct PhotoMergeTests {
  @Test(arguments: seeds(1...30))
  func `random insertions and removals keep the photos in order`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var photos: [Photo.ID] = []
    for _ in 0..<60 {
      let new = (0..<Int.random(in: 0...20, using: &random))
        .map { _ in Photo.ID(Int.random(in: 0..<1000, using: &random)) }
      let batch = Set(new).subtracting(photos).sorted()
      let before = photos
      let isBehind = before.last.map { last in batch.allSatisfy { $0 > last } } ?? true

      #expect(photos.merge(batch, by: <) == isBehind)
      #expect(photos == (before + batch).sorted(), "seed \(seed)")
      let gone = photos.indices.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
      let kept = photos.indices.filter { !gone.contains($0) }.map { photos[$0] }
      photos.remove(at: gone)
      #expect(photos == kept, "seed \(seed)")
    }
  }

  @Test func `equal photos keep the order in which they were inserted`() {
    var photos: [Photo.ID] = []
    let byTens = { (left: Photo.ID, right: Photo.ID) in left.index / 10 < right.index / 10 }
    photos.merge([Photo.ID(10), Photo.ID(20)], by: byTens)
    photos.merge([Photo.ID(13), Photo.ID(11)], by: byTens)
    #expect(photos.map(\.index) == [10, 13, 11, 20])
  }
}
