import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// Photos side by side: out of their tiles, among each other, and home.
@Suite struct ComparisonStoryTests {
  /// A story with so many photos compared, from the first on.
  func comparing(
    _ count: Int, of photos: Int = 20, motion: MotionSetting = .full
  ) -> Story {
    var story = Story(photos: photos, motion: motion)
    for _ in 0..<count { story.keys(" ") }
    story.keys("gg=")
    story.wait(1)
    return story
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

  @Test func `compared photos show their stars, and a rejected one is as bright as the others`() {
    var story = comparing(3)
    story.send(
      .ratingsUpdated([
        RatingUpdate(Photo.ID(0), Rating(stars: 4, label: .green)),
        RatingUpdate(Photo.ID(1), Rating(stars: -1)),
      ]))
    #expect(story.shown(Photo.ID(0))?.badges == Badges(Rating(stars: 4, label: .green)))
    let rejected = story.shown(Photo.ID(1))?.badges
    #expect(rejected?.isRejected == true && story.shown(Photo.ID(1))?.shade == 0)
    #expect(story.shown(Photo.ID(2)) != nil && story.shown(Photo.ID(2))?.badges == nil)
  }

  @Test func `ratings, marks and the trash concern the focused photo only`() {
    var story = comparing(3)
    story.send(.key(.tab))
    story.keys(";4")
    #expect(story.effects.last == .annotate([AnnotationTask(Photo.ID(1), .stars(4))]))
    story.keys("m")
    #expect(story.browser.album.marks.count == 2)
    story.keys("d")
    #expect(story.effects.last == .file([.trash([Photo.ID(1)])]))
  }

  @Test func `in culling mode a digit goes on to the next pane, and x rejects and takes out`() {
    var story = comparing(3)
    story.keys("C3")
    #expect(story.effects.last == .annotate([AnnotationTask(Photo.ID(0), .stars(3))]))
    #expect(story.current == 1)
    story.keys("x")
    #expect(story.effects.last == .annotate([AnnotationTask(Photo.ID(1), .stars(Rating.rejected))]))
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
    story.send(.listingReplaced([1, 3, 4, 5].map { Photo.ID($0) }))
    story.wait(1)
    #expect(story.browser.viewer?.photo == Photo.ID(1))
    story = comparing(3, of: 6)
    story.send(.listingReplaced([3, 4].map { Photo.ID($0) }))
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
    #expect(story.bar.left == "Already at the first photo")
    story.keys("P")
    story.keys("n")
    #expect(story.panes.map(\.photo.index) == [2, 1])
  }

  @Test func `n and p skip photos that were taken out`() {
    var story = comparing(4)
    story.send(.key(.tab))
    story.keys("x")
    #expect(story.panes.map(\.photo.index) == [0, 2, 3])
    story.keys("n")
    #expect(story.panes.map(\.photo.index) == [2, 3, 4])
    story.keys("p")
    #expect(story.panes.map(\.photo.index) == [0, 2, 3], "without the one between")
    story.keys("p")
    #expect(story.bar.left == "Already at the first photo")
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
    let regions = story.browser.demands.filter { $0.proximity == .visible }.compactMap(\.region)
    #expect(regions.count == 4)
    #expect(regions.allSatisfy { $0.wanted.width <= 1100 && $0.needed.width >= 490 })
  }

  @Test func `help in a comparison begins with its keys`() {
    var story = comparing(2)
    story.keys("?")
    #expect(story.browser.panel?.lines.dropFirst(2).first == "In a comparison")
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
