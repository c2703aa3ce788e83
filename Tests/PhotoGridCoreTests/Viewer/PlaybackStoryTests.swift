@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import Testing

/// An animated photo among others, and the frames that it shows while the user does things to it.
@Suite(.traced) struct PlaybackStoryTests {
  static let film = Photo.ID(1)

  /// Twenty photos, of which the second is selected and has eight frames of a tenth of a second.
  static func story(motion: MotionSetting = .full) -> Story {
    var story = Story(photos: 20, motion: motion)
    story.send(.measured(film, PixelSize(width: 4000, height: 3000), frames: 8))
    story.keys("l")
    story.send(.framesUpdated(film, PlaybackTests.animation(Array(repeating: 0.1, count: 8))))
    return story
  }

  /// The visible frame of the film; nil for its own picture.
  static func frameIndex(in story: Story) -> Int? {
    story.scene.placements.first { $0.photo == film }?.frameIndex
  }

  @Test func `the selected animation plays, and only its frames wake the program`() {
    var story = Self.story()
    let start = story.now

    #expect(Self.frameIndex(in: story) == 0)
    #expect(story.browser.nextChange == start.advanced(bySeconds: 0.1))
    story.wait(0.35)
    #expect(Self.frameIndex(in: story) == 3)
    #expect(story.browser.nextChange == start.advanced(bySeconds: 0.4))
    // Playing does not count as motion: samples stay fine.
    #expect(!story.scene.isMoving && !story.browser.isAnimating(at: story.now))
  }

  @Test func `without an animation nothing plays and nothing wakes the program`() {
    var story = Story(photos: 20)

    story.keys("a.l")
    story.wait(2)

    #expect(story.browser.gallery.playback == nil)
    #expect(story.browser.frameDemand == nil)
    #expect(story.browser.nextChange == nil)
  }

  @Test func `an animation keeps time through opening, cropping, layouts and a resize`() throws {
    var story = Self.story()
    let start = story.now
    func expectInTime(_ what: Comment) {
      let expected = Int(story.now.seconds(since: start) / 0.1 + 1e-6) % 8
      #expect(Self.frameIndex(in: story) == expected, what)
    }

    for (what, key) in [
      ("open", Key.enter), ("close", .escape), ("open again", .enter), ("cover", .character("f")),
      ("fit", .character("f")), ("close again", .escape), ("whole", .character("c")),
      ("mosaic", .tab), ("bento", .tab), ("larger", .character("+")), ("labels", .character("t")),
      ("clipped", .character("c")), ("rows", .tab), ("grid", .tab),
    ] {
      story.send(.key(key))
      expectInTime("\(what), at once")
      for _ in 0..<30 {
        story.wait(0.0171)
        expectInTime("\(what)")
      }
    }
    story.send(.resized(CellSize(columns: 60, rows: 20), .standard))
    expectInTime("resized")
    story.wait(0.5)
    expectInTime("after the resize")
  }

  @Test func `frames are requested at the size of the tile, or of the screen for an open photo`()
    throws
  {
    var story = Self.story()
    let tile = try #require(story.browser.frameDemand).picture
    #expect(tile.photo == Self.film && tile.mode == .fill)
    #expect(story.browser.demands.contains(tile))

    story.send(.key(.enter))
    let screen = try #require(story.browser.frameDemand).picture
    #expect(screen.mode == .fit && screen.size.width > tile.size.width)
    #expect(story.browser.demands.contains(screen))

    story.wait(0.5)
    story.send(.key(.escape))
    #expect(story.browser.frameDemand?.picture == tile)
    #expect(story.browser.frameDemand?.frameIndex == Self.frameIndex(in: story))
  }

  @Test func `a deselected animation shows its own picture, and starts anew when selected again`() {
    var story = Self.story()
    story.wait(0.35)

    story.keys("l")
    #expect(Self.frameIndex(in: story) == nil)
    #expect(story.browser.frameDemand == nil)
    #expect(story.browser.nextChange == nil)

    story.keys("h")
    #expect(Self.frameIndex(in: story) == nil)
    #expect(story.browser.frameDemand?.frameIndex == 0)
    // It stands still until the frames arrive again.
    story.wait(1)
    #expect(Self.frameIndex(in: story) == nil)
    story.send(.framesUpdated(Self.film, PlaybackTests.animation(Array(repeating: 0.1, count: 8))))
    story.wait(0.15)
    #expect(Self.frameIndex(in: story) == 1)
  }

  @Test func `with a photo open, next plays the next animation and stops the previous one`() {
    var story = Self.story()
    story.send(.measured(Photo.ID(2), PixelSize(width: 40, height: 30), frames: 3))
    story.send(.key(.enter))
    story.wait(0.65)

    story.keys("n")
    #expect(story.browser.frameDemand?.picture.photo == Photo.ID(2))
    #expect(story.scene.placements.last?.frameIndex == nil)
    story.keys("p")
    #expect(Self.frameIndex(in: story) == nil)
  }

  @Test func `a pauses and plays, and a period steps, in the tile and on the whole screen`() {
    for opens in [false, true] {
      var story = Self.story()
      if opens { story.send(.key(.enter)) }
      story.wait(0.45)
      #expect(Self.frameIndex(in: story) == 4)

      story.keys("a")
      story.wait(1)
      #expect(Self.frameIndex(in: story) == 4)
      #expect(story.browser.nextChange == nil)
      story.keys(".")
      #expect(Self.frameIndex(in: story) == 5)
      story.keys("3.")
      #expect(Self.frameIndex(in: story) == 0)
      story.wait(1)
      #expect(Self.frameIndex(in: story) == 0)
      story.keys("a")
      story.wait(0.15)
      #expect(Self.frameIndex(in: story) == 1)
      story.keys(".")
      story.wait(1)
      #expect(Self.frameIndex(in: story) == 2)
    }
  }

  @Test(arguments: [MotionSetting.reduced, .none])
  func `with less motion an animation plays on request only`(motion: MotionSetting) {
    var story = Self.story(motion: motion)
    story.wait(1)
    #expect(Self.frameIndex(in: story) == 0)
    #expect(story.browser.nextChange == nil && story.browser.frameDemand == nil)

    story.keys("a")
    #expect(story.browser.frameDemand?.frameIndex == 0)
    story.wait(0.25)
    #expect(Self.frameIndex(in: story) == 2)
  }

  @Test func `playback waits for late frames while the photo flies`() {
    var story = Self.story()
    story.send(
      .framesUpdated(
        Self.film, PlaybackTests.animation(Array(repeating: 0.1, count: 8), without: [2, 3, 4])))
    story.send(.key(.enter))
    story.wait(0.3)
    #expect(Self.frameIndex(in: story) == 1)

    story.send(.framesUpdated(Self.film, PlaybackTests.animation(Array(repeating: 0.1, count: 8))))
    story.wait(0.12)
    #expect(Self.frameIndex(in: story) == 3)
  }

  @Test func `on a slow link the next frame waits until the last one is drawn`() {
    var story = Self.story()
    story.wait(0.05)

    story.send(.drawn(isWhole: false))
    story.wait(0.55)
    #expect(Self.frameIndex(in: story) == 0)
    #expect(story.browser.nextChange == nil)
    story.send(.drawn(isWhole: true))
    #expect(Self.frameIndex(in: story) == 0)
    #expect(story.browser.nextChange.map { $0 <= story.now } == true)
    story.send(.tick)

    #expect(Self.frameIndex(in: story) == 1)
    #expect(story.browser.nextChange == story.now.advanced(bySeconds: 0.1))
  }

  @Test func `the bar shows the number of frames, and the current frame while paused`() {
    var story = Self.story()
    var info = PhotoInfo(
      size: PixelSize(width: 4000, height: 3000), orientation: 1, format: .gif, byteCount: 1,
      modified: 0, taken: nil, isIncomplete: false, frameCount: 8)
    func bar() -> String {
      story.browser.bar(
        Bar.Facts(source: "x", name: "a.gif", info: info, failure: nil, loading: 0), at: story.now
      ).right
    }

    #expect(bar() == "2/20 · 4000×3000 · 8 frames · 1 B")
    story.wait(0.25)
    story.keys("a")
    #expect(bar() == "2/20 · 4000×3000 · frame 3 of 8 · 1 B")
    story.keys("a")
    story.send(.framesUpdated(Self.film, PlaybackTests.animation(Array(repeating: 0.1, count: 5))))
    #expect(bar() == "2/20 · 4000×3000 · 5 of 8 frames · 1 B")
    info.frameCount = 1
    #expect(bar() == "2/20 · 4000×3000 · 1 B")
  }

  @Test func `a and the period say so if there is nothing to play`() {
    var story = Self.story()
    let facts = Bar.Facts(source: "x", name: "a.jpg", info: nil, failure: nil, loading: 0)

    story.keys("la")
    #expect(story.browser.bar(facts, at: story.now).left == "Not an animation or a video")
    story.keys("h")
    story.send(.framesUpdated(Self.film, PlaybackTests.animation([0.1])))
    story.keys(".")
    #expect(story.browser.bar(facts, at: story.now).left == "Only the first frame can be shown")
  }
}
