import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// The information panel beside open photos, on a screen of 1000 by 600 of which the panel and a
/// column beside it take 410.
struct InformationRoomTests {
  static let room = PixelRect(x: 0, y: 0, width: 590, height: 600)
  static let beside = PixelRect(x: 0, y: 80, width: 590, height: 440)
  static let whole = PixelRect(x: 100, y: 0, width: 800, height: 600)

  @Test func `an open photo moves beside the panel, and back when the panel closes`() throws {
    var story = ZoomStoryTests.opened()
    #expect(story.out?.frame == Self.whole)
    story.keys("i")
    #expect(story.out?.frame == Self.whole, "it starts from where it was")
    #expect(story.browser.isAnimating(at: story.now))
    story.wait(0.175)
    let middle = try #require(story.out?.frame)
    #expect(middle.maxX > Self.beside.maxX + 50 && middle.maxX < Self.whole.maxX - 50)
    story.wait(0.3)
    #expect(story.out?.frame == Self.beside && !story.browser.isAnimating(at: story.now))
    story.keys("i")
    #expect(story.out?.frame == Self.beside)
    story.wait(0.5)
    #expect(story.out?.frame == Self.whole)
  }

  @Test func `each key and press on the way goes on without a jump`() throws {
    let keys: [Key] = [.character("i"), .character("z"), .character("?"), .escape, .enter]
    for key in keys {
      var story = ZoomStoryTests.opened()
      story.keys("i")
      story.wait(0.17)
      let before = try #require(story.browser.currentPose(at: story.now)).frame
      story.send(.key(key))
      let after = try #require(story.browser.currentPose(at: story.now)).frame
      #expect(
        abs(after.minX - before.minX) < 1e-6 && abs(after.maxX - before.maxX) < 1e-6, "\(key)")
    }
    var story = ZoomStoryTests.opened()
    story.keys("i")
    story.wait(0.17)
    let before = story.out?.frame
    story.mouse(.pressed(.left), 400, 300)
    story.wait(0.3)
    #expect(story.out?.frame == before, "it is held")
    story.mouse(.released(.left), 400, 300)
    story.wait(0.5)
    #expect(story.out?.frame == Self.beside, "a click on a moving photo lets it go on")
  }

  @Test(arguments: [MotionSetting.reduced, .none])
  func `without travel the photo is beside the panel at once`(motion: MotionSetting) {
    var story = ZoomStoryTests.opened(motion: motion)
    story.keys("i")
    #expect(story.out?.frame == Self.beside && !story.browser.isAnimating(at: story.now))
    story.keys("i")
    #expect(story.out?.frame == Self.whole && !story.browser.isAnimating(at: story.now))
  }

  @Test func `a photo opens, steps, and comes back from a drag beside the panel`() {
    var story = Story(photos: 20)
    story.keys("i")
    story.send(.key(.enter))
    story.wait(0.5)
    #expect(story.out?.frame == Self.beside)
    story.keys("n")
    #expect(story.out?.photo == Photo.ID(1) && story.out?.frame == Self.beside)
    story.mouse(.pressed(.left), 300, 300)
    story.mouse(.dragged(.left), 310, 380)
    #expect(story.out?.frame != Self.beside)
    story.wait(0.5)
    story.mouse(.released(.left), 310, 380)
    story.wait(1)
    #expect(story.out?.frame == Self.beside, "released at rest")
    story.fling(by: PixelPoint(x: 0, y: 15))
    story.wait(1)
    #expect(story.browser.viewer == nil && story.browser.inspectedPhoto == Photo.ID(1))
  }

  @Test func `a swipe shows the neighbor as far away as beside the panel`() throws {
    var story = ZoomStoryTests.opened()
    story.keys("i")
    story.wait(0.5)
    story.mouse(.pressed(.left), 500, 300)
    story.mouse(.dragged(.left), 400, 300)
    let next = try #require(story.shown(Photo.ID(1)))
    #expect(next.frame.minX == Self.room.width + 20 - 100)
    story.mouse(.dragged(.left), 200, 300)
    story.mouse(.released(.left), 200, 300)
    story.wait(1)
    #expect(story.out?.photo == Photo.ID(1) && story.out?.frame == Self.beside)
  }

  @Test func `a magnified photo keeps its middle, and what is beside the panel is decoded`() throws
  {
    var story = ZoomStoryTests.opened()
    story.keys("z")
    story.wait(0.5)
    let middle = story.seen.center
    story.keys("i")
    #expect(story.out?.frame == story.browser.viewport.pictureArea)
    story.wait(0.5)
    #expect(story.out?.frame == Self.room)
    #expect(story.seen.center.distance(to: middle) < 1e-6 && story.seen.width == 590)
    let region = try #require(story.browser.closeUpDemand?.region)
    #expect(region.needed.width < 1000)
    story.fling(by: PixelPoint(x: -100, y: 0))
    story.wait(2)
    #expect(story.seen.maxX == 4000 && story.out?.frame == Self.room)
    story.keys("i")
    story.wait(0.5)
    #expect(story.seen.maxX == 4000 && story.out?.frame == story.browser.viewport.pictureArea)
  }

  @Test func `pictures are demanded as large as they are shown`() {
    var story = ZoomStoryTests.opened()
    #expect(story.browser.demands.first?.size == PixelSize(width: 1000, height: 600))
    story.keys("i")
    #expect(story.browser.demands.first?.size == Self.room.size)
    #expect(story.browser.demands.filter { $0.mode == .fit }.allSatisfy { $0.size.width <= 590 })
  }

  @Test func `on a narrow screen the panel lies over the photo`() {
    var story = Story(photos: 3, columns: 59, rows: 31)
    story.send(.key(.enter))
    story.wait(0.5)
    let frame = story.out?.frame
    story.keys("i")
    #expect(story.out?.frame == frame && !story.browser.isAnimating(at: story.now))
    story.send(.resized(CellSize(columns: 60, rows: 31), .standard))
    #expect(story.out?.frame.maxX == 270, "60 columns less 33")
    #expect(!story.browser.isAnimating(at: story.now))
    story.send(.resized(CellSize(columns: 59, rows: 31), .standard))
    #expect(story.out?.frame == frame)
  }

  @Test(arguments: [(60, 28), (72, 28), (76, 32), (80, 36), (200, 36)])
  func `the panel is narrower where the photo would be small`(columns: Int, text: Int) {
    let viewport = Story(photos: 1, columns: columns, rows: 31).browser.viewport
    #expect(viewport.informationSize?.columns == text)
  }

  @Test func `compared photos share what the panel leaves`() {
    var story = Story(photos: 4)
    story.keys("=")
    story.wait(0.5)
    let frames = story.panes.map(\.frame)
    story.keys("i")
    story.wait(0.5)
    #expect(story.panes.count == 2 && story.panes.map(\.frame) != frames)
    #expect(story.panes.allSatisfy { $0.frame.maxX <= Self.room.maxX })
    #expect(story.scene.placements.allSatisfy { $0.frame.maxX <= Self.room.maxX })
    story.keys("i")
    story.wait(0.5)
    #expect(story.panes.map(\.frame) == frames)
  }

  @Test func `a slideshow has the whole screen, and gives the room back`() {
    var story = ZoomStoryTests.opened()
    story.keys("i")
    story.wait(0.5)
    story.keys("s")
    story.wait(0.5)
    #expect(story.out?.frame == Self.whole && story.browser.slideshow != nil)
    story.keys("x")
    story.wait(0.5)
    #expect(story.out?.frame == Self.beside && story.browser.slideshow == nil)
  }

  @Test func `lists over the panel leave the photo where it is`() {
    var story = ZoomStoryTests.opened()
    story.keys("i")
    story.wait(0.5)
    for key in ["?", ":"] {
      story.keys(key)
      #expect(story.out?.frame == Self.beside && story.browser.inspectedPhoto == nil)
      story.send(.key(.escape))
      #expect(story.browser.inspectedPhoto == Photo.ID(0))
    }
  }

  @Test func `the line of a video lies under the video`() throws {
    var story = FilmStoryTests.story()
    story.send(.key(.enter))
    story.wait(0.5)
    FilmStoryTests.deliver(0..<1500, to: &story)
    story.keys("ia")
    story.wait(0.5)
    let line = try #require(FilmStoryTests.line(in: story))
    #expect(CellText(line).width == 59)
    let captions = story.scene.captions.map(\.frame)
    #expect(captions.allSatisfy { $0.maxX <= Self.room.maxX })
    #expect(captions.last == PixelRect(x: 0, y: 560, width: 590, height: 20), "a blank row above")
  }
}
