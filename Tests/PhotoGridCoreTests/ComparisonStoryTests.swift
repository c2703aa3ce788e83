import Testing

@testable import PhotoGridCore

/// Photos side by side: out of their tiles, among each other, and home.
@Suite struct ComparisonStoryTests {
  /// A story with so many photos compared, from the first on.
  private func comparing(
    _ count: Int, of photos: Int = 20, motion: MotionSetting = .full
  ) -> Story {
    var story = Story(photos: photos, motion: motion)
    for _ in 0..<count { story.keys(" ") }
    story.keys("gg=")
    story.wait(1)
    return story
  }

  // MARK: - Out and home

  @Test func `each marked photo zooms out of its tile, and Esc lands each in its own`() throws {
    var story = Story(photos: 20)
    story.keys("mllmllm")
    let tiles = story.scene.placements
    let photos = story.browser.album.markedInOrder
    #expect(photos.count > 2)
    story.keys("=")
    #expect(story.panes.map(\.photo) == photos)
    for photo in photos {
      let before = try #require(tiles.first { $0.photo == photo })
      #expect(story.shown(photo)?.frame.isClose(to: before.frame) == true)
      #expect(story.shown(photo)?.crop.isClose(to: before.crop, within: 0.01) == true)
      #expect(story.scene.placements.filter { $0.photo == photo }.count == 1)
    }
    story.wait(0.175)
    #expect(story.scene.isMoving && story.scene.placements[0].opacity < 0.6)
    story.wait(0.2)
    #expect(story.scene.placements.count == photos.count && !story.scene.isMoving)
    for pane in story.panes {
      let shown = try #require(story.shown(pane.photo))
      #expect(shown.crop.isClose(to: .unit, within: 0.05))
      #expect(shown.frame.isInside(pane.frame))
    }
    story.send(.key(.escape))
    #expect(story.browser.keyView == .grid)
    story.wait(0.34)
    for photo in photos {
      let before = try #require(tiles.first { $0.photo == photo })
      #expect(story.shown(photo)?.frame.isClose(to: before.frame, within: 6) == true)
    }
    story.wait(0.2)
    #expect(story.browser.comparison == nil && story.scene.placements.count == 20)
    #expect(story.browser.album.marks.count == photos.count)
  }

  @Test func `without marks it is the selected photo and the next, at the end the one before`() {
    var story = Story(photos: 5)
    story.keys("l=")
    #expect(story.panes.map(\.photo.index) == [1, 2])
    story.send(.key(.escape))
    story.wait(1)
    story.keys("G=")
    #expect(story.panes.map(\.photo.index) == [3, 4])
    #expect(story.current == 4)
  }

  @Test func `one photo, a folder or ten photos are not compared, and the bar says why`() {
    var story = Story(photos: 1)
    story.keys("=")
    #expect(story.browser.comparison == nil)
    #expect(story.bar.left == "there is nothing to compare with")
    story = Story(photos: 20)
    story.send(.key(.control("a")))
    story.keys("=")
    #expect(story.browser.comparison == nil)
    #expect(story.bar.left == "20 photos are too many to compare, 9 at most")
  }

  @Test func `the way out can be reversed at every moment without a jump`() throws {
    var story = comparing(3)
    for step in 0..<30 {
      let before = story.scene.placements.filter { $0.photo.index < 3 }
      if story.browser.keyView == .grid {
        story.keys("=")
      } else {
        story.send(.key(.escape))
      }
      let after = story.scene.placements.filter { $0.photo.index < 3 }
      for (old, new) in zip(before, after) {
        #expect(old.frame.isClose(to: new.frame, within: 3), "step \(step)")
      }
      story.wait(0.03 + Double(step % 5) * 0.04)
    }
  }

  @Test func `Enter opens the focused photo alone from its pane, and Esc leads to the grid`() throws
  {
    var story = comparing(4)
    story.send(.key(.tab))
    let pane = try #require(story.shown(Photo.ID(1)))
    story.send(.key(.enter))
    #expect(story.browser.viewer?.photo == Photo.ID(1) && story.browser.comparison == nil)
    #expect(story.out?.frame.isClose(to: pane.frame) == true)
    story.wait(1)
    story.send(.key(.escape))
    story.wait(1)
    #expect(story.browser.viewer == nil && story.current == 1)
  }

  @Test func `a zoomed photo that is opened alone shows the same place`() throws {
    var story = comparing(4)
    story.keys("z")
    story.wait(1)
    story.keys("jjl")
    story.wait(1)
    let center = try #require(story.shown(Photo.ID(0))?.crop.center)
    story.send(.key(.enter))
    for _ in 0..<20 {
      let crop = try #require(story.out?.crop)
      #expect(crop.center.distance(to: center) < 0.15)
      story.wait(0.03)
    }
    #expect(story.out?.crop.center.distance(to: center) ?? 1 < 0.001)
    #expect(story.bar.right.contains("100 %"))
  }

  @Test(arguments: MotionSetting.allCases)
  func `every motion setting leads out and home`(motion: MotionSetting) {
    var story = comparing(3, motion: motion)
    story.wait(2)
    #expect(!story.browser.isAnimating(at: story.now) && story.scene.placements.count == 3)
    story.keys("xx")
    story.wait(3)
    #expect(story.browser.comparison == nil && story.browser.viewer?.photo == Photo.ID(2))
    story.send(.key(.escape))
    story.wait(3)
    #expect(story.browser.viewer == nil && story.scene.placements.count == 20)
  }

  // MARK: - Focus

  @Test func `Tab, arrows and a click move the focus, and the bar names it`() throws {
    var story = comparing(4)
    #expect(story.bar.right.contains("comparing [1] 2 3 4"))
    story.send(.key(.tab))
    #expect(story.bar.right.contains("comparing 1 [2] 3 4") && story.current == 1)
    story.send(.key(.backTab))
    story.send(.key(.backTab))
    #expect(story.current == 3)
    story.send(.key(.up))
    #expect(story.current == 1, "the one above, in two rows of two")
    story.send(.key(.left))
    story.send(.key(.left))
    #expect(story.current == 0)
    #expect(story.scene.ring?.tile == story.panes[0].frame)
    story.click(story.panes[2].frame.center)
    #expect(story.current == 2 && story.scene.ring?.tile == story.panes[2].frame)
  }

  @Test func `ratings, marks and the trash concern the focused photo only`() {
    var story = comparing(3)
    story.send(.key(.tab))
    story.keys(";4")
    #expect(story.effects.last == .rate([RatingTask(Photo.ID(1), .stars(4))]))
    story.keys("m")
    #expect(story.browser.album.marks.count == 2)
    story.keys("d")
    #expect(story.effects.last == .file([.trash([Photo.ID(1)])]))
  }

  @Test func `in culling mode a digit goes on to the next pane, and x rejects and takes out`() {
    var story = comparing(3)
    story.keys("C3")
    #expect(story.effects.last == .rate([RatingTask(Photo.ID(0), .stars(3))]))
    #expect(story.current == 1)
    story.keys("x")
    #expect(story.effects.last == .rate([RatingTask(Photo.ID(1), .stars(Rating.rejected))]))
    #expect(story.panes.map(\.photo.index) == [0, 2] && story.current == 2)
  }

  // MARK: - Taking out

  @Test func `x takes the focused photo out, and the others close up by motion`() throws {
    var story = comparing(4)
    let before = story.panes
    story.send(.key(.tab))
    story.keys("x")
    #expect(story.panes.map(\.photo.index) == [0, 2, 3] && story.current == 2)
    #expect(story.effects.isEmpty, "no file is changed")
    #expect(story.browser.album.marks.count == 3, "what is marked is what is left")
    #expect(story.shown(Photo.ID(1)) != nil, "it leaves, and is not just gone")
    #expect(story.shown(Photo.ID(3))?.frame.isInside(before[3].frame) == true)
    story.wait(1)
    #expect(story.shown(Photo.ID(1)) == nil && story.scene.placements.count == 3)
    for pane in story.panes {
      #expect(story.shown(pane.photo)?.frame.isInside(pane.frame) == true)
    }
  }

  @Test func `the last photo that is left fills the screen, and is open`() {
    var story = comparing(2)
    story.keys("x")
    #expect(story.panes.map(\.photo.index) == [1])
    story.wait(1)
    #expect(story.browser.viewer?.photo == Photo.ID(1) && story.browser.comparison == nil)
    #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))
    #expect(!story.browser.isAnimating(at: story.now))
  }

  @Test func `photos whose files are removed leave, and without any the grid is there`() {
    var story = comparing(3, of: 6)
    story.send(.arranged([1, 3, 4, 5].map { Photo.ID($0) }))
    story.wait(1)
    #expect(story.browser.viewer?.photo == Photo.ID(1))
    story = comparing(3, of: 6)
    story.send(.arranged([3, 4].map { Photo.ID($0) }))
    story.wait(1)
    #expect(story.browser.comparison == nil && story.browser.viewer == nil)
    #expect(story.scene.placements.count == 2)
  }

  // MARK: - Going on

  @Test func `n and p show the next photos at the same place, and a pinned one stays`() throws {
    var story = comparing(2)
    story.keys("z")
    story.wait(1)
    story.keys("jjl")
    story.wait(1)
    let crops = story.scene.placements.map(\.crop)
    story.keys("n")
    #expect(story.panes.map(\.photo.index) == [1, 2])
    #expect(story.scene.placements.map(\.crop) == crops, "without motion")
    story.keys("P3n")
    #expect(story.panes.map(\.photo.index) == [1, 5])
    story.keys("9p")
    #expect(story.panes.map(\.photo.index) == [1, 0], "the pinned one is passed over")
    story.keys("p")
    #expect(story.bar.left == "there are no photos before these")
    story.keys("P")
    story.keys("n")
    #expect(story.panes.map(\.photo.index) == [2, 1])
  }

  @Test func `h and l step at fit, and pan when zoomed`() {
    var story = comparing(2)
    story.keys("l")
    #expect(story.panes.map(\.photo.index) == [1, 2])
    story.keys("zl")
    story.wait(1)
    #expect(story.panes.map(\.photo.index) == [1, 2])
    #expect(story.scene.placements.allSatisfy { $0.crop.center.x > 0.5 })
  }

  // MARK: - Zoom

  @Test func `zoom and pan show the same part of photos of different sizes`() throws {
    var story = Story(photos: 3)
    story.send(.measured(Photo.ID(1), PixelSize(width: 8000, height: 6000)))
    story.keys("   gg=")
    story.wait(1)
    story.keys("+++++")
    story.wait(1)
    story.keys("jl")
    story.wait(1)
    let centers = story.panes.compactMap { story.shown($0.photo)?.crop.center }
    #expect(centers.count == 3)
    for center in centers {
      #expect(center.distance(to: centers[0]) < 0.01 && center.x > 0.51 && center.y > 0.51)
    }
  }

  @Test func `capital keys and Shift move one photo alone, and it keeps its distance`() throws {
    var story = comparing(2)
    story.keys("z")
    story.wait(1)
    let before = try #require(story.shown(Photo.ID(1))?.crop)
    story.keys("L")
    story.wait(1)
    #expect(story.shown(Photo.ID(1))?.crop == before)
    let gap = try #require(story.shown(Photo.ID(0))?.crop.minX) - before.minX
    #expect(gap > 0.01)
    story.keys("l")
    story.wait(1)
    let crops = story.panes.compactMap { story.shown($0.photo)?.crop.minX }
    #expect(abs(crops[0] - crops[1] - gap) < 1e-6 && crops[1] > before.minX)
    let center = story.panes[1].frame.center
    story.mouse(.wheel(.up), center.x, center.y, .shift)
    story.wait(1)
    let widths = story.panes.compactMap { story.shown($0.photo)?.crop.width }
    #expect(widths[1] < widths[0] * 0.9)
    story.keys("0")
    story.wait(1)
    #expect(story.panes.allSatisfy { story.shown($0.photo)?.crop.width ?? 0 > 0.95 })
    story.keys("z")
    story.wait(1)
    let together = story.panes.compactMap { story.shown($0.photo)?.crop }
    #expect(together[0].center.distance(to: together[1].center) < 1e-6)
  }

  @Test func `the wheel zooms at the pointer, and a drag pans all with the pointer`() throws {
    var story = comparing(4)
    let pane = story.panes[3].frame
    let point = PixelPoint(x: pane.minX + pane.width * 0.6, y: pane.minY + pane.height * 0.6)
    let before = try #require(story.part(at: point, of: Photo.ID(3)))
    for _ in 0..<8 { story.mouse(.wheel(.up), point.x, point.y) }
    story.wait(1)
    let after = try #require(story.part(at: point, of: Photo.ID(3)))
    #expect(before.distance(to: after) < 0.01)
    story.mouse(.pressed(.left), point.x, point.y)
    for step in 1...10 { story.mouse(.dragged(.left), point.x + Double(step) * 8, point.y) }
    let moved = try #require(
      story.part(at: PixelPoint(x: point.x + 80, y: point.y), of: Photo.ID(3)))
    #expect(moved.distance(to: after) < 0.001, "the photo is under the pointer")
    story.wait(1)
    story.mouse(.released(.left), point.x + 80, point.y)
    story.wait(2)
    let crops = story.panes.compactMap { story.shown($0.photo)?.crop }
    #expect(crops.allSatisfy { $0.center.distance(to: crops[0].center) < 0.001 })
    #expect(!story.browser.isAnimating(at: story.now))
  }

  @Test func `a photo let go in a drag glides on, and so do the others`() throws {
    var story = comparing(2)
    story.keys("z")
    story.wait(1)
    let point = story.panes[0].frame.center
    story.mouse(.pressed(.left), point.x, point.y)
    for step in 1...6 {
      story.now = story.now.advanced(bySeconds: 0.016)
      story.mouse(.dragged(.left), point.x - Double(step) * 20, point.y)
    }
    story.mouse(.released(.left), point.x - 120, point.y)
    let released = story.panes.compactMap { story.shown($0.photo)?.crop.center.x }
    story.wait(5)
    let rested = story.panes.compactMap { story.shown($0.photo)?.crop.center.x }
    for (from, to) in zip(released, rested) { #expect(to - from > 0.03) }
    #expect(abs(rested[0] - rested[1]) < 1e-6)
  }

  @Test func `Esc shows zoomed photos whole before it sends them home`() {
    var story = comparing(2)
    story.keys("z")
    story.wait(1)
    #expect(story.bar.right.contains("100 %"))
    story.send(.key(.escape))
    story.wait(1)
    #expect(story.panes.count == 2 && story.browser.isComparing)
    story.send(.key(.escape))
    story.wait(1)
    #expect(story.browser.comparison == nil)
  }

  // MARK: - The rest

  @Test func `a resized terminal divides the screen again`() {
    var story = comparing(3)
    story.send(.resized(CellSize(columns: 60, rows: 60), .standard))
    #expect(!story.browser.isAnimating(at: story.now))
    let area = story.browser.viewport.pictureArea
    for pane in story.panes {
      #expect(pane.frame.isInside(area))
      #expect(story.shown(pane.photo)?.frame.isInside(pane.frame) == true)
    }
    #expect(story.panes[1].frame.minY > story.panes[0].frame.minY, "one above the other")
  }

  @Test func `pictures are demanded as large as the panes, and zoomed only of what is seen`() {
    var story = comparing(4)
    let whole = story.browser.demands.prefix(4)
    #expect(whole.allSatisfy { $0.mode == .fit && $0.size.width <= 500 && $0.region == nil })
    #expect(Set(whole.map(\.photo.index)) == [0, 1, 2, 3])
    #expect(whole.allSatisfy { $0.isExact })
    #expect(story.browser.demands.dropFirst(4).allSatisfy { !$0.isExact })
    story.keys("z")
    story.wait(1)
    #expect(story.browser.demands.allSatisfy { !$0.isExact })
    let regions = story.browser.demands.filter { $0.place == .visible }.compactMap(\.region)
    #expect(regions.count == 4)
    #expect(regions.allSatisfy { $0.wanted.width <= 1100 && $0.needed.width >= 490 })
  }

  @Test func `help in a comparison begins with its keys`() {
    var story = comparing(2)
    story.keys("?")
    #expect(story.browser.panel?.lines.first?.hasPrefix("compare") == true)
    story.send(.key(.escape))
    #expect(story.browser.isComparing)
  }

  @Test func `a slideshow begins with the focused photo`() {
    var story = comparing(3)
    story.send(.key(.tab))
    story.keys("s")
    #expect(story.browser.slideshow != nil && story.browser.viewer?.photo == Photo.ID(1))
  }
}

extension Story {
  /// The panes of the comparison.
  var panes: [ComparisonPane] { browser.comparison?.panes ?? [] }

  /// The front placement of a photo.
  func shown(_ photo: Photo.ID) -> Placement? { scene.placements.last { $0.photo == photo } }

  /// The part of a photo that is shown at a point, in fractions of the photo.
  fileprivate func part(at point: PixelPoint, of photo: Photo.ID) -> PixelPoint? {
    guard let shown = shown(photo), shown.frame.contains(point) else { return nil }
    return PixelPoint(
      x: shown.crop.minX + (point.x - shown.frame.minX) / shown.frame.width * shown.crop.width,
      y: shown.crop.minY + (point.y - shown.frame.minY) / shown.frame.height * shown.crop.height)
  }
}

extension PixelRect {
  /// Whether no edge differs by more than a distance.
  func isClose(to other: PixelRect, within distance: Double = 1) -> Bool {
    abs(minX - other.minX) <= distance && abs(minY - other.minY) <= distance
      && abs(maxX - other.maxX) <= distance && abs(maxY - other.maxY) <= distance
  }

  /// Whether the rectangle lies in another one.
  func isInside(_ other: PixelRect) -> Bool {
    minX >= other.minX - 1e-6 && minY >= other.minY - 1e-6 && maxX <= other.maxX + 1e-6
      && maxY <= other.maxY + 1e-6
  }
}
