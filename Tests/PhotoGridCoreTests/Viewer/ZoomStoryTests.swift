@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import Testing

/// Zooming into a photo of 4000 by 3000 on a screen of 1000 by 600, where it fits at 20 %.
@Suite(.traced) struct ZoomStoryTests {
  /// A story with the first photo on the screen, at rest.
  static func opened(
    _ photos: Int = 20, size: PixelSize = PixelSize(width: 4000, height: 3000),
    motion: MotionSetting = .full
  ) -> Story {
    var story = Story(photos: photos, motion: motion, size: size)
    story.send(.key(.enter))
    story.wait(0.5)
    return story
  }

  // MARK: Scale

  @Test func `z shows the photo at 100 %, and z again fits it`() throws {
    var story = Self.opened()

    story.keys("z")
    story.wait(0.5)

    let out = try #require(story.out)
    #expect(out.frame == story.browser.viewport.pictureArea)
    #expect(story.seen == PixelRect(x: 1500, y: 1200, width: 1000, height: 600))
    #expect(!story.browser.isAnimating(at: story.now))
    story.keys("z")
    story.wait(0.5)
    #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))
    #expect(story.out?.crop == .unit)
  }

  @Test func `w fits the width, f fills, 0 fits, = is 100 %`() {
    var story = Self.opened(size: PixelSize(width: 1500, height: 3000))
    let steps: [(String, PixelRect)] = [
      ("w", PixelRect(x: 0, y: 1050, width: 1500, height: 900)),
      ("=", PixelRect(x: 250, y: 1200, width: 1000, height: 600)),
      ("=", PixelRect(x: 250, y: 1200, width: 1000, height: 600)),
      ("f", PixelRect(x: 0, y: 1050, width: 1500, height: 900)),
      ("0", PixelRect(x: 0, y: 0, width: 1500, height: 3000)),
    ]

    for (key, seen) in steps {
      story.keys(key)
      story.wait(0.5)
      #expect(story.sees(seen), "after \(key): \(story.seen)")
    }
    #expect(story.out?.frame == PixelRect(x: 350, y: 0, width: 300, height: 600))
  }

  @Test func `zoom steps stop at fit and at 100 %, and end at 3200 % and at fit`() {
    var story = Self.opened()
    var percentages: [Int?] = []

    for _ in 0..<16 {
      story.keys("+")
      percentages.append(story.browser.percentage)
    }

    #expect(
      percentages == [
        28, 40, 57, 80, 100, 141, 200, 283, 400, 566, 800, 1131, 1600, 2263, 3200, 3200,
      ])
    story.keys("30-")
    #expect(story.browser.percentage == nil)
    #expect(story.browser.viewer?.view.scale == .fit)
  }

  @Test func `a small photo is enlarged to fit, and can be reduced to 100 %`() {
    var story = Self.opened(size: PixelSize(width: 40, height: 30))
    #expect(story.browser.percentage == 2000 && story.bar.right.contains("2000%"))
    #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))

    story.keys("z")
    story.wait(0.5)
    #expect(story.out?.frame == PixelRect(x: 480, y: 285, width: 40, height: 30))
    #expect(story.browser.percentage == 100)
    story.keys("-")
    #expect(story.browser.percentage == 100)
    // All of it is visible, so there is nothing to pan.
    story.keys("l")
    #expect(story.browser.selection == 1)
  }

  @Test func `z on a photo of unknown size takes effect once its size is known`() {
    var story = Self.opened(size: .zero)
    story.keys("z++")
    #expect(story.out?.frame.size == PixelSize(width: 600, height: 600))
    #expect(story.browser.percentage == nil)

    story.send(.measured(Photo.ID(0), PixelSize(width: 4000, height: 3000)))
    story.wait(0.5)

    #expect(story.sees(PixelRect(x: 1500, y: 1200, width: 1000, height: 600)))
  }

  @Test func `the bar shows the scale, except at fit`() {
    var story = Self.opened()
    let facts = Bar.Facts(source: "x", name: "a.jpg", info: nil, failure: nil, loading: 0)
    #expect(story.browser.bar(facts, at: story.now).right == "1/20")

    story.keys("z")
    #expect(story.browser.bar(facts, at: story.now).right == "1/20 · 100%")
    story.send(.key(.escape))
    story.send(.key(.escape))
    #expect(story.browser.bar(facts, at: story.now).right == "1/20")
  }

  @Test func `the next photo keeps the scale if it is 100 % or fill, and fits after a zoom step`() {
    var story = Self.opened()
    story.keys("zlll")
    story.keys("n")
    #expect(story.sees(PixelRect(x: 2100, y: 1200, width: 1000, height: 600)))
    #expect(!story.browser.isAnimating(at: story.now))
    story.keys("fn")
    #expect(story.browser.viewer?.view.scale == .fill)
    story.keys("+n")
    #expect(story.browser.viewer?.view == Magnification())
  }

  @Test func `a resize keeps the centre and the scale`() {
    var story = Self.opened()
    story.keys("zlj")
    story.wait(0.5)
    #expect(story.sees(PixelRect(x: 1700, y: 1320, width: 1000, height: 600)))

    story.send(.resized(CellSize(columns: 50, rows: 16), .standard))
    #expect(story.sees(PixelRect(x: 1950, y: 1470, width: 500, height: 300)))

    story.send(.resized(CellSize(columns: 500, rows: 151), .standard))
    #expect(story.out?.frame == PixelRect(x: 500, y: 0, width: 4000, height: 3000))
  }

  // MARK: Rotating

  @Test func `a rotated photo has its sides swapped, on the screen and in its tile`() {
    var story = Self.opened()

    story.keys(">")
    story.wait(0.5)
    #expect(story.out?.frame == PixelRect(x: 270, y: 0, width: 450, height: 600))
    #expect(story.browser.orientation(of: Photo.ID(0)) == .quarterTurn)
    story.send(.key(.enter))
    story.wait(0.5)
    #expect(story.scene.placements[0].crop.width == 1)
    #expect(story.scene.placements[0].crop.height < 1)
    #expect(story.scene.placements[1].crop.width < 1)
    story.send(.key(.enter))
    story.wait(0.5)
    story.keys("<")
    story.wait(0.5)
    #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))
    #expect(story.browser.gallery.collection.rotations.isEmpty)
  }

  @Test func `rotating and flipping keep the centre of the view`() {
    var story = Self.opened()
    story.keys("zlljj")
    story.wait(0.5)
    #expect(story.sees(PixelRect(x: 1900, y: 1440, width: 1000, height: 600)))

    // The center is at 2400, 1740; after a turn to the right it is 3000 - 1740 from the left.
    story.keys(">")
    story.wait(0.5)
    #expect(story.sees(PixelRect(x: 760, y: 2100, width: 1000, height: 600)), "\(story.seen)")
    story.keys("|")
    story.wait(0.5)
    #expect(story.sees(PixelRect(x: 1240, y: 2100, width: 1000, height: 600)), "\(story.seen)")
    story.keys("_3>")
    story.wait(0.5)
    #expect(
      story.browser.gallery.collection.rotations == [
        Photo.ID(0): Orientation(number: 3).followed(by: .upright)
      ])
  }

  @Test func `rotating a photo animates its change of shape`() throws {
    var story = Self.opened()
    story.keys(">")
    #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))
    story.wait(0.175)
    let middle = try #require(story.out).frame
    #expect(abs(middle.width - 625) < 5 && abs(middle.height - 600) < 1e-6)
  }
}
