import Testing

@testable import PhotoGridCore

/// A browser with a clock that moves only when the story says so.
struct Story {
  var browser: Browser
  var now = Instant(seconds: 100)
  var effects: [Effect] = []
  private var eventCount = 0

  init(
    photos: Int, columns: Int = 100, rows: Int = 31, motion: MotionSetting = .full,
    size: PixelSize = PixelSize(width: 4000, height: 3000)
  ) {
    var options = Browser.Options()
    options.motion = motion
    browser = Browser(
      options: options, cells: CellSize(columns: columns, rows: rows), metrics: .standard)
    send(.found((0..<photos).map { Photo.ID($0) }))
    for number in 0..<photos { send(.measured(Photo.ID(number), size)) }
    send(.listed(ListingNotes()))
  }

  mutating func send(_ event: Event) {
    let new = browser.handle(event, at: now)
    eventCount += 1
    Trace.current?.add(new, of: browser, number: eventCount, event: event, at: now)
    effects += new
  }

  mutating func keys(_ text: String) {
    for character in text { send(.key(.character(character))) }
  }

  mutating func wait(_ seconds: Double) {
    // The ticks of the frames in between, as the run loop sends them.
    let end = now.advanced(bySeconds: seconds)
    while now < end {
      now = min(now.advanced(bySeconds: 1.0 / 60), end)
      send(.tick)
    }
  }

  /// Waits until nothing moves.
  mutating func waitUntilStill(atMost seconds: Double) {
    let end = now.advanced(bySeconds: seconds)
    while now < end, browser.isAnimating(at: now) { wait(1.0 / 60) }
  }

  mutating func mouse(
    _ kind: MouseEvent.Kind, _ x: Double, _ y: Double, _ modifiers: MouseEvent.Modifiers = []
  ) {
    send(.mouse(MouseEvent(kind, at: PixelPoint(x: x, y: y), modifiers: modifiers)))
  }

  mutating func click(_ point: PixelPoint) {
    mouse(.pressed(.left), point.x, point.y)
    mouse(.released(.left), point.x, point.y)
  }

  var scene: Scene { browser.scene(at: now) }

  /// The placement of the open photo.
  var out: Placement? {
    guard let index = browser.viewerIndex else { return nil }
    return scene.placements.last { $0.photo == browser.photos[index] }
  }

  func tile(_ index: Int) -> PixelRect {
    browser.grid.layout.frame(at: index).offset(x: 0, y: -browser.grid.scroll.target)
  }
}

@Suite(.traced) struct BrowserStoryTests {
  @Test func `Enter opens the photo from its tile, and Esc closes it into the tile`() throws {
    var story = Story(photos: 20)
    story.keys("l")
    let tile = story.tile(1)

    story.send(.key(.enter))

    #expect(story.out?.frame == tile)
    #expect(story.out?.crop == PixelRect(x: 0.125, y: 0, width: 0.75, height: 1))
    #expect(story.scene.placements.filter { $0.photo == Photo.ID(1) }.count == 1)

    story.wait(0.175)
    let middle = try #require(story.out)
    #expect(abs(middle.frame.width - (tile.width + 800) / 2) < 2)
    #expect(story.scene.placements.first?.opacity ?? 0 > 0.4)
    #expect(story.scene.isMoving)

    story.wait(0.2)
    #expect(story.browser.viewer?.phase == .resting)
    #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))
    #expect(story.out?.crop == .unit)
    #expect(story.scene.placements.count == 1)
    #expect(!story.browser.isAnimating(at: story.now))

    story.send(.key(.escape))
    story.wait(0.36)
    #expect(story.browser.viewer == nil)
    #expect(story.scene.placements.count == 20)
  }

  @Test func `a photo keeps its proportions while it flies`() throws {
    var story = Story(photos: 20, size: PixelSize(width: 6000, height: 2000))
    story.send(.key(.enter))

    for _ in 0..<20 {
      let out = try #require(story.out)
      let across = out.frame.width / (out.crop.width * 6000)
      let down = out.frame.height / (out.crop.height * 2000)
      #expect(abs(across / down - 1) < 0.01)
      story.wait(0.02)
    }
  }

  @Test func `Esc while a photo opens reverses it without a jump`() throws {
    var story = Story(photos: 20)
    story.send(.key(.enter))
    story.wait(0.2)
    let before = try #require(story.out).frame

    story.send(.key(.escape))

    let after = try #require(story.out).frame
    #expect(after == before)
    #expect(story.browser.viewer?.isClosing == true)
    story.wait(0.4)
    #expect(story.browser.viewer == nil)
  }

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

  @Test
  func `a click opens the photo under the pointer, and a second one right after does nothing`() {
    var story = Story(photos: 20)
    let center = story.tile(7).center

    story.click(center)
    story.now = story.now.advanced(bySeconds: 0.1)
    story.click(center)

    #expect(story.browser.viewerIndex == 7)
    #expect(story.browser.viewer?.isClosing == false)
    story.wait(1)
    story.click(center)
    #expect(story.browser.viewer?.isClosing == true)
  }

  @Test func `a click in a gap opens nothing`() {
    var story = Story(photos: 20)
    let tile = story.tile(0)

    story.click(PixelPoint(x: tile.maxX + 5, y: tile.minY + 5))

    #expect(story.browser.viewer == nil)
  }

  @Test func `next and previous do not animate, and the new photo closes into its own tile`() throws
  {
    var story = Story(photos: 200)
    story.send(.key(.enter))
    story.wait(0.5)

    story.keys("150n")
    #expect(story.browser.selection == 150)
    #expect(!story.browser.isAnimating(at: story.now))

    story.send(.key(.escape))
    let home = story.tile(150)
    #expect(story.browser.viewport.pictureArea.intersects(home))
    story.wait(0.32)
    let landing = try #require(story.out).frame
    #expect(abs(landing.minX - home.minX) < 20 && abs(landing.minY - home.minY) < 20)
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

  @Test func `a resize during a flight redirects it to its new target`() {
    var story = Story(photos: 20)
    story.send(.key(.enter))
    story.wait(0.1)

    story.send(.resized(CellSize(columns: 50, rows: 16), .standard))
    story.wait(0.5)

    #expect(story.out?.frame == PixelRect(x: 50, y: 0, width: 400, height: 300))
  }

  @Test func `counts and movement keys select what vim users expect`() {
    var story = Story(photos: 100)
    #expect(story.tile(4).minY == story.tile(0).minY && story.tile(5).minY > story.tile(0).minY)

    let steps: [(String, Int)] = [
      ("l", 1), ("3l", 4), ("j", 9), ("2j", 19), ("k", 14), ("h", 13), ("]", 23), ("[", 13),
      ("G", 99), ("j", 99), ("gg", 0), ("k", 0), ("42G", 41), ("7gg", 6), ("h", 5), ("h", 4),
      ("l", 5), ("99l", 99), ("5h", 94), ("j", 99), ("999h", 0),
    ]
    for (keys, selection) in steps {
      story.keys(keys)
      #expect(story.browser.selection == selection, "after \(keys)")
      #expect(story.scene.ring != nil)
      story.wait(0.2)
      let ring = story.scene.ring?.tile ?? .unit
      #expect(ring.minY >= 0 && ring.maxY <= 600, "after \(keys) the selection is in sight")
    }
  }

  @Test func `the wheel scrolls a row, and the selection moves only to stay in sight`() {
    var story = Story(photos: 100)
    let pitch = story.browser.grid.layout.scrollStep

    story.mouse(.wheel(.down), 10, 10)
    story.wait(0.2)
    #expect(abs(story.browser.grid.scroll.target - pitch) <= 10)
    #expect(story.browser.selection == 5)

    story.keys("jj")
    let held = story.browser.selection
    story.mouse(.wheel(.down), 10, 10)
    #expect(story.browser.selection == held)
  }

  @Test func `without motion photos open, close and scroll at once`() {
    var story = Story(photos: 20, motion: .none)

    story.send(.key(.enter))
    #expect(story.browser.viewer?.phase == .resting)
    story.keys("50G")
    #expect(!story.browser.isAnimating(at: story.now))
    story.send(.key(.escape))
    #expect(story.browser.viewer == nil)
  }

  @Test func `with reduced motion photos fade and do not move`() throws {
    var story = Story(photos: 20, motion: .reduced)

    story.send(.key(.enter))
    for _ in 0..<12 {
      #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))
      story.wait(0.02)
    }
    story.wait(0.3)
    #expect(story.out?.opacity == 1)
    story.send(.key(.escape))
    story.wait(0.175)
    let fading = try #require(story.out)
    #expect(fading.frame.width == 800 && fading.opacity < 0.6 && fading.opacity > 0.4)
  }

  @Test func `a folder without photos shows a panel that says so`() {
    let story = Story(photos: 0)

    #expect(story.browser.panel?.title == "no photos here")
    #expect(story.scene.placements.isEmpty)
  }

  @Test func `until the listing arrives, placeholder tiles fill the screen`() {
    let browser = Browser(
      options: Browser.Options(), cells: CellSize(columns: 100, rows: 31), metrics: .standard)

    let scene = browser.scene(at: Instant(seconds: 0))

    #expect(scene.placements.count == 20)
    #expect(scene.placements.allSatisfy { $0.photo == .unlisted })
  }

  @Test func `visible photos are requested first, starting at the selection`() {
    var story = Story(photos: 1000)
    story.keys("500G")
    let wanted = story.browser.demands

    #expect(wanted.first?.photo == Photo.ID(499))
    #expect(wanted.count < 60)
    story.keys("gg")
    #expect(!story.browser.demands.contains { $0.photo == Photo.ID(499) })
  }

  @Test func `rows out of sight are requested after the visible ones, in scroll direction first`() {
    var story = Story(photos: 1000)
    story.keys("500G")
    func nearby() -> [Int] {
      story.browser.demands.filter { $0.place == .nearby }.map(\.photo.index)
    }

    let seen = story.browser.demands.prefix { $0.place == .visible }.map(\.photo.index)
    #expect(story.browser.demands.count == seen.count + nearby().count)
    #expect(nearby().first == (seen.max() ?? 0) + 1)
    story.keys("kk")
    story.wait(1)
    let above = story.browser.demands.filter { $0.place == .visible }.map(\.photo.index).min() ?? 0
    #expect(nearby().first == above - 1)

    story.send(.key(.enter))
    story.wait(1)
    let demands = story.browser.demands
    let selected = story.browser.selection
    #expect(
      demands.filter { $0.place == .neighbor }.map(\.photo.index) == [selected + 1, selected - 1])
    #expect(demands[0].place == .visible && demands[0].photo.index == selected)
  }

  @Test func `the distance from the visible photos is measured in display order`() {
    var story = Story(photos: 1000)
    story.keys("500G")
    let seen = story.browser.demands.filter { $0.place == .visible }.map(\.photo.index).sorted()
    let distance = story.browser.distanceFromViewport

    #expect(seen.allSatisfy { distance(Photo.ID($0)) == 0 })
    #expect(distance(Photo.ID(0)) == seen[0])
    #expect(distance(Photo.ID(999)) == 999 - (seen.last ?? 0))
    #expect(distance(Photo.ID(5000)) == .max)
    story.send(.arranged((0..<1000).reversed().map { Photo.ID($0) }))
    story.wait(1)
    let turned = story.browser.distanceFromViewport
    let index = story.browser.selection
    #expect(turned(story.browser.photos[index]) == 0)
    #expect(turned(Photo.ID(0)) > 0 && turned(Photo.ID(999)) > 0)
    #expect(
      turned(Photo.ID(0)) + turned(Photo.ID(999)) == distance(Photo.ID(0)) + distance(Photo.ID(999))
    )
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

  @Test func `Tab flies every photo from its old frame to its new one`() throws {
    var story = Story(photos: 60)
    story.keys("ljj")
    story.wait(0.5)
    let before = story.scene.placements

    story.send(.key(.tab))

    #expect(story.browser.grid.style.kind == .mosaic)
    for placement in before {
      let now = try #require(story.scene.placements.first { $0.photo == placement.photo })
      #expect(abs(now.frame.minX - placement.frame.minX) < 1e-6)
      #expect(abs(now.frame.maxY - placement.frame.maxY) < 1e-6)
    }
    story.wait(0.175)
    #expect(story.scene.isMoving)
    story.wait(0.2)
    #expect(!story.browser.isAnimating(at: story.now))
    for placement in story.scene.placements {
      #expect(placement.frame == story.tile(placement.photo.index))
    }
    let ring = try #require(story.scene.ring).tile
    #expect(story.browser.viewport.pictureArea.intersects(ring))
  }

  @Test func `a second Tab during the first animation continues without a jump`() throws {
    var story = Story(photos: 60)
    story.send(.key(.tab))
    story.wait(0.15)
    let before = story.scene.placements

    story.send(.key(.tab))

    for placement in before {
      let now = try #require(story.scene.placements.first { $0.photo == placement.photo })
      #expect(abs(now.frame.minX - placement.frame.minX) < 1e-6)
      #expect(abs(now.frame.minY - placement.frame.minY) < 1e-6)
    }
    story.send(.key(.backTab))
    story.send(.key(.backTab))
    story.wait(1)
    #expect(story.browser.grid.style.kind == .grid)
  }

  @Test func `a click during a change of layout opens the photo under the pointer`() throws {
    var story = Story(photos: 60)
    story.send(.key(.tab))
    story.wait(0.12)
    let seen = try #require(story.scene.placements.last)

    story.click(seen.frame.center)

    #expect(story.browser.viewerIndex == seen.photo.index)
  }

  @Test func `a photo closes into its own tile in every layout`() throws {
    for tabs in 1...2 {
      var story = Story(photos: 60)
      for _ in 0..<tabs { story.send(.key(.tab)) }
      story.wait(0.5)
      story.keys("12G")
      story.wait(0.3)
      let home = story.tile(11)

      story.send(.key(.enter))
      #expect(story.out?.frame == home)
      story.wait(0.5)
      story.send(.key(.escape))
      story.wait(0.5)

      #expect(story.browser.viewer == nil)
      #expect(story.scene.placements.first { $0.photo == Photo.ID(11) }?.frame == home)
    }
  }

  @Test func `plus and minus resize the tiles, and 0 resets them`() {
    var story = Story(photos: 60)
    let normal = story.tile(0).width

    story.keys("+")
    story.wait(0.5)
    let larger = story.tile(0).width
    story.keys("0-")
    story.wait(0.5)
    let smaller = story.tile(0).width
    story.keys("0")

    #expect(larger > normal && smaller < normal)
    #expect(story.tile(0).width == normal)
    story.keys(String(repeating: "+", count: 40))
    story.keys(String(repeating: "-", count: 80))
    story.wait(1)
    #expect(!story.scene.placements.isEmpty)
  }

  @Test func `uncropped photos stay inside their tiles and keep their aspect ratio`() throws {
    var story = Story(photos: 20)
    let tile = story.tile(3)

    story.keys("c")
    #expect(story.scene.placements[3].frame == tile)
    story.wait(0.5)

    let whole = story.scene.placements[3]
    #expect(whole.crop.width > 0.95 && whole.crop.height > 0.95)
    #expect(whole.frame.minX >= tile.minX && whole.frame.maxY <= tile.maxY)
    #expect(abs(whole.frame.size.aspectRatio - 4.0 / 3) < 0.1)
    story.keys("c")
    story.wait(0.5)
    #expect(story.scene.placements[3].frame == tile)
  }

  @Test func `f makes a photo fill the screen, and f again fits it`() {
    var story = Story(photos: 20)
    story.send(.key(.enter))
    story.wait(0.5)

    story.keys("f")
    story.wait(0.5)
    #expect(story.out?.frame == story.browser.viewport.pictureArea)
    #expect(story.out?.crop.height ?? 1 < 1)
    story.keys("f")
    story.wait(0.5)
    #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))
  }
}
