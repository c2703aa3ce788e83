import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// Small sections beside each other in a row of tiles.
extension SectionStoryTests {
  /// Months of few photos, in a window of four columns: a·b·, ccc·, d·ee, f·g·, then rows of h.
  private func smallMonths(rows: Int = 24, motion: MotionSetting = .full) -> Story {
    story([1, 1, 3, 1, 2, 1, 1, 40], columns: 80, rows: rows, motion: motion)
  }

  /// The screen as text, in runs of equal rows: headings, and tiles filled with a letter for each photo.
  private func picture(_ story: Story) -> [String] {
    let metrics = story.browser.viewport.metrics
    let size = story.browser.viewport.pictureCells
    var rows = Array(
      repeating: Array(repeating: Character(" "), count: size.columns), count: size.rows)
    let scene = story.scene
    for tile in scene.placements.prefix(scene.tileCount) {
      let letter = Character(Unicode.Scalar(UInt8(97 + tile.photo.index % 26)))
      for row in rows.indices {
        let middle = (Double(row) + 0.5) * metrics.cell.height
        guard tile.frame.minY <= middle, middle < tile.frame.maxY else { continue }
        for column in metrics.columns(inside: tile.frame) { rows[row][column] = letter }
      }
    }
    for label in scene.labels + scene.captions {
      let row = Int((label.frame.minY / metrics.cell.height).rounded())
      let left = metrics.columns(inside: label.frame).lowerBound
      for (column, character) in label.text.enumerated() {
        rows[row][left + column] = character
      }
    }
    var runs: [(count: Int, row: String)] = []
    for row in rows.map({ String($0.reversed().drop { $0 == " " }.reversed()) }) {
      if runs.last?.row == row { runs[runs.count - 1].count += 1 } else { runs.append((1, row)) }
    }
    return runs.map { "\($0.count) \($0.row)" }
  }

  @Test func `months of few photos are beside each other, each under its heading`() {
    #expect(
      picture(smallMonths()) == [
        "1   January 2020 · 1 photo                February 2020 · 1 photo",
        "9   aaaaaaaaaaaaaaaaaa                    bbbbbbbbbbbbbbbbbb",
        "1 ",
        "1   March 2020 · 3 photos",
        "9   cccccccccccccccccc dddddddddddddddddd eeeeeeeeeeeeeeeeee",
        "1 ",
        "1   April 2020 · 1 photo                  May 2020 · 2 photos",
      ])
  }

  @Test func `the arrows go through months beside each other`() {
    var story = smallMonths()
    for (key, photo) in [
      (Key.right, 1), (.right, 2), (.left, 1), (.down, 4), (.down, 6), (.right, 7), (.down, 9),
      (.left, 8), (.down, 10), (.up, 8), (.up, 5), (.end, 49), (.home, 0), (.left, 0), (.up, 0),
    ] {
      story.send(.key(key))
      story.wait(0.5)
      #expect(story.current == photo, "\(key)")
      let tile = story.tile(story.browser.selection)
      #expect(tile.minY >= 20 && tile.maxY <= story.browser.viewport.pictureSize.height)
    }
  }

  @Test func `braces go from month to month in a row, and gs marks only the one`() {
    var story = smallMonths()
    for (keys, photo) in [("}", 1), ("}", 2), ("2}", 6), ("{", 5), ("l{", 5), ("3}", 9)] {
      story.keys(keys)
      story.wait(1)
      #expect(story.current == photo, "\(keys)")
    }
    story.keys("{gs")
    #expect(story.marked == [8])
  }

  @Test func `a click marks the month whose heading it meets, at the top too`() throws {
    var story = smallMonths()
    story.click(PixelPoint(x: 300, y: 10))
    #expect(story.marked == [0])
    story.wait(1)
    story.click(PixelPoint(x: 500, y: 10))
    #expect(story.marked == [0, 1] && story.browser.viewer == nil)
    story.wait(1)
    // A part of the row is above the screen; the headings are over the tiles.
    story.browser.gallery.grid.scroll.jump(to: 60)
    #expect(story.headings.map(\.frame.minY) == [0, 0])
    story.click(PixelPoint(x: 500, y: 10))
    #expect(story.marked == [0])
    story.wait(1)
    story.click(story.tile(1).center)
    #expect(story.browser.viewer != nil && story.current == 1)
  }

  @Test func `the next headings push all of those at the top out`() throws {
    var story = smallMonths()
    let next = try #require(story.browser.grid.layout.sectioned?.heading(ofSection: 2))
    for (offset, top) in [(next.minY - 100, 0.0), (next.minY - 15, -5)] {
      story.browser.gallery.grid.scroll.jump(to: offset)
      #expect(texts(story.headings) == ["January 2020 · 1 photo", "February 2020 · 1 photo"])
      #expect(story.headings.map(\.frame.minY) == [top, top])
    }
    story.browser.gallery.grid.scroll.jump(to: next.minY)
    #expect(texts(story.headings) == ["March 2020 · 3 photos"])
  }

  @Test func `a photo opens from its tile in a row of months, and closes into it`() {
    var story = smallMonths()
    story.keys("7G")
    story.wait(1)
    let tile = story.tile(6)
    #expect(tile.minX > story.tile(5).maxX + tile.width)
    story.press(.enter)
    #expect(story.out?.frame == tile)
    story.wait(1)
    story.press(.escape)
    story.wait(0.34)
    #expect(story.out.map { abs($0.frame.minX - tile.minX) < 5 } ?? true)
    story.wait(2)
    #expect(story.browser.viewer == nil && story.tile(story.browser.selection) == tile)
  }

  @Test func `a range and painted marks go from month to month in a row`() {
    var story = smallMonths()
    story.keys("4Gv")
    story.press(.down)
    story.keys("v")
    #expect(story.marked == [3, 4, 5])
    story.keys("U")
    story.browser.gallery.grid.scroll.jump(to: 0)
    story.mouse(.pressed(.right), story.tile(0).center.x, story.tile(0).center.y)
    story.mouse(.dragged(.right), story.tile(1).center.x, story.tile(1).center.y)
    story.mouse(.released(.right), story.tile(1).center.x, story.tile(1).center.y)
    #expect(story.marked == [0, 1])
  }

  @Test func `a narrower window has fewer months in a row, and the selected tile stays in sight`() {
    var story = smallMonths()
    story.keys("9G")
    story.wait(1)
    #expect(story.tile(9).minY == story.tile(8).minY)
    story.send(.resized(CellSize(columns: 40, rows: 24), .standard))
    #expect(story.current == 8 && story.tile(9).minY > story.tile(8).maxY)
    #expect(story.tile(8).maxY <= story.browser.viewport.pictureSize.height)
  }

  @Test func `a month that gets one more photo moves the next one by a column`() {
    var story = smallMonths(motion: .none)
    let before = story.tile(1)
    story.send(.found([Photo.ID(50)]))
    story.send(.filesRead([learned(50, month: 0, day: 2)]))
    story.wait(2)
    #expect(story.shown.prefix(3) == [0, 50, 1])
    #expect(story.tile(2).minY == before.minY && story.tile(2).minX > before.maxX)
  }
}
