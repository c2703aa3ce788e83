import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

/// The default size of tiles: as large as all photos fit without scrolling.
struct FirstLookTests {
  private func layout(
    _ count: Int, columns: Int, rows: Int, kind: LayoutStyle.Kind = .grid, growsToFit: Bool = true,
    labels: Bool = false
  ) -> TileLayout {
    var style = LayoutStyle()
    (style.kind, style.growsToFit, style.hasLabels) = (kind, growsToFit, labels)
    var collection = PhotoCollection()
    collection.extend(by: (0..<count).map { Photo.ID($0) })
    return style.layout(
      of: GridItems(collection), isComplete: true,
      in: Viewport(cells: CellSize(columns: columns, rows: rows)))
  }

  @Test(arguments: [
    // The numbers of photos in each row, in a window of 160 by 45 cells.
    (1, [1]), (2, [2]), (3, [3]), (4, [4]), (5, [4, 1]), (8, [4, 4]), (9, [5, 4]),
    (14, [6, 6, 2]), (18, [6, 6, 6]), (19, [7, 7, 5]), (30, [8, 8, 8, 6]), (33, [8, 8, 8, 8, 1]),
  ])
  func `a few photos fill the window`(count: Int, rows: [Int]) {
    let layout = layout(count, columns: 160, rows: 46)
    let tops = (0..<count).map { layout.frame(at: $0).minY }
    #expect(Set(tops).sorted().map { top in tops.count { $0 == top } } == rows)
    #expect((layout.contentHeight <= 900) == (count < 33))
  }

  @Test(arguments: [LayoutStyle.Kind.grid, .rows], seeds(1...150))
  func `tiles are as large as fit without scrolling, and never smaller than usual`(
    kind: LayoutStyle.Kind, seed: Int
  ) {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = Int.random(in: 1...60, using: &random)
    let columns = Int.random(in: 10...300, using: &random)
    let rows = Int.random(in: 4...100, using: &random)
    let labels = Bool.random(using: &random)
    let height = Double(rows - 1) * 20

    let present = layout(count, columns: columns, rows: rows, kind: kind, labels: labels)
    let usual = layout(
      count, columns: columns, rows: rows, kind: kind, growsToFit: false, labels: labels)

    let (size, usualSize) = (present.frame(at: 0).size, usual.frame(at: 0).size)
    #expect(usual.contentHeight > height || present.contentHeight <= height)
    guard present != usual else { return }
    #expect(present.contentHeight <= height, "all is seen")
    #expect(present.scrollStep >= usual.scrollStep)
    if kind == .grid {
      #expect(size.width > usualSize.width && size.width <= Double(columns) * 10 / 3)
      guard !labels else { return }
      let center = (present.frame(at: 0).minY + present.frame(at: count - 1).maxY) / 2
      #expect(abs(center - height / 2) <= 20, "it stands in the middle")
    }
  }

  @Test func `tiles of mosaic and bento are not enlarged`() {
    for kind in [LayoutStyle.Kind.mosaic, .bento] {
      #expect(
        layout(7, columns: 160, rows: 46, kind: kind)
          == layout(7, columns: 160, rows: 46, kind: kind, growsToFit: false))
    }
  }

  // MARK: - While photos are added and removed

  /// Returns the frame of the first photo; the selected tile comes last while tiles move.
  private func drawnFrame(in story: Story) -> PixelRect? {
    story.scene.placements.first { $0.photo == Photo.ID(0) }?.frame
  }

  /// Returns a browser in which photos of an incomplete listing have been found.
  private func listing(_ count: Int) -> Story {
    var story = Story(photos: 0, columns: 160, rows: 46)
    story.browser.gallery.collection.listingNotes = nil
    story.browser.gallery.grid.isComplete = false
    story.send(.found((0..<count).map { Photo.ID($0) }))
    return story
  }

  @Test func `tiles are enlarged once the listing is complete`() {
    var story = listing(6)
    let usual = story.tile(0).size
    story.wait(1)
    story.send(.found((6..<14).map { Photo.ID($0) }))
    #expect(story.tile(0).size == usual && !story.browser.isAnimating(at: story.now))
    story.wait(1)
    let before = drawnFrame(in: story)
    story.send(.listed(ListingNotes()))
    #expect(story.tile(0).width > usual.width)
    #expect(drawnFrame(in: story) == before, "from where they are")
    story.wait(0.4)
    #expect(drawnFrame(in: story) == story.tile(0))
  }

  @Test func `a listing that ends at once never shows tiles of another size`() {
    var story = listing(14)
    story.wait(0.05)
    story.send(.listed(ListingNotes()))
    #expect(!story.browser.isAnimating(at: story.now))
    #expect(drawnFrame(in: story) == story.tile(0) && story.tile(0).width > 200)
  }

  @Test func `adding and removing photos resizes the other tiles with an animation`() {
    var story = Story(photos: 8, columns: 160, rows: 46)
    let large = story.tile(0)
    #expect(drawnFrame(in: story) == large)

    story.send(.found([Photo.ID(8)]))
    #expect(story.tile(0).width < large.width)
    #expect(drawnFrame(in: story) == large)
    story.wait(0.4)
    #expect(drawnFrame(in: story) == story.tile(0))

    story.send(.listingReplaced((0..<8).map { Photo.ID($0) }))
    #expect(story.tile(0) == large && story.browser.isAnimating(at: story.now))
    story.wait(0.4)
    #expect(story.scene.placements.count == 8 && drawnFrame(in: story) == large)
  }

  @Test func `a filter that leaves few photos enlarges them`() {
    var story = Story(names: (0..<40).map { "photo \($0).jpg" }, columns: 160, rows: 46)
    let usual = story.tile(0).width
    story.keys("f1")
    story.press(.enter)
    story.wait(1)
    #expect(story.shown.count == 13 && story.tile(0).width > usual)
    story.press(.escape)
    story.wait(1)
    #expect(story.tile(0).width == usual)
  }

  @Test func `plus and minus start from the enlarged tiles, and 0 resets them`() {
    var story = Story(photos: 14, columns: 160, rows: 46)
    let first = story.tile(0).width
    story.keys("+")
    let larger = story.tile(0).width
    story.keys("-")
    #expect(larger > first && story.tile(0).width == first)
    story.keys("-")
    let smaller = story.tile(0).width
    #expect(smaller < first && smaller > 180)
    story.send(.listingReplaced((0..<9).map { Photo.ID($0) }))
    #expect(story.tile(0).width == smaller, "a size that was chosen stays")
    story.keys("0")
    #expect(story.tile(0).width > first)
  }

  @Test func `the tile of a single photo is a third of the width, and centred`() {
    let story = Story(photos: 1, columns: 160, rows: 46)
    let tile = story.tile(0)
    #expect((500...1600.0 / 3).contains(tile.width))
    #expect(abs(tile.center.x - 800) <= 10 && abs(tile.center.y - 450) <= 10)
  }
}
