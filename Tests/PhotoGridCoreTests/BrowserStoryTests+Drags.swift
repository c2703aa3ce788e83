import Testing

@testable import PhotoGridCore

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
}
