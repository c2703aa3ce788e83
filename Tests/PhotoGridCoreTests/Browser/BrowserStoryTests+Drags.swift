@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import Testing

/// An open photo that is pressed, dragged and released.
extension BrowserStoryTests {
  @Test
  func `a photo dragged down follows the pointer, shrinks, and closes when released in motion`()
    throws
  {
    var story = Story(photos: 20)
    story.send(.key(.enter))
    story.wait(0.5)

    story.mouse(.pressed(.left), 500, 200)
    for step in 1...20 {
      story.now = story.now.advanced(bySeconds: 0.016)
      story.mouse(.dragged(.left), 500 + Double(step) * 2, 200 + Double(step) * 10)
    }

    let dragged = try #require(story.out)
    #expect(abs(dragged.frame.width - 800 * 0.8) < 1e-9)
    #expect(abs(dragged.frame.center.x - 540) < 1e-9)
    #expect(abs(dragged.frame.center.y - 500) < 1e-9)
    #expect(abs((story.scene.placements.first?.opacity ?? 0) - 0.26) < 1e-9)

    story.mouse(.released(.left), 540, 400)
    #expect(story.browser.viewer?.isClosing == true)
    story.wait(4)
    #expect(story.browser.viewer == nil)
  }

  @Test func `a photo released at rest springs back to the whole screen`() {
    var story = Story(photos: 20)
    story.send(.key(.enter))
    story.wait(0.5)
    story.mouse(.pressed(.left), 500, 200)
    story.mouse(.dragged(.left), 500, 400)
    story.now = story.now.advanced(bySeconds: 0.3)

    story.mouse(.released(.left), 500, 400)

    #expect(story.browser.viewer?.isClosing == false)
    story.wait(4)
    #expect(story.browser.viewer?.phase == .resting)
  }

  @Test func `a press stops a flying photo, and a release without a drag lets it continue`() throws
  {
    var story = Story(photos: 20)
    story.send(.key(.enter))
    story.wait(0.2)
    let held = try #require(story.out).frame

    story.mouse(.pressed(.left), 500, 300)
    story.wait(1)
    #expect(story.out?.frame == held)

    story.mouse(.released(.left), 500, 300)
    #expect(story.out?.frame == held)
    story.wait(0.4)
    #expect(story.browser.viewer?.phase == .resting)
  }

  @Test func `a long sideways drag shows the next photo, and a short one slides back`() {
    var story = Story(photos: 3)
    story.send(.key(.enter))
    story.wait(0.5)

    story.mouse(.pressed(.left), 900, 300)
    story.mouse(.dragged(.left), 500, 310)
    #expect(story.scene.placements.map(\.photo) == [Photo.ID(1), Photo.ID(0)])
    story.now = story.now.advanced(bySeconds: 0.3)
    story.mouse(.released(.left), 500, 310)
    #expect(story.browser.selection == 1)
    story.wait(4)
    #expect(story.browser.viewer?.phase == .resting)

    story.mouse(.pressed(.left), 500, 300)
    story.mouse(.dragged(.left), 440, 310)
    story.now = story.now.advanced(bySeconds: 0.3)
    story.mouse(.released(.left), 440, 310)
    #expect(story.browser.selection == 1)
  }

  @Test func `a drag without a release ends five seconds after the focus is lost`() {
    var story = Story(photos: 20)
    story.send(.key(.enter))
    story.wait(0.5)
    story.mouse(.pressed(.left), 500, 200)
    story.mouse(.dragged(.left), 500, 400)
    story.send(.focusLost)

    #expect(story.browser.nextChange == story.now.advanced(bySeconds: 5))
    story.wait(5.1)
    #expect(story.browser.viewer?.isClosing == false)
    #expect(!story.browser.isPointerDown)
  }

  // MARK: - Rest

  /// The times after which nothing moves any more, of a throw, a release and a swipe.
  @Test(arguments: [(10.0, 60.0), (10, 300), (-8, -90), (400, 20), (-400, 20), (90, 10)])
  func `a thrown or released photo and a swipe are at rest within 0.6 s`(x: Double, y: Double) {
    for seconds in [0.05, 0.2] {
      var story = Story(photos: 60)
      story.keys("lljj")
      story.wait(0.5)
      story.send(.key(.enter))
      story.wait(0.5)
      story.mouse(.pressed(.left), 500, 250)
      for step in 1...5 {
        story.now = story.now.advanced(bySeconds: seconds / 5)
        let share = Double(step) / 5
        story.mouse(.dragged(.left), 500 + x * share, 250 + y * share)
      }
      story.mouse(.released(.left), 500 + x, 250 + y)
      #expect(story.browser.isAnimating(at: story.now))
      story.wait(0.6)
      #expect(!story.browser.isAnimating(at: story.now), "\(x), \(y) in \(seconds) s")
      #expect(story.scene.placements.allSatisfy { $0.opacity == 1 })
    }
  }

  @Test func `a throw down right after a swipe is taken, and the neighbor leaves`() throws {
    for pause in [0.1, 0.2, 0.3, 0.45] {
      var story = Story(photos: 20)
      story.send(.key(.enter))
      story.wait(0.5)
      story.mouse(.pressed(.left), 900, 300)
      story.mouse(.dragged(.left), 500, 310)
      story.wait(0.2)
      story.mouse(.released(.left), 500, 310)
      story.wait(pause)
      #expect(story.browser.viewerIndex == 1)
      let before = story.scene.placements

      story.mouse(.pressed(.left), 500, 200)
      if pause < 0.4 {
        #expect(story.scene.placements == before, "a press stops everything where it is")
      }
      for step in 1...6 {
        story.now = story.now.advanced(bySeconds: 0.016)
        story.mouse(.dragged(.left), 500, 200 + Double(step) * 25)
      }
      let out = try #require(story.out)
      #expect(out.frame.width < 800, "the drag shrinks it")
      story.mouse(.released(.left), 500, 350)

      #expect(story.browser.viewer?.isClosing == true, "after \(pause) s")
      story.wait(0.6)
      #expect(story.browser.viewer == nil && !story.browser.isAnimating(at: story.now))
    }
  }

  @Test func `a click during a swipe's end lets it continue, and changes nothing else`() {
    var story = Story(photos: 20)
    story.send(.key(.enter))
    story.wait(0.5)
    story.mouse(.pressed(.left), 900, 300)
    story.mouse(.dragged(.left), 500, 310)
    story.wait(0.2)
    story.mouse(.released(.left), 500, 310)
    story.wait(0.1)
    story.click(PixelPoint(x: 500, y: 300))
    #expect(story.browser.viewer?.isClosing == false)
    story.wait(0.2)
    #expect(story.browser.viewer?.phase == .resting && story.browser.viewerIndex == 1)
  }
}
