@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import TestSupport
import Testing

/// Rows of whole photos in use.
struct RowsStoryTests {
  /// Returns a story in rows; photos have the shapes of `sizes`, and unknown ones beyond them.
  private func story(
    _ count: Int, sizes: [PixelSize] = [], motion: MotionSetting = .full
  ) -> Story {
    var story = Story(photos: count, motion: motion, size: .zero)
    story.press(.tab, .tab, .tab)
    for (number, size) in sizes.enumerated() { story.send(.measured(Photo.ID(number), size)) }
    story.wait(2)
    return story
  }

  private func photo(_ width: Double, _ height: Double) -> PixelSize {
    PixelSize(width: width, height: height)
  }

  /// The visible tiles by their photos.
  private func seen(_ story: Story) -> [Photo.ID: PixelRect] {
    Dictionary(story.scene.placements.map { ($0.photo, $0.frame) }) { $1 }
  }

  @Test func `Tab switches from bento to rows, and from rows to the grid`() {
    var story = Story(photos: 40)
    let kinds = (0..<5).map { _ in
      defer { story.press(.tab) }
      return story.browser.grid.style.kind
    }
    #expect(kinds == [.grid, .mosaic, .bento, .rows, .grid])
  }

  @Test func `every photo flies from its cropped tile to an uncropped one`() throws {
    var story = Story(photos: 40)
    story.press(.backTab)
    #expect(story.browser.grid.style.kind == .rows)
    story.wait(0.35)
    #expect(!story.browser.isAnimating(at: story.now))

    for placement in story.scene.placements {
      #expect(placement.frame == story.tile(placement.photo.index))
      #expect(placement.crop.width > 0.95 && placement.crop.height > 0.95, "nothing is clipped")
    }
    let before = seen(story)
    story.press(.tab)
    for (photo, frame) in seen(story) {
      guard let old = before[photo] else { continue }
      #expect(abs(frame.minX - old.minX) < 1e-6 && abs(frame.maxY - old.maxY) < 1e-6)
    }
    story.wait(0.35)
    #expect(story.scene.placements.first?.crop.width == 0.75, "the grid clips them again")
  }

  @Test func `c in rows says that they show whole photos, and the grid stays cropped`() {
    var story = story(40, sizes: Array(repeating: photo(3, 2), count: 40))
    story.keys("c")
    #expect(story.browser.bar(story.facts, at: story.now).left == "Rows always show whole photos")
    #expect(!story.browser.isAnimating(at: story.now))
    #expect(story.browser.grid.contentMode == .fill)
  }

  @Test func `a panorama and a strip are shown whole inside their tiles`() throws {
    let story = story(9, sizes: [photo(3, 2), photo(20_000, 100), photo(10, 1000), photo(3, 2)])
    for number in [1, 2] {
      let placement = try #require(story.scene.placements.first { $0.photo == Photo.ID(number) })
      let tile = story.tile(number)
      #expect(placement.frame.minX >= tile.minX && placement.frame.maxX <= tile.maxX)
      #expect(placement.frame.minY >= tile.minY && placement.frame.maxY <= tile.maxY)
      #expect(placement.frame.width == tile.width || placement.frame.height == tile.height)
    }
  }

  @Test func `shapes that become known move the tiles once, from their current frames`() throws {
    var story = story(60)
    let before = story.browser.grid.layout
    for number in 0..<6 {
      story.send(.measured(Photo.ID(number), photo(2, 3)))
      story.send(.filesRead([(Photo.ID(number + 6), .made(2000, 3000))]))
    }
    #expect(story.browser.grid.layout == before, "not one by one")
    let due = try #require(story.browser.nextChange)
    #expect(due.seconds(since: story.now) <= 0.1)
    let old = seen(story)
    story.now = due
    story.send(.tick)
    #expect(story.browser.grid.layout != before && story.browser.isAnimating(at: story.now))
    for (photo, frame) in seen(story) {
      guard let old = old[photo] else { continue }
      #expect(abs(frame.minX - old.minX) < 1e-6 && abs(frame.maxY - old.maxY) < 1e-6, "it jumps")
    }
    story.wait(0.4)
    #expect(seen(story)[Photo.ID(3)] == story.tile(3))
    #expect(story.tile(0).size.aspectRatio < 1)
  }

  @Test(arguments: seeds(1...20))
  func `shapes above the screen move nothing on it`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var story = story(3000)
    story.keys("1500G")
    story.wait(1)
    let before = seen(story)
    for _ in 0..<200 {
      story.send(
        .measured(
          Photo.ID(Int.random(in: 0..<1200, using: &random)),
          photo(Double.random(in: 0.3...4, using: &random), 1)))
    }
    story.wait(0.2)
    story.wait(0.5)
    let after = seen(story)
    let row = story.browser.viewport.metrics.cell.height
    #expect(story.current == 1499)
    for (photo, frame) in after {
      let old = try #require(before[photo])
      #expect(frame.minX == old.minX && frame.size == old.size)
      #expect(abs(frame.minY - old.minY) <= row)
    }
  }

  @Test func `a photo opens from its row and closes into it`() throws {
    var story = story(40, sizes: (0..<40).map { photo(Double($0 % 3 + 1), 2) })
    story.keys("ll")
    story.wait(1)
    let tile = story.tile(2)
    story.press(.enter)
    #expect(story.out?.frame == tile)
    story.wait(1)
    story.mouse(.pressed(.left), 500, 100)
    story.mouse(.dragged(.left), 500, 130)
    story.mouse(.dragged(.left), 500, 500)
    story.wait(0.02)
    story.mouse(.released(.left), 500, 560)
    story.wait(3)
    #expect(story.browser.viewer == nil)
    let placement = try #require(story.scene.placements.first { $0.photo == Photo.ID(2) })
    #expect(placement.frame == tile)
  }

  @Test func `the arrows select the nearest tile above and below`() {
    var story = story(8, sizes: (0..<8).map { _ in photo(2, 1) })
    // 0 1 2 above 3 4 5 above 6 7
    let rows = Set((0..<8).map { story.tile($0).minY }).count
    #expect(rows == 3)
    story.keys("lj")
    #expect(story.browser.selection == 4)
    story.keys("k")
    #expect(story.browser.selection == 1)
    story.keys("ljj")
    #expect(story.browser.selection == 7)
  }

  @Test func `a rotated photo gets a tile of its new shape`() {
    var story = story(40, sizes: Array(repeating: photo(3, 2), count: 40))
    story.press(.enter)
    story.wait(1)
    story.keys(">")
    story.wait(1)
    story.press(.escape)
    story.wait(1)
    #expect(story.tile(0).size.aspectRatio < 1)
    #expect(seen(story)[Photo.ID(0)] == story.tile(0))
  }

  @Test func `photos that are found later continue the rows`() {
    var story = story(10)
    story.send(.found((10..<500).map { Photo.ID($0) }))
    for number in 0..<500 {
      story.send(.measured(Photo.ID(number), photo(Double(number % 5 + 1), 3)))
    }
    story.wait(1)
    let whole = story.browser.grid.layout
    story.send(.resized(CellSize(columns: 90, rows: 31), .standard))
    story.send(.resized(CellSize(columns: 100, rows: 31), .standard))
    #expect(story.browser.grid.layout == whole)
  }
}
