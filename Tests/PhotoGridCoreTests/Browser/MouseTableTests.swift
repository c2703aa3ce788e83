@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import Testing

/// The effects of the mouse in the grid, in a photo and on panels, with a test for each gesture.
@Suite(.traced) struct MouseTableTests {
  // MARK: - In the grid

  @Test func `in the grid a click opens a photo`() {
    var story = Story(photos: 20)
    story.click(story.tile(3).center)
    #expect(story.browser.viewerIndex == 3)
  }

  @Test func `in the grid Ctrl-click marks a photo, and a second one unmarks it`() {
    var story = Story(photos: 20)
    story.click(story.tile(3).center, .control)
    #expect(story.marked == [3])
    story.wait(0.5)
    story.click(story.tile(3).center, .control)
    #expect(story.marked == [] && story.browser.viewer == nil)
  }

  @Test func `in the grid Alt-click marks all photos up to the one under the pointer`() {
    var story = Story(photos: 20)
    story.click(story.tile(2).center, .control)
    story.click(story.tile(6).center, .alt)
    #expect(story.marked == [2, 3, 4, 5, 6])
  }

  @Test func `in the grid a drag with the right button paints marks`() {
    var story = Story(photos: 20)
    let (first, last) = (story.tile(1).center, story.tile(3).center)
    story.mouse(.pressed(.right), first.x, first.y)
    story.mouse(.dragged(.right), last.x, last.y)
    story.mouse(.released(.right), last.x, last.y)
    #expect(story.marked == [1, 2, 3])
  }

  @Test func `in the grid the wheel scrolls by one row of tiles`() {
    var story = Story(photos: 200)
    let pitch = story.tile(12).minY - story.tile(6).minY
    // A row of tiles may end within a cell; two rows do not.
    for _ in 0..<2 { story.mouse(.wheel(.down), 300, 300) }
    #expect(story.browser.grid.scroll.target == 2 * pitch)
  }

  @Test func `in the grid the wheel moves the selection only to keep it visible`() {
    var story = Story(photos: 200)
    story.keys("jj")
    let selected = story.current
    story.mouse(.wheel(.down), 300, 300)
    #expect(story.current == selected)
    for _ in 0..<4 { story.mouse(.wheel(.down), 300, 300) }
    #expect(story.current != selected)
  }

  @Test func `in the grid Ctrl and the wheel change the size of the tiles`() {
    var story = Story(photos: 20)
    let before = story.tile(0).width
    story.mouse(.wheel(.up), 300, 300, .control)
    #expect(story.tile(0).width > before)
    story.mouse(.wheel(.down), 300, 300, .control)
    #expect(story.tile(0).width == before)
  }

  // MARK: - An open photo at fit

  @Test func `at fit a drag down closes the photo`() {
    var story = Self.opened()
    story.drag(from: PixelPoint(x: 500, y: 200), by: PixelPoint(x: 0, y: 300))
    story.wait(4)
    #expect(story.browser.viewer == nil)
  }

  @Test(arguments: [-400.0, 400.0])
  func `at fit a sideways drag shows the next or previous photo`(way: Double) {
    var story = Self.opened()
    story.drag(from: PixelPoint(x: 500, y: 200), by: PixelPoint(x: way, y: 0))
    story.wait(2)
    #expect(story.browser.viewerIndex == (way < 0 ? 6 : 4))
  }

  @Test func `at fit a click closes the photo`() {
    var story = Self.opened()
    story.click(PixelPoint(x: 500, y: 200))
    story.wait(1)
    #expect(story.browser.viewer == nil)
  }

  @Test func `at fit the wheel zooms at the pointer`() throws {
    var story = Self.opened()
    let pointer = PixelPoint(x: 300, y: 200)
    let before = try #require(story.place(under: pointer))
    for _ in 0..<4 { story.mouse(.wheel(.up), pointer.x, pointer.y) }
    story.wait(1)
    let after = try #require(story.place(under: pointer))
    #expect(story.browser.percentage != nil)
    #expect(before.distance(to: after) < 0.002)
  }

  // MARK: - An open photo, zoomed

  @Test func `a drag pans a zoomed photo`() throws {
    var story = Self.opened()
    story.keys("z")
    story.wait(1)
    let pointer = PixelPoint(x: 500, y: 300)
    let before = try #require(story.place(under: pointer))
    story.mouse(.pressed(.left), pointer.x, pointer.y)
    story.mouse(.dragged(.left), pointer.x - 100, pointer.y - 50)
    let after = try #require(story.place(under: PixelPoint(x: 400, y: 250)))
    #expect(story.browser.viewerIndex == 5)
    #expect(before.distance(to: after) < 0.002)
  }

  @Test func `a double click fits a zoomed photo`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(1)
    for _ in 0..<2 { story.click(PixelPoint(x: 500, y: 300)) }
    #expect(story.browser.percentage == nil && story.browser.viewer?.isClosing == false)
  }

  @Test func `more quick clicks neither close the photo that one opened nor one that two fitted`() {
    var story = Story(photos: 20)
    func click(at point: PixelPoint) {
      for _ in 0..<5 {
        story.click(point)
        story.wait(0.25)
      }
    }
    click(at: story.tile(5).center)
    #expect(story.browser.viewer?.phase == .resting)
    story.keys("z")
    story.wait(1)
    #expect(story.browser.percentage == 100)
    click(at: PixelPoint(x: 500, y: 300))
    #expect(story.browser.viewer?.phase == .resting && story.browser.percentage == nil)
  }

  @Test func `a single click on a zoomed photo does nothing`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(1)
    let before = story.scene
    story.click(PixelPoint(x: 500, y: 300))
    story.wait(1)
    #expect(story.scene == before)
  }

  // MARK: - The bar and panels

  @Test func `a click on the bar does nothing`() {
    // The tiles go on behind the bar.
    var story = Story(photos: 200)
    let bar = PixelPoint(x: 300, y: 610)
    #expect((0..<200).contains { story.tile($0).contains(bar) })
    for modifiers: MouseEvent.Modifiers in [[], .control, .alt] {
      story.click(bar, modifiers)
      story.wait(1)
    }
    story.mouse(.pressed(.right), bar.x, bar.y)
    #expect(story.browser.viewer == nil && story.marked.isEmpty)

    story = Self.opened()
    story.click(bar)
    story.wait(1)
    #expect(story.browser.viewer?.phase == .resting)
    story.keys("?")
    story.click(bar)
    #expect(story.browser.help != nil)
  }

  @Test func `a drag that ends on the bar ends`() {
    var story = Self.opened()
    story.drag(from: PixelPoint(x: 500, y: 300), by: PixelPoint(x: 0, y: 310))
    #expect(!story.browser.isPointerDown)
    story.wait(4)
    #expect(story.browser.viewer == nil)
  }

  @Test func `the second click of a double click on a panel does not reach the grid`() {
    var story = Story(photos: 20)
    story.keys(":labels")
    let point = story.click(onPanel: "Show names")
    #expect((0..<20).contains { story.tile($0).contains(point) })
    story.click(point)
    story.wait(1)
    #expect(story.browser.grid.style.hasLabels && story.browser.viewer == nil)
  }

  // MARK: - Presses and drags

  @Test func `a press on a flying photo stops it`() throws {
    var story = Story(photos: 20)
    story.send(.key(.enter))
    story.wait(0.1)
    let held = try #require(story.out)
    let center = held.frame.center
    story.mouse(.pressed(.left), center.x, center.y)
    story.wait(1)
    #expect(story.out?.frame == held.frame)
  }

  @Test func `a release without a drag lets a stopped photo continue`() throws {
    var story = Story(photos: 20)
    story.send(.key(.enter))
    story.wait(0.1)
    let center = try #require(story.out).frame.center
    story.click(center)
    story.wait(1)
    #expect(story.browser.viewer?.phase == .resting)
  }

  @Test(arguments: [19.0, 21.0]) func `a press becomes a drag after 20 points`(way: Double) {
    var story = Self.opened()
    let point = story.browser.viewport.metrics.point
    story.mouse(.pressed(.left), 500, 200)
    story.mouse(.dragged(.left), 500, 200 + way * point)
    if case .dragging = story.browser.viewer?.phase {
      #expect(way > 20)
    } else {
      #expect(way < 20)
    }
  }

  @Test
  func `the first direction of a drag decides between closing and the next or previous photo`() {
    for (way, isSideways) in [(PixelPoint(x: 5, y: 60), false), (PixelPoint(x: 60, y: 5), true)] {
      var story = Self.opened()
      story.mouse(.pressed(.left), 500, 200)
      story.mouse(.dragged(.left), 500 + way.x, 200 + way.y)
      // Later directions do not matter.
      story.mouse(.dragged(.left), 500 + way.x + 90, 200 + way.y + 90)
      switch story.browser.viewer?.phase {
      case .dragging: #expect(!isSideways)
      case .swiping: #expect(isSideways)
      default: Issue.record("neither dismissing nor sideways")
      }
    }
  }

  @Test func `a second click within 300 ms at the same place is ignored`() {
    var story = Story(photos: 20)
    let place = story.tile(7).center
    story.click(place)
    story.wait(0.2)
    story.click(place)
    story.wait(1)
    #expect(story.browser.viewer?.phase == .resting)
  }

  @Test func `a drag without a release ends at the next motion without a button`() {
    var story = Self.opened()
    story.mouse(.pressed(.left), 500, 200)
    story.mouse(.dragged(.left), 500, 260)
    story.wait(1)
    story.mouse(.moved, 500, 265)
    story.wait(4)
    #expect(story.browser.viewer?.phase == .resting)
  }

  @Test func `a drag without a release ends after five seconds of silence without focus`() {
    var story = Self.opened()
    story.mouse(.pressed(.left), 500, 200)
    story.mouse(.dragged(.left), 500, 260)
    story.send(.focusLost)
    story.wait(4.9)
    #expect(story.browser.isPointerDown)
    story.wait(4)
    #expect(!story.browser.isPointerDown && story.browser.viewer?.phase == .resting)
  }

  /// A story in which the sixth of twenty photos is open and at rest.
  private static func opened() -> Story {
    var story = Story(photos: 20)
    story.keys("6G")
    story.send(.key(.enter))
    story.wait(1)
    return story
  }
}

extension Story {
  fileprivate mutating func click(_ point: PixelPoint, _ modifiers: MouseEvent.Modifiers) {
    mouse(.pressed(.left), point.x, point.y, modifiers)
    mouse(.released(.left), point.x, point.y, modifiers)
  }

  /// Drags with the left button in ten steps within a sixth of a second.
  fileprivate mutating func drag(from start: PixelPoint, by way: PixelPoint) {
    mouse(.pressed(.left), start.x, start.y)
    for step in 1...10 {
      let share = Double(step) / 10
      wait(1.0 / 60)
      mouse(.dragged(.left), start.x + way.x * share, start.y + way.y * share)
    }
    mouse(.released(.left), start.x + way.x, start.y + way.y)
  }

  /// The point of the open photo under a point of the screen, in fractions of its width and height.
  fileprivate func place(under point: PixelPoint) -> PixelPoint? {
    guard let out else { return nil }
    return PixelPoint(
      x: out.crop.minX + (point.x - out.frame.minX) / out.frame.width * out.crop.width,
      y: out.crop.minY + (point.y - out.frame.minY) / out.frame.height * out.crop.height)
  }
}
