import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import SceneModel

/// A change of the renderer while the browser is in use, after a late response of the terminal.
@Suite(.traced) struct MetricsChangeTests {
  @Test func `finer samples change nothing in the scene, and a press still becomes a click`() {
    var story = Story(photos: 40)
    story.send(.key(.tab))
    story.wait(0.05)
    story.mouse(.wheel(.down), 300, 300)
    story.wait(0.02)
    story.mouse(.pressed(.left), 300, 300)
    let before = story.scene

    var finer = CellMetrics.standard
    finer.samplesPerPixel = 0.4
    story.send(.resized(CellSize(columns: 100, rows: 31), finer))

    #expect(before.isMoving)
    #expect(story.scene == before)
    // The press that had begun is still a click.
    story.mouse(.released(.left), 300, 300)
    #expect(story.browser.viewer != nil)
  }

  @Test func `when placement changes to pixels, a flying photo continues from its current frame`()
    throws
  {
    var story = Story(photos: 40)
    story.send(.key(.enter))
    story.wait(0.15)
    let before = try #require(story.out)

    var pixels = CellMetrics.standard
    pixels.placementUnit = .pixels
    story.send(.resized(CellSize(columns: 100, rows: 31), pixels))
    let after = try #require(story.out)
    story.wait(0.1)
    let later = try #require(story.out)
    story.wait(1)

    #expect(after.photo == before.photo)
    for (one, other) in [
      (before.frame.minX, after.frame.minX), (before.frame.minY, after.frame.minY),
      (before.frame.maxX, after.frame.maxX), (before.frame.maxY, after.frame.maxY),
    ] {
      #expect(abs(one - other) < 1)
    }
    // It continues, and does not start again.
    #expect(later.frame.width > after.frame.width)
    #expect(!story.browser.isAnimating(at: story.now))
  }

  @Test func `when placement changes to pixels, the selection and the open photo stay`() {
    var story = Story(photos: 40)
    story.keys("lll")
    story.send(.key(.enter))
    story.wait(1)

    var pixels = CellMetrics.standard
    pixels.placementUnit = .pixels
    story.send(.resized(CellSize(columns: 100, rows: 31), pixels))

    #expect(story.browser.selection == 3)
    #expect(story.browser.viewer?.phase == .resting)
    #expect(!story.browser.isAnimating(at: story.now))
  }

  @Test func `a key ends a notice once it could be read`() {
    var story = Story(photos: 3)
    story.send(.notice("drawn by cells"))
    story.wait(3)
    story.keys("l")
    #expect(story.bar.left == "drawn by cells", "typed before it was drawn")
    story.send(.drawn(isWhole: true))
    story.wait(0.4)
    story.keys("l")
    #expect(story.bar.left == "drawn by cells", "typed before it could be read")
    story.wait(0.2)
    story.keys("h")
    #expect(story.bar.left == "photo 1")
  }

  @Test func `a notice stays in the bar for five seconds from its first frame on`() {
    var story = Story(photos: 3)
    let facts = Bar.Facts(source: "~", name: "a.jpg", info: nil, failure: nil, loading: 0)

    story.send(.notice("drawn by cells"))
    story.wait(20)
    story.send(.drawn(isWhole: false))
    story.wait(4.9)
    let told = story.browser.bar(facts, at: story.now)
    story.wait(0.2)

    #expect(told.left == "drawn by cells")
    #expect(story.browser.bar(facts, at: story.now).left == "a.jpg")
  }
}
