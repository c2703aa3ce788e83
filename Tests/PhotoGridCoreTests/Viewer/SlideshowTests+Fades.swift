import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// Fades from one photo to the next.
extension SlideshowTests {
  @Test func `a fade does not begin before the next picture is ready`() throws {
    var story = Self.show()

    story.wait(60)
    #expect(Self.alone(story) == 0)
    // Nothing wakes the program meanwhile.
    #expect(story.browser.nextChange == nil && !story.browser.isAnimating(at: story.now))
    let awaited = try #require(story.browser.awaitedPictures.first)
    #expect(awaited.photo == Photo.ID(1) && story.browser.demands.contains(awaited))

    story.send(.prepared(Photo.ID(1), isShown: true))
    #expect(Self.seen(story).map(\.photo) == [0, 1] && Self.seen(story)[1].opacity == 0)
    story.wait(0.51)
    #expect(Self.alone(story) == 1)
  }

  @Test func `a slideshow that is stopped during a fade completes the fade`() {
    var story = Self.show()
    story.send(.prepared(Photo.ID(1), isShown: true))
    story.wait(5.25)
    story.send(.key(.escape))
    #expect(Self.seen(story).count == 2)
    story.wait(0.3)
    #expect(Self.alone(story) == 1)
    story.wait(60)
    #expect(Self.alone(story) == 1)
  }

  @Test func `motion none cuts, reduced motion fades, slow motion fades slowly`() {
    for (motion, seconds) in [(MotionSetting.none, 0.0), (.reduced, 0.5), (.slow, 2.5)] {
      var story = Self.show(motion: motion)
      story.wait(5)
      story.send(.prepared(Photo.ID(1), isShown: true))
      if seconds > 0 {
        #expect(Self.seen(story).map(\.photo) == [0, 1], "\(motion)")
        story.wait(seconds - 0.03)
        #expect(Self.seen(story).map(\.photo) == [0, 1], "\(motion)")
        story.wait(0.06)
      }
      #expect(Self.alone(story) == 1, "\(motion)")
    }
  }

  @Test func `the previous photo stays opaque beneath the next one, and fades beside it`()
    throws
  {
    // Photos that are wide, tall and wide.
    let wide = PixelSize(width: 4000, height: 2000)
    let high = PixelSize(width: 1000, height: 2000)
    var story = Self.show(sizes: [wide, high, wide])
    story.send(.prepared(Photo.ID(1), isShown: true))
    story.wait(5.2)

    let placements = story.scene.placements
    let next = try #require(placements.last)
    #expect(placements.map(\.photo) == [Photo.ID(0), Photo.ID(1)])
    #expect(placements[0].opacity == 1 && (0.1..<0.9).contains(next.opacity))
    #expect(
      placements[0].outside == Placement.Outside(frame: next.frame, opacity: 1 - next.opacity))
  }

  @Test func `an animation plays on while it fades out, and the next one starts after the fade`() {
    var story = Story(photos: 2)
    for number in 0..<2 {
      story.send(
        .measured(Photo.ID(number), PixelSize(width: 4000, height: 3000), frames: 80))
    }
    story.keys("s")
    let animation = DecodedFrames(
      frameCount: 80, loopCount: nil,
      durations: Dictionary(uniqueKeysWithValues: (0..<80).map { ($0, 0.1) }))
    story.send(.framesUpdated(Photo.ID(0), animation))
    for number in 0..<2 { story.send(.prepared(Photo.ID(number), isShown: true)) }

    story.wait(5.25)
    let pages = story.scene.placements.map(\.frameIndex)
    #expect(pages.count == 2 && (51...53).contains(pages[0] ?? 0) && pages[1] == nil, "\(pages)")
    #expect(story.browser.frameDemand?.picture.photo == Photo.ID(0))
    story.wait(0.3)
    #expect(story.browser.frameDemand?.picture.photo == Photo.ID(1))
  }
}
