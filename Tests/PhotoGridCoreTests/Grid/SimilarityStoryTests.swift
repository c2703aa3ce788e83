import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

/// Sorting and filtering by near duplicates, whose hashes arrive late.
@Suite struct SimilarityStoryTests {
  private static let names = (0..<6).map { "\($0).jpg" }

  /// Hashes of which 1, 4 and 5, and 2 and 3 are near duplicates.
  private static let hashes: [UInt64?] = [
    0xFFFF_0000, 0b1, 0xFFFF << 40, 0xFFFE << 40, 0b10, 0b111,
  ]

  private static func update(_ number: Int) -> Event {
    .hashesUpdated([HashUpdate(Photo.ID(number), hashes[number].map { DifferenceHash(bits: $0) })])
  }

  @Test func `near duplicates come first, group by group, and the others follow`() {
    var story = Story(names: Self.names)
    for number in Self.names.indices { story.send(Self.update(number)) }
    #expect(story.browser.collection.missingHashes.isEmpty, "nobody asked")
    story.keys("ga")
    #expect(story.shown == [1, 4, 5, 2, 3, 0])
    #expect(story.browser.collection.missingHashes.isEmpty)
    #expect(story.browser.album.order.label == "similarity")
    story.browser.gallery.collection.sort(by: SortOrder(by: .similar, isReversed: true))
    #expect(story.shown == [2, 3, 1, 4, 5, 0], "the groups, not what is in none")
    story.keys(",n")
    #expect(story.shown == [0, 1, 2, 3, 4, 5])
  }

  @Test func `until the hashes are known, nothing moves, and the bar counts them`() {
    var story = Story(names: Self.names)
    story.keys("lllga")
    #expect(story.shown == [0, 1, 2, 3, 4, 5] && story.current == 3)
    #expect(story.browser.collection.missingHashes.map(\.index) == [0, 1, 2, 3, 4, 5])
    story.wait(0.5)
    for number in [1, 2, 4] { story.send(Self.update(number)) }
    #expect(story.shown == [0, 1, 2, 3, 4, 5])
    #expect(story.bar.right.contains("3 of 6 read"))
    story.wait(6)
    #expect(story.shown == [1, 4, 0, 2, 3, 5], "those that are not known yet come last")
    #expect(story.browser.collection.missingHashes.map(\.index) == [0, 3, 5])
    #expect(story.current == 3, "by identity")
    // One that cannot be shown is similar to none.
    story.send(.hashesUpdated([HashUpdate(Photo.ID(0), nil)]))
    story.send(Self.update(3))
    story.send(Self.update(5))
    #expect(story.shown == [1, 4, 5, 2, 3, 0], "the last one lets all take effect at once")
    #expect(story.current == 3 && !story.bar.right.contains("read"))
  }

  @Test func `until the first key press the first photo is selected`() {
    var story = Story(photos: 0)
    story.browser = Browser(
      options: Browser.Options(), order: SortOrder(by: .similar),
      cells: CellSize(columns: 100, rows: 31), metrics: .standard)
    story.send(.found(Self.names.indices.map { Photo.ID($0) }))
    story.send(.listed(ListingNotes()))
    for number in Self.names.indices { story.send(Self.update(number)) }
    #expect(story.shown == [1, 4, 5, 2, 3, 0] && story.current == 1)
  }

  @Test func `the filter shows near duplicates as soon as both are known`() {
    var story = Story(names: Self.names)
    story.keys("fsimilar")
    story.press(.enter)
    #expect(story.shown.isEmpty)
    story.send(Self.update(1))
    story.send(Self.update(5))
    story.wait(0.4)
    #expect(story.shown == [1, 5])
    for number in [0, 2, 3, 4] { story.send(Self.update(number)) }
    #expect(story.shown == [1, 4, 5, 2, 3], "group by group")
    #expect(story.browser.collection.missingHashes.isEmpty)
    #expect(story.browser.collection.grouping == .similar)
    story.keys("f")
    story.press(.control("u"))
    story.keys("-similar")
    story.press(.enter)
    #expect(story.shown == [0])
    #expect(story.browser.collection.grouping == .none && story.browser.album.order == .listed)
  }

  @Test func `that a photo has no near duplicate is certain once all hashes are known`() {
    var story = Story(names: Self.names)
    story.keys("fnot similar")
    story.press(.enter)
    for number in [0, 1, 2, 3, 4] { story.send(Self.update(number)) }
    story.wait(0.4)
    #expect(story.shown.isEmpty)
    story.send(Self.update(5))
    #expect(story.shown == [0])
  }

  @Test func `a search finds them and asks for the hashes`() {
    var story = Story(names: Self.names)
    story.keys("/similar")
    story.press(.enter)
    #expect(story.browser.collection.missingHashes.count == 6)
    for number in Self.names.indices { story.send(Self.update(number)) }
    story.wait(0.4)
    #expect(story.browser.collection.search?.matches == [1, 2, 3, 4, 5])
  }

  @Test func `a file that changes loses its hash, and a photo that comes later gets one`() {
    var story = Story(names: Self.names)
    story.keys("ga")
    for number in Self.names.indices { story.send(Self.update(number)) }
    #expect(story.shown == [1, 4, 5, 2, 3, 0])
    story.send(.filesChanged([Photo.ID(3)]))
    story.wait(6)
    #expect(story.shown == [1, 4, 5, 0, 2, 3])
    #expect(story.browser.collection.missingHashes.map(\.index) == [3])
    story.send(.found([Photo.ID(6)]))
    story.wait(6)
    #expect(story.browser.collection.missingHashes.map(\.index) == [3, 6])
    story.send(.hashesUpdated([HashUpdate(Photo.ID(6), DifferenceHash(bits: 0xFFFF_0001))]))
    story.send(Self.update(3))
    #expect(story.shown == [0, 6, 1, 4, 5, 2, 3])
  }

  @Test func `pictures of another size change no known hash`() {
    var album = Album()
    album.extend(by: [Photo.ID(0)])
    #expect(album.isNew(nil, of: Photo.ID(0)))
    album.updateHashes([HashUpdate(Photo.ID(0), DifferenceHash(bits: 0b1))])
    #expect(!album.isNew(DifferenceHash(bits: 0b1111), of: Photo.ID(0)))
    #expect(album.isNew(DifferenceHash(bits: 0b11111), of: Photo.ID(0)))
    #expect(album.isNew(nil, of: Photo.ID(0)))
  }

  @Test func `hashes that an earlier session recorded arrive with the facts`() {
    var story = Story(names: Self.names)
    story.keys("ga")
    let facts = Self.hashes.map { bits in
      var facts = PackedInfo()
      facts.setHash(bits.map { DifferenceHash(bits: $0) })
      return facts
    }
    story.send(
      .filesRead(
        Self.names.indices.map { Photo.ID($0) },
        InfoBlock(facts, hashBits: Self.hashes.map { $0 ?? 0 }, TextPools())))
    #expect(story.shown == [1, 4, 5, 2, 3, 0])
    #expect(story.browser.collection.missingFacts.isEmpty, "a hash is no fact of the file")
    #expect(story.browser.album.facts(of: Photo.ID(1)) == nil)
  }
}
