import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

/// Groups of near duplicates: their headings, the best photo of each, and exact copies.
@Suite struct DuplicateStoryTests {
  init() { UTF8Locale.use() }

  /// Three sizes of a photo, two exact copies of another one, and a photo like no other.
  private static let photos: [(name: String, width: Double, bytes: Int, hash: UInt64)] = [
    ("small.jpg", 800, 300_000, 1), ("alone.jpg", 4000, 5_000_000, 0xFFFF),
    ("large.jpg", 4000, 4_100_000, 0b11), ("copy.jpg", 3000, 2_000_000, 0xFFFF << 40),
    ("original.jpg", 3000, 2_000_000, 0xFFFF << 40), ("middle.jpg", 2000, 900_000, 0b10),
  ]

  private static func info(_ number: Int, taken: String? = nil) -> PhotoInfo {
    let photo = photos[number]
    return PhotoInfo(
      size: PixelSize(width: photo.width, height: photo.width * 3 / 4), orientation: 1,
      format: .jpeg, byteCount: photo.bytes, modified: 0, taken: taken)
  }

  private func story() -> Story {
    var story = Story(
      names: Self.photos.map(\.name), facts: Self.photos.indices.map { Self.info($0) })
    story.keys("ga")
    story.send(
      .hashesUpdated(
        Self.photos.enumerated().map {
          HashUpdate(Photo.ID($0), DifferenceHash(bits: $1.hash))
        }))
    story.wait(1)
    return story
  }

  private func digest(_ byte: UInt8) -> ContentDigest? {
    ContentDigest([UInt8](repeating: byte, count: 32))
  }

  /// The headings on the screen, from top to bottom.
  private func headings(_ story: Story) -> [String] {
    (story.scene.captions + story.scene.labels).filter(\.isHeading)
      .sorted { ($0.frame.minY, $0.frame.minX) < ($1.frame.minY, $1.frame.minX) }
      .map { String($0.text.drop { $0 == " " }) }
  }

  private func marked(_ story: Story) -> [String] {
    story.browser.album.markedInOrder.map { Self.photos[$0.index].name }.sorted()
  }

  @Test func `each group has a heading with the room that its surplus takes`() {
    let story = story()
    #expect(story.shown == [0, 2, 5, 3, 4, 1])
    #expect(
      headings(story) == [
        "3 alike · 1.2 MB can be freed", "2 alike · 2.0 MB can be freed",
        "No near duplicates · 1",
      ])
  }

  @Test func `until a size is known, a heading says only how many are alike`() {
    var story = story()
    story.send(.filesRead([(Photo.ID(5), nil)]))
    story.send(.hashesUpdated([HashUpdate(Photo.ID(5), DifferenceHash(bits: 0b10))]))
    #expect(headings(story)[0] == "3 alike")
  }

  @Test func `files of the same size are compared, and exact copies are told from alike ones`() {
    var story = story()
    #expect(story.browser.uncomparedFiles.map(\.index) == [3, 4], "no others have one size")
    story.send(.digestsUpdated([DigestUpdate(Photo.ID(3), digest(7))]))
    #expect(story.browser.uncomparedFiles.map(\.index) == [4])
    #expect(headings(story)[1] == "2 alike · 2.0 MB can be freed")
    story.send(.digestsUpdated([DigestUpdate(Photo.ID(4), digest(7))]))
    #expect(story.browser.uncomparedFiles.isEmpty)
    #expect(headings(story)[1] == "2 exact copies · 2.0 MB can be freed")
    let copies = story.scene.placements.filter { $0.badges?.note == "COPY" }
    #expect(copies.count == 1, "on one of the two")
    // A file that changed is no copy any more.
    story.send(.filesChanged([Photo.ID(4)]))
    let hash = DifferenceHash(bits: Self.photos[4].hash)
    story.send(.hashesUpdated([HashUpdate(Photo.ID(4), hash)]))
    story.wait(6)
    #expect(headings(story)[1] == "2 alike")
    #expect(!story.scene.placements.contains { $0.badges?.note == "COPY" })
  }

  @Test func `a group of several copies and others says how many of each`() {
    let infos = [2_000_000, 2_000_000, 900_000, 2_000_000].map {
      PhotoInfo(
        size: PixelSize(width: 800, height: 600), orientation: 1, format: .jpeg, byteCount: $0,
        modified: 0, taken: nil)
    }
    var story = Story(names: ["a.jpg", "b.jpg", "c.jpg", "d.jpg"], facts: infos)
    story.keys("ga")
    story.send(
      .hashesUpdated((0..<4).map { HashUpdate(Photo.ID($0), DifferenceHash(bits: 1)) }))
    story.send(
      .digestsUpdated([0, 1, 3].map { DigestUpdate(Photo.ID($0), digest(7)) }))
    story.wait(1)
    #expect(headings(story) == ["4 alike, 2 exact copies · 4.9 MB can be freed"])
  }

  @Test func `files of the same size with other bytes, or that cannot be read, are alike`() {
    var story = story()
    story.send(
      .digestsUpdated([DigestUpdate(Photo.ID(3), digest(7)), DigestUpdate(Photo.ID(4), nil)]))
    #expect(headings(story)[1] == "2 alike · 2.0 MB can be freed")
    #expect(story.browser.uncomparedFiles.isEmpty, "they are not read again and again")
  }

  @Test func `gs marks all of a group but the largest, and takes the marks back`() {
    var story = story()
    story.keys("lgs")
    #expect(marked(story) == ["middle.jpg", "small.jpg"])
    #expect(story.bar.left == "2 of 3 marked, all except large.jpg")
    story.keys("gs")
    #expect(marked(story).isEmpty)
  }

  @Test func `of equally large photos the best rated stays, then the oldest, then the first`() {
    var story = story()
    story.keys("4Ggs")
    #expect(marked(story) == ["original.jpg"], "the first stays")
    story.keys("gs")
    for (photo, year) in [(3, 2024), (4, 2019)] {
      let info = Self.info(photo, taken: "\(year)-05-01T12:00:00")
      story.send(.filesRead([(Photo.ID(photo), info)]))
    }
    story.keys("gs")
    #expect(marked(story) == ["copy.jpg"], "the oldest stays")
    story.keys("gs")
    story.send(.ratingsUpdated([RatingUpdate(Photo.ID(3), Rating(stars: 4))]))
    story.keys("gs")
    #expect(marked(story) == ["original.jpg"], "the best rated stays")
  }

  @Test func `gs among photos that are alone marks nothing and says so`() {
    var story = story()
    story.keys("Ggs")
    #expect(marked(story).isEmpty)
    #expect(story.bar.left == "These photos have no near duplicates")
  }

  @Test func `a click on the heading of a group does the same`() {
    var story = story()
    story.click(PixelPoint(x: 300, y: 5))
    #expect(marked(story) == ["middle.jpg", "small.jpg"])
  }

  @Test func `= compares the group, also after gs, and only some if these are marked`() {
    var story = story()
    story.keys("=")
    #expect(story.browser.comparison?.panes.map(\.photo.index) == [0, 2, 5])
    story.press(.escape)
    story.wait(1)
    story.keys("gs=")
    #expect(story.browser.comparison?.panes.count == 3)
    story.press(.escape)
    story.wait(1)
    story.keys("gs=")
    #expect(story.browser.comparison?.panes.count == 3, "without marks again")
  }

  @Test func `another order or gn ends the groups, and ga shows them again`() {
    var story = story()
    story.keys("gn")
    #expect(headings(story).isEmpty && story.shown == [0, 1, 2, 3, 4, 5])
    story.keys(",n")
    #expect(story.shown == [1, 3, 2, 5, 4, 0])
    story.keys("ga")
    #expect(story.shown == [0, 2, 5, 3, 4, 1] && headings(story).count == 3)
    story.keys("gn")
    #expect(story.shown == [1, 3, 2, 5, 4, 0], "the order from before")
  }

  @Test func `after the grouping was turned off, only the user groups again`() {
    var story = story()
    story.keys("gnfsimilar")
    story.press(.enter)
    #expect(headings(story).isEmpty && story.shown == [0, 2, 3, 4, 5])
    for keys in [",n", ",d", ";;0", ";;0", "F", "R"] {
      story.keys(keys)
      story.wait(1)
      #expect(headings(story).isEmpty, "\(keys)")
    }
    story.keys("ga")
    #expect(!headings(story).isEmpty)
  }

  @Test func `the filter for near duplicates shows their groups until it ends`() {
    var story = story()
    story.keys(",nfsimilar")
    story.press(.enter)
    #expect(headings(story).count == 2 && story.shown == [0, 2, 5, 3, 4])
    story.press(.escape)
    story.wait(1)
    #expect(headings(story).isEmpty && story.shown == [1, 3, 2, 5, 4, 0])
    story.keys("gffsimilar")
    story.press(.enter)
    #expect(story.browser.collection.grouping == .folder, "the chosen groups stay")
  }

  @Test func `a group of which a filter shows one photo has nothing to spare`() {
    var story = story()
    story.keys("flarge")
    story.press(.enter)
    #expect(headings(story) == ["1 photo; similar photos are hidden"])
    story.keys("gs")
    #expect(marked(story).isEmpty)
  }

  @Test(arguments: seeds(1...30))
  func `the best of random photos is as large as any, and only others are marked`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let infos = (0..<Int.random(in: 2...40, using: &random)).map { _ -> PhotoInfo in
      var info = PhotoInfo.plain
      let width = Double(Int.random(in: 1...4, using: &random) * 100)
      info.size = PixelSize(width: width, height: 100)
      info.stamp.byteCount = Int64.random(in: 1...3, using: &random) * 1000
      return info
    }
    var story = Story(names: infos.indices.map { "\($0).jpg" }, facts: infos)
    story.keys("ga")
    story.send(
      .hashesUpdated(
        infos.indices.map {
          HashUpdate(
            Photo.ID($0), DifferenceHash(bits: UInt64.random(in: 0...3, using: &random) << 32))
        }))
    story.send(
      .digestsUpdated(
        infos.indices.map { DigestUpdate(Photo.ID($0), digest(UInt8($0 % 5))) }))
    while true {
      story.keys("gs")
      let sections = story.browser.collection.sections
      let section = sections[sections.section(ofItem: story.browser.selection)]
      if case .similar = section.key {
        let group = story.browser.items[section.range]
        let kept = group.filter { !story.browser.album.isMarked($0) }
        #expect(kept.count == 1)
        let widest = group.map { infos[$0.index].size.width }.max()
        #expect(kept.first.map { infos[$0.index].size.width } == widest)
        #expect(
          group.allSatisfy { !story.browser.album.similarity.copies.contains($0) }
            || group.count > 1)
      }
      let before = story.browser.selection
      story.keys("}")
      if story.browser.selection == before { break }
    }
  }
}
