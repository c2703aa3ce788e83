import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

/// Ways out of the zoom and of the photo.
extension ZoomStoryTests {
  // MARK: Leaving

  @Test func `Esc leaves the zoom and then closes the photo, and Enter closes it at once`() {
    var story = Self.opened()
    story.keys("z++")
    story.wait(0.5)
    story.send(.key(.escape))
    story.wait(0.5)
    #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))
    story.send(.key(.escape))
    story.wait(0.5)
    #expect(story.browser.viewer == nil)

    story.send(.key(.enter))
    story.keys("z")
    story.wait(0.5)
    story.send(.key(.enter))
    #expect(story.browser.viewer?.isClosing == true)
    story.wait(0.5)
    #expect(story.browser.viewer == nil)
  }

  @Test func `Esc during a drag ends only the drag`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)
    story.mouse(.pressed(.left), 500, 300)
    story.mouse(.dragged(.left), 400, 300)

    story.send(.key(.escape))
    story.wait(0.5)

    #expect(story.sees(PixelRect(x: 1600, y: 1200, width: 1000, height: 600)))
  }

  @Test func `a zoomed photo closes from its current position, and shrinks all the way`() throws {
    var story = Self.opened()
    story.keys("z++")
    story.wait(0.5)
    let seen = story.seen
    let home = story.tile(0)

    story.send(.key(.enter))

    #expect(story.sees(seen))
    var widths: [Double] = []
    while story.browser.viewer != nil {
      widths.append(try #require(story.browser.currentPose(at: story.now)).frame.width)
      let out = try #require(story.out)
      #expect(out.frame.width <= 1000 && out.frame.height <= 600)
      story.wait(1.0 / 60)
    }
    #expect(widths == widths.sorted(by: >))
    // It visibly shrinks over several frames, instead of disappearing at the end.
    #expect(widths.count { $0 < 1000 && $0 > home.width * 1.1 } >= 5, "\(widths)")
  }

  @Test func `a click on a zoomed photo does nothing, and a double click fits it`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)
    let point = PixelPoint(x: 300, y: 300)

    story.click(point)
    story.wait(1)
    #expect(story.browser.percentage == 100)

    story.click(point)
    story.now = story.now.advanced(bySeconds: 0.15)
    story.click(point)
    #expect(story.browser.percentage == nil)
    #expect(story.browser.viewer?.isClosing == false)
    story.wait(1)
    story.click(point)
    #expect(story.browser.viewer?.isClosing == true)
  }

  @Test func `a double click fits a photo that is still zooming in`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)
    let point = PixelPoint(x: 300, y: 300)

    story.keys("+")
    story.wait(0.05)
    story.click(point)
    #expect(story.browser.percentage == 141)
    story.now = story.now.advanced(bySeconds: 0.1)
    story.click(point)
    #expect(story.browser.percentage == nil)
    #expect(story.browser.viewer?.isClosing == false)
  }

  @Test func `at fit drags dismiss the photo or swipe to the next, also after a zoom`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)
    story.keys("z")
    story.wait(0.5)

    story.mouse(.pressed(.left), 500, 200)
    story.mouse(.dragged(.left), 500, 300)
    #expect(story.out?.frame.width ?? 800 < 800)
    story.send(.key(.escape))
    story.wait(4)
    story.mouse(.pressed(.left), 900, 300)
    story.mouse(.dragged(.left), 500, 310)
    #expect(story.scene.placements.map(\.photo) == [Photo.ID(1), Photo.ID(0)])
  }
}
