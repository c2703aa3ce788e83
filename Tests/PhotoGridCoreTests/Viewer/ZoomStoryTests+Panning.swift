@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import Testing

/// Panning of a zoomed photo by keys and by drags.
extension ZoomStoryTests {
  // MARK: Panning

  @Test func `keys pan by a fifth of the screen, capitals to the edges, and none beyond them`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)
    let steps: [(String, Double, Double)] = [
      ("l", 1700, 1200), ("2j", 1700, 1440), ("h", 1500, 1440), ("k", 1500, 1320),
      ("L", 3000, 1320), ("l", 3000, 1320), ("J", 3000, 2400), ("j", 3000, 2400),
      ("H", 0, 2400), ("h", 0, 2400), ("K", 0, 0), ("k", 0, 0), ("l", 200, 0),
    ]

    for (keys, x, y) in steps {
      story.keys(keys)
      story.wait(0.5)
      #expect(story.sees(PixelRect(x: x, y: y, width: 1000, height: 600)), "\(keys): \(story.seen)")
      #expect(story.browser.selection == 0)
    }
  }

  @Test func `a photo does not move along an axis on which all of it is visible`() {
    var story = Self.opened(size: PixelSize(width: 4000, height: 300))
    story.keys("=")
    story.wait(0.5)

    story.keys("jjJ")
    story.wait(0.5)
    #expect(story.out?.frame == PixelRect(x: 0, y: 150, width: 1000, height: 300))
    story.mouse(.pressed(.left), 500, 300)
    story.mouse(.dragged(.left), 450, 500)
    #expect(story.out?.frame == PixelRect(x: 0, y: 150, width: 1000, height: 300))
    #expect(story.sees(PixelRect(x: 1550, y: 0, width: 1000, height: 300)))
  }

  @Test func `h and l are previous and next at fit, n and BackSpace at any scale`() {
    var story = Self.opened()
    story.keys("ll")
    #expect(story.browser.selection == 2)
    story.keys("h")
    #expect(story.browser.selection == 1)
    story.keys("zlln")
    #expect(story.browser.selection == 2)
    story.send(.key(.backspace))
    #expect(story.browser.selection == 1)
  }

  @Test func `a drag of at least twenty points pans a zoomed photo up to its edges`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)

    story.mouse(.pressed(.left), 500, 300)
    story.mouse(.dragged(.left), 512, 312)
    #expect(story.sees(PixelRect(x: 1500, y: 1200, width: 1000, height: 600)))
    story.mouse(.dragged(.left), 400, 350)
    #expect(story.sees(PixelRect(x: 1600, y: 1150, width: 1000, height: 600)))
    story.mouse(.dragged(.left), 5000, -5000)
    #expect(story.sees(PixelRect(x: 0, y: 2400, width: 1000, height: 600)))
    story.now = story.now.advanced(bySeconds: 0.3)
    story.mouse(.released(.left), 5000, -5000)
    story.wait(0.5)
    #expect(story.sees(PixelRect(x: 0, y: 2400, width: 1000, height: 600)))
    #expect(story.browser.viewer?.phase == .resting)
  }

  @Test func `a photo released in motion glides on at the same speed and slows down`() throws {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)

    story.fling(by: PixelPoint(x: -10, y: -5))

    var places = [story.seen.minX]
    for _ in 0..<30 {
      story.wait(0.016)
      places.append(story.seen.minX)
    }
    let steps = zip(places.dropFirst(), places).map { $0 - $1 }
    // 500 pixels a second at first.
    #expect(abs(steps[0] - 8) < 0.3, "\(steps)")
    #expect(zip(steps.dropFirst(), steps).allSatisfy { $0 <= $1 + 1e-9 }, "\(steps)")
    story.wait(3)
    #expect(story.browser.viewer?.phase == .resting)
    #expect(abs(story.seen.minX - (1700 + 500 * Timing.glideSeconds)) < 1)
  }

  @Test func `a glide stops at the edge, and continues along it`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)
    story.keys("L")
    story.wait(0.5)

    story.fling(by: PixelPoint(x: -10, y: -10))

    for _ in 0..<20 {
      #expect(abs(story.seen.minX - 3000) < 1e-6)
      story.wait(0.016)
    }
    #expect(story.seen.minY > 1500)
    story.wait(3)
    #expect(story.sees(PixelRect(x: 3000, y: story.seen.minY, width: 1000, height: 600)))
  }

  @Test func `a press stops a glide, and a drag continues from there without a jump`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)
    story.fling(by: PixelPoint(x: -10, y: 0))
    story.wait(0.1)
    let held = story.seen

    story.mouse(.pressed(.left), 500, 300)
    story.wait(0.3)
    #expect(story.seen == held)
    story.mouse(.dragged(.left), 540, 300)
    #expect(story.sees(PixelRect(x: held.minX - 40, y: held.minY, width: 1000, height: 600)))
  }

  @Test func `a photo caught in the middle of a zoom keeps its current size`() throws {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.2)
    let held = story.seen

    story.mouse(.pressed(.left), 500, 300)
    story.mouse(.dragged(.left), 500, 340)
    #expect(abs(story.seen.width - held.width) < 1e-6)
    #expect(story.seen.minY < held.minY)
    story.now = story.now.advanced(bySeconds: 0.3)
    story.mouse(.released(.left), 500, 340)
    story.wait(1)
    #expect(abs(story.seen.width - held.width) < 1e-6)
    #expect(story.browser.percentage != 100)
  }

  @Test func `a photo caught at the very end of a zoom still reaches its target size`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.33)
    #expect(story.seen.width > 1000.1 && story.seen.width < 1030, "\(story.seen)")

    story.mouse(.pressed(.left), 500, 300)
    story.mouse(.dragged(.left), 500, 340)
    story.now = story.now.advanced(bySeconds: 0.3)
    story.mouse(.released(.left), 500, 340)
    story.wait(0.5)

    #expect(abs(story.seen.width - 1000) < 1e-6)
    #expect(story.browser.viewer?.view.scale == Magnification.actualSize)
  }

  @Test func `a drag without a release leaves the photo where it is`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)
    story.mouse(.pressed(.left), 500, 300)
    story.mouse(.dragged(.left), 400, 300)

    story.mouse(.moved, 100, 100)
    story.wait(1)

    #expect(story.sees(PixelRect(x: 1600, y: 1200, width: 1000, height: 600)))
    #expect(!story.browser.isPointerDown)
  }
}
