import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

/// Motion of tiles among sections, and dates that arrive late.
extension SectionStoryTests {
  @Test func `another grouping moves each tile from its old frame, and none jumps`() {
    var story = story([7, 3, 40], grouping: "")
    for keys in ["gm", "gy", "gd", "gn"] {
      story.wait(1)
      let before = Dictionary(
        uniqueKeysWithValues: story.scene.placements.map { ($0.photo, $0.frame) })
      story.keys(keys)
      for placement in story.scene.placements {
        if let frame = before[placement.photo] { #expect(placement.frame == frame, "\(keys)") }
      }
      #expect(story.scene.isMoving)
    }
    story.wait(1)
    #expect(!story.browser.isAnimating(at: story.now) && story.headings.isEmpty)
  }

  @Test func `a photo opens from its tile below a heading, and closes into it`() throws {
    var story = story([7, 3, 40])
    story.keys("3}")
    story.wait(1)
    let tile = story.tile(story.browser.selection)
    story.press(.enter)
    #expect(story.out?.frame == tile)
    story.wait(1)
    #expect(story.scene.captions.isEmpty, "nothing lies over an open photo")
    // Dragged down and let go while it moves, it lands in its tile.
    story.mouse(.pressed(.left), 500, 200)
    for step in 1...20 {
      story.now = story.now.advanced(bySeconds: 0.016)
      story.mouse(.dragged(.left), 500, 200 + Double(step) * 10)
    }
    #expect(story.headings.count == 1)
    story.mouse(.released(.left), 500, 400)
    story.wait(8)
    #expect(story.browser.viewer == nil && story.tile(story.browser.selection) == tile)
  }

  @Test func `dates that arrive late do not move the selected tile`() {
    var story = Story(photos: 0)
    story.browser.gallery.collection.listingNotes = nil
    let count = 60
    story.send(
      .named(
        NameBatch(
          first: Photo.ID(0), folder: [], names: nameBlock((0..<count).map { "p\($0)" }))))
    story.keys("gm")
    story.send(.found((0..<count).map { Photo.ID($0) }))
    story.keys("30G")
    story.wait(1)
    let tile = story.tile(story.browser.selection)
    #expect(texts(story.headings) == ["Not read yet · 60 photos"])
    for number in 0..<count {
      story.send(.filesRead([learned(number, month: number / 10, day: number % 10 + 1)]))
      story.wait(0.05)
      #expect(story.current == 29)
      let now = story.tile(story.browser.selection)
      let limit = story.browser.grid.scrollLimit(in: story.browser.viewport)
      let offset = story.browser.grid.scroll.target
      // It scrolls by whole text rows, as far as there is content.
      #expect(abs(now.minY - tile.minY) <= 10 || offset == 0 || offset == limit)
    }
    story.send(.listed(ListingNotes()))
    story.wait(1)
    #expect(story.browser.collection.sections.count == 6)
    #expect(story.shown == Array(0..<count))
  }

  @Test func `until the first key press the first photo is selected, even if dates arrive late`() {
    var story = Story(photos: 0)
    story.browser = Browser(
      options: Browser.Options(), grouping: .month, cells: CellSize(columns: 100, rows: 31),
      metrics: .standard)
    story.send(.found((0..<60).map { Photo.ID($0) }))
    story.send(.listed(ListingNotes()))
    for number in (1..<60).reversed() {
      story.send(.filesRead([learned(number, month: number / 10)]))
      story.wait(0.1)
    }
    story.send(.filesRead([(Photo.ID(0), nil)]))
    story.wait(1)
    #expect(story.current == 1 && story.browser.grid.scroll.target == 0)
    #expect(story.shown.last == 0)
  }

  @Test func `facts take effect together, a moment after they arrive`() {
    var story = Story(photos: 0)
    story.browser.gallery.collection.listingNotes = nil
    story.keys("gm")
    story.send(.found((0..<50).map { Photo.ID($0) }))
    story.send(.filesRead([learned(0, month: 3)]))
    #expect(story.browser.collection.sections.count == 1)
    story.wait(0.31)
    #expect(story.browser.collection.sections.count == 2)
  }
}
