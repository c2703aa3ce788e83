import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

@Suite(.traced) struct SlideshowTests {
  /// A slideshow whose first photo is on the screen, with its picture ready.
  static func show(
    photos: Int = 5, motion: MotionSetting = .full, sizes: [PixelSize] = []
  ) -> Story {
    var story = Story(photos: photos, motion: motion)
    for (number, size) in sizes.enumerated() {
      story.send(.measured(Photo.ID(number), size))
    }
    story.keys("s")
    story.send(.prepared(Photo.ID(0), isShown: true))
    return story
  }

  /// The visible photos, back to front, with their opacities.
  static func seen(_ story: Story) -> [(photo: Int, opacity: Double)] {
    story.scene.placements.map { ($0.photo.index, $0.opacity) }
  }

  /// The only photo on the screen, if it is opaque; nil otherwise.
  static func alone(_ story: Story) -> Int? {
    let seen = seen(story)
    return seen.count == 1 && seen[0].opacity == 1 ? seen[0].photo : nil
  }

  @Test func `each photo is shown for five seconds between two fades`() {
    var story = Self.show()
    story.send(.prepared(Photo.ID(1), isShown: true))

    story.wait(4.99)
    #expect(Self.alone(story) == 0)
    story.wait(0.26)
    let middle = Self.seen(story)
    #expect(middle.map(\.photo) == [0, 1])
    #expect(middle[0].opacity == 1 && abs(middle[1].opacity - 0.5) < 0.1)
    #expect(story.scene.isMoving)
    story.wait(0.26)
    #expect(Self.alone(story) == 1)
    #expect(!story.browser.isAnimating(at: story.now))

    story.send(.prepared(Photo.ID(2), isShown: true))
    story.wait(4.9)
    #expect(Self.alone(story) == 1)
    story.wait(0.7)
    #expect(Self.alone(story) == 2)
    #expect(story.browser.selection == 2)
  }

  @Test func `the first photo's time begins when its picture is ready`() {
    var story = Story(photos: 3)
    story.keys("s")
    story.send(.prepared(Photo.ID(1), isShown: true))
    story.wait(20)
    #expect(Self.alone(story) == 0)

    story.send(.prepared(Photo.ID(0), isShown: true))
    story.wait(4.9)
    #expect(Self.alone(story) == 0)
    story.wait(0.7)
    #expect(Self.alone(story) == 1)
  }

  @Test func `the first photo follows the last, in display order`() {
    var story = Self.show(photos: 3)
    story.send(.key(.escape))
    story.send(.key(.escape))
    story.wait(1)
    story.send(.listingReplaced([2, 0, 1].map { Photo.ID($0) }))
    story.keys("ggs")
    story.send(.prepared(Photo.ID(2), isShown: true))
    var order: [Int] = []

    for _ in 0..<5 {
      order.append(Self.alone(story) ?? -1)
      for demand in story.browser.awaitedPictures {
        story.send(.prepared(demand.photo, isShown: true))
      }
      story.wait(5.6)
    }

    // At first the photo is still flying to the screen.
    #expect(order.dropFirst() == [0, 1, 2, 0])
  }

  @Test(arguments: [
    (Key.character("l"), 1), (.right, 1), (.character("n"), 1), (.character("h"), 0),
    (.left, 0), (.character("p"), 0), (.character("]"), 4),
  ])
  func `keys go to another photo, and the slideshow goes on after its full time`(
    key: Key, photo: Int
  ) {
    var story = Self.show()
    story.wait(4)
    story.send(.key(key))
    story.wait(0.5)
    #expect(story.browser.selection == photo && story.browser.slideshow != nil)
    for demand in story.browser.awaitedPictures {
      story.send(.prepared(demand.photo, isShown: true))
    }
    story.wait(photo == 0 ? 0.3 : 4.8)
    #expect(story.browser.selection == photo)
    story.wait(0.7)
    #expect(story.browser.selection == (photo + 1) % 5)
  }

  @Test func `a paused slideshow stays paused at the next photo`() {
    var story = Self.show()
    story.keys(" l")
    story.send(.prepared(Photo.ID(1), isShown: true))
    story.send(.prepared(Photo.ID(2), isShown: true))
    story.wait(20)
    #expect(story.browser.selection == 1)
    #expect(story.bar.right == "paused · Space resumes")
  }

  @Test func `Space pauses and resumes the slideshow, and the bar says so`() {
    var story = Self.show()
    story.send(.prepared(Photo.ID(1), isShown: true))
    story.wait(3)

    story.send(.key(.character(" ")))
    story.wait(60)
    #expect(Self.alone(story) == 0)
    #expect(story.bar.right == "paused · Space resumes")

    story.send(.key(.character(" ")))
    story.wait(1.9)
    #expect(Self.alone(story) == 0)
    story.wait(0.7)
    #expect(Self.alone(story) == 1)
  }

  @Test(arguments: [("s", "5"), ("3s", "3"), (":slideshow 2.5\r", "2.5")])
  func `the bar says how long each photo is shown, and is empty then`(keys: String, seconds: String)
  {
    var story = Story(photos: 5)
    for key in keys { story.send(.key(key == "\r" ? .enter : .character(key))) }
    #expect(story.bar.left == "Slideshow: \(seconds) s per photo · Space pauses")
    story.wait(2.1)
    #expect(
      story.bar
        == {
          var bar = Bar(left: "", right: ""); bar.isMessage = true; return bar
        }())
    story.keys("x")
    #expect(story.bar.left == "photo 0" && story.bar.right.contains("1/5"))
  }

  @Test func `a pause before a photo's picture is ready costs it no time`() {
    var story = Story(photos: 3)
    story.keys("s")
    story.send(.prepared(Photo.ID(1), isShown: true))
    story.keys(" ")
    #expect(story.browser.awaitedPictures.map(\.photo) == [Photo.ID(0)])
    story.keys(" ")
    story.wait(20)
    #expect(Self.alone(story) == 0, "its picture is not ready yet")
    story.keys(" ")
    story.send(.prepared(Photo.ID(0), isShown: true))
    #expect(story.browser.awaitedPictures.isEmpty)
    story.wait(20)
    #expect(Self.alone(story) == 0 && story.bar.right == "paused · Space resumes")
    story.keys(" ")
    story.wait(4.9)
    #expect(Self.alone(story) == 0)
    story.wait(0.7)
    #expect(Self.alone(story) == 1)
  }

  @Test func `a photo that takes the place of a removed one during a pause has its whole time`() {
    var story = Self.show(photos: 4)
    story.wait(3)
    story.keys(" ")
    story.send(.listingReplaced([1, 2, 3].map { Photo.ID($0) }))
    #expect(story.browser.awaitedPictures.map(\.photo) == [Photo.ID(1), Photo.ID(2)])
    story.send(.prepared(Photo.ID(2), isShown: true))
    story.keys(" ")
    story.wait(20)
    #expect(Self.alone(story) == 1, "its picture is not ready yet")
    story.send(.prepared(Photo.ID(1), isShown: true))
    story.wait(4.9)
    #expect(Self.alone(story) == 1)
    story.wait(0.7)
    #expect(Self.alone(story) == 2)
  }

  @Test(arguments: [
    Key.escape, .enter, .character("s"), .character("d"), .up,
    .control("z"), .character("?"), .character("5"),
  ])
  func `any other key stops the slideshow and does nothing else`(key: Key) {
    var story = Self.show()
    story.send(.prepared(Photo.ID(1), isShown: true))
    story.wait(2)

    story.send(.key(key))
    #expect(story.browser.slideshow == nil && story.effects.isEmpty)
    #expect(Self.alone(story) == 0 && story.browser.panel == nil)
    story.wait(30)
    #expect(Self.alone(story) == 0)
    // Digits were not kept for a count.
    story.keys("n")
    #expect(Self.alone(story) == 1)
  }

  @Test func `q and Ctrl-c quit, and a click stops the slideshow`() {
    var story = Self.show()
    story.keys("q")
    story.send(.key(.control("c")))
    #expect(story.effects == [.quit, .interrupt])

    story.mouse(.moved, 100, 100)
    #expect(story.browser.slideshow != nil)
    story.wait(1)
    story.click(PixelPoint(x: 300, y: 200))
    story.wait(1)
    #expect(story.browser.slideshow == nil && Self.alone(story) == 0)
  }

  @Test func `photos that cannot be shown are skipped until their files change`() {
    var story = Self.show(photos: 4)
    story.send(.prepared(Photo.ID(1), isShown: false))
    story.send(.prepared(Photo.ID(2), isShown: false))
    #expect(story.browser.awaitedPictures.map(\.photo) == [Photo.ID(3)])
    story.send(.prepared(Photo.ID(3), isShown: true))
    story.wait(5.6)
    #expect(Self.alone(story) == 3)
    story.send(.prepared(Photo.ID(0), isShown: true))
    story.wait(5.6)
    #expect(Self.alone(story) == 0)
    #expect(story.browser.awaitedPictures.map(\.photo) == [Photo.ID(3)])

    // A file that has changed is tried again.
    story.send(.filesChanged([Photo.ID(1)]))
    #expect(story.browser.awaitedPictures.map(\.photo) == [Photo.ID(1)])
  }

  @Test func `if the first photo cannot be shown, the second appears at once`() {
    var story = Story(photos: 2)
    story.keys("s")
    story.send(.prepared(Photo.ID(0), isShown: false))
    story.send(.prepared(Photo.ID(1), isShown: true))
    story.wait(1)
    #expect(Self.alone(story) == 1)
    // And it stays: there is no other.
    story.wait(30)
    #expect(Self.alone(story) == 1 && story.browser.slideshow != nil)
    #expect(story.browser.nextChange == nil)
  }

  @Test func `a slideshow in which no photo can be shown ends with a message`() {
    var story = Story(photos: 3)
    story.keys("s")
    for number in 0..<3 { story.send(.prepared(Photo.ID(number), isShown: false)) }
    #expect(story.browser.slideshow == nil)
    #expect(
      story.browser.bar(story.facts, at: story.now).left == "None of these photos can be shown")

    var empty = Story(photos: 0)
    empty.keys("s")
    #expect(empty.browser.slideshow == nil)
    #expect(empty.browser.bar(empty.facts, at: empty.now).left == "No photos to show")
  }

  @Test func `a slideshow continues when its photos are removed, and ends with the last`() {
    var story = Self.show(photos: 4)
    story.send(.prepared(Photo.ID(1), isShown: true))
    // The next photo is removed: its picture is no reason to fade to another.
    story.send(.listingReplaced([0, 2, 3].map { Photo.ID($0) }))
    story.wait(6)
    #expect(Self.alone(story) == 0)
    #expect(story.browser.awaitedPictures.map(\.photo) == [Photo.ID(2)])
    // The photo on the screen is removed: the slideshow continues with its replacement.
    story.send(.listingReplaced([2, 3].map { Photo.ID($0) }))
    story.wait(1)
    #expect(Self.alone(story) == 2)
    #expect(story.browser.awaitedPictures.map(\.photo) == [Photo.ID(2), Photo.ID(3)])
    story.send(.listingReplaced([]))
    #expect(story.browser.slideshow == nil && story.browser.viewer == nil)
  }

  @Test func `a slideshow starts from a zoomed photo, or without a key at the start`() {
    var story = Story(photos: 3)
    story.keys("l")
    story.send(.key(.enter))
    story.wait(1)
    story.keys("z")
    story.wait(1)
    story.keys("s")
    story.wait(1)
    #expect(Self.alone(story) == 1)
    #expect(story.scene.placements.first?.crop == .unit)

    var other = Story(photos: 3)
    other.send(.slideshowRequested)
    other.wait(1)
    #expect(Self.alone(other) == 0 && other.browser.slideshow != nil)
  }
}
