import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// The grid while its photos are reordered, added and removed.
@Suite(.traced) struct ArrangementTests {
  private func ids(_ numbers: some Sequence<Int>) -> [Photo.ID] { numbers.map { Photo.ID($0) } }

  @Test func `each tile flies from its old place to its new one, and none jumps`() throws {
    var story = Story(photos: 12)
    let old = (0..<12).map { story.tile($0) }

    story.send(.listingReplaced(ids((0..<12).reversed())))

    #expect(Set(story.scene.placements.map(\.photo)) == Set(ids(0..<12)))
    for placement in story.scene.placements {
      #expect(placement.frame == old[placement.photo.index])
    }
    story.wait(0.175)
    let halfway = try #require(story.scene.placements.first { $0.photo == Photo.ID(0) })
    #expect(abs(halfway.frame.center.x - (old[0].center.x + old[11].center.x) / 2) < 2)
    #expect(story.scene.isMoving)
    story.wait(0.2)
    #expect(!story.browser.isAnimating(at: story.now))
    for placement in story.scene.placements {
      #expect(placement.frame == old[11 - placement.photo.index])
      #expect(placement.opacity == 1)
    }
  }

  @Test func `a removed photo fades in place while the others close the gap`() throws {
    var story = Story(photos: 12)
    let place = story.tile(3)

    story.send(.listingReplaced(ids([0, 1, 2] + Array(4..<12))))

    let first = try #require(story.scene.placements.first { $0.photo == Photo.ID(3) })
    #expect(first.frame == place)
    #expect(first.opacity == 1)
    story.wait(0.175)
    let later = try #require(story.scene.placements.first { $0.photo == Photo.ID(3) })
    #expect(abs(later.opacity - 0.5) < 0.05)
    #expect(later.frame.width < place.width)
    story.wait(0.2)
    #expect(!story.scene.placements.contains { $0.photo == Photo.ID(3) })
    #expect(story.scene.placements.first { $0.photo == Photo.ID(4) }?.frame == place)
  }

  @Test func `a new photo grows in its place while the others make room`() throws {
    var story = Story(photos: 12)
    let place = story.tile(3)

    story.send(.listingReplaced(ids([0, 1, 2, 12] + Array(3..<12))))

    let first = try #require(story.scene.placements.first { $0.photo == Photo.ID(12) })
    #expect(first.opacity == 0)
    story.wait(0.36)
    let last = try #require(story.scene.placements.first { $0.photo == Photo.ID(12) })
    #expect(last.frame == place)
    #expect(last.opacity == 1)
  }

  @Test func `a photo that returns while it fades out continues from its current opacity`() throws {
    var story = Story(photos: 12)
    story.send(.listingReplaced(ids(1..<12)))
    story.wait(0.15)
    let fading = try #require(story.scene.placements.first { $0.photo == Photo.ID(0) })

    story.send(.listingReplaced(ids(0..<12)))

    let back = story.scene.placements.filter { $0.photo == Photo.ID(0) }
    #expect(back == [fading])
    story.wait(0.36)
    let rest = try #require(story.scene.placements.first { $0.photo == Photo.ID(0) })
    #expect(rest.opacity == 1)
    #expect(rest.frame == story.tile(0))
  }

  @Test func `the selection keeps its photo and its place on the screen`() {
    var story = Story(photos: 300)
    story.keys("150G")
    story.wait(1)
    let place = story.tile(149)

    // Removes the hundred photos before it: twenty whole rows of five.
    story.send(.listingReplaced(ids(100..<300)))
    story.wait(1)

    #expect(story.browser.current == Photo.ID(149))
    #expect(story.tile(49) == place)
  }

  @Test func `if the selected photo is removed, the next one is selected, or else the one before`()
  {
    var story = Story(photos: 12)
    story.keys("6G")
    story.send(.listingReplaced(ids([0, 1, 2, 3, 7, 8, 9])))
    #expect(story.browser.current == Photo.ID(7))
    story.send(.listingReplaced(ids([2, 0, 1])))
    #expect(story.browser.current == Photo.ID(2))
    story.send(.listingReplaced([]))
    #expect(story.browser.selection == 0)
    #expect(story.browser.current == nil)
  }

  @Test func `until the first key press the first photo is selected, even if it changes`() {
    var browser = Browser(
      options: Browser.Options(), cells: CellSize(columns: 80, rows: 24), metrics: .standard)
    let now = Instant(seconds: 1)
    _ = browser.handle(.found(ids(5..<20)), at: now)
    _ = browser.handle(.listingReplaced(ids(0..<20)), at: now)
    #expect(browser.current == Photo.ID(0))
    #expect(browser.grid.scroll.target == 0)
    _ = browser.handle(.key(.character("l")), at: now)
    _ = browser.handle(.listingReplaced(ids(Array(20..<30) + Array(0..<20))), at: now)
    #expect(browser.current == Photo.ID(1))
  }

  // MARK: - An open photo

  @Test func `an open photo stays open when photos are reordered, and closes into its new tile`()
    throws
  {
    var story = Story(photos: 12)
    story.keys("l")
    story.send(.key(.enter))
    story.wait(0.5)
    let out = try #require(story.out)

    story.send(.listingReplaced(ids((0..<12).reversed())))

    #expect(story.out == out)
    #expect(story.browser.current == Photo.ID(1))
    story.send(.key(.escape))
    story.wait(0.2)
    story.send(.listingReplaced(ids(0..<12)))
    story.wait(0.3)
    let landing = try #require(story.out)
    #expect(landing.photo == Photo.ID(1))
    #expect(landing.frame.center.distance(to: story.tile(1).center) < 20)
    story.wait(0.1)
    #expect(story.browser.viewer == nil)
  }

  @Test func `an open photo that is removed is replaced by the next one`() throws {
    var story = Story(photos: 12)
    story.keys("l")
    story.send(.key(.enter))
    story.wait(0.5)
    let before = try #require(story.out)

    story.send(.listingReplaced(ids([0] + Array(2..<12))))

    #expect(story.browser.current == Photo.ID(2))
    let parting = try #require(story.scene.placements.last)
    #expect(parting == before)
    story.wait(0.4)
    #expect(story.browser.viewer?.phase == .resting)
    #expect(story.scene.placements.map(\.photo) == [Photo.ID(2)])
  }

  @Test func `a dragged photo that is removed fades under the pointer, and the grid returns`()
    throws
  {
    var story = Story(photos: 12)
    story.send(.key(.enter))
    story.wait(0.5)
    story.mouse(.pressed(.left), 500, 100)
    story.wait(0.1)
    story.mouse(.dragged(.left), 520, 300)
    let before = try #require(story.out)
    let grid = try #require(story.scene.placements.first).opacity

    story.send(.listingReplaced(ids(1..<12)))

    #expect(story.scene.placements.last == before)
    #expect(abs(try #require(story.scene.placements.first).opacity - grid) < 1e-9)
    #expect(story.browser.viewer == nil)
    story.wait(0.4)
    #expect(story.scene.placements.map(\.photo) == ids(1..<12))
    #expect(story.scene.placements.allSatisfy { $0.opacity == 1 })
  }

  // MARK: - Motion settings

  @Test func `with reduced motion no tile moves`() {
    var story = Story(photos: 12, motion: .reduced)
    let places = (0..<12).map { story.tile($0) }
    story.send(.listingReplaced(ids((0..<12).reversed())))
    for _ in 0..<30 {
      story.wait(0.02)
      #expect(story.scene.placements.allSatisfy { places.contains($0.frame) })
    }
    #expect(story.scene.placements.allSatisfy { $0.opacity == 1 })
  }

  @Test func `without motion the new order appears at once`() {
    var story = Story(photos: 12, motion: .none)
    story.send(.listingReplaced(ids(3..<12)))
    #expect(!story.browser.isAnimating(at: story.now))
    #expect(story.scene.placements.map(\.photo) == ids(3..<12))
  }

  // MARK: - Random changes

  @Test(arguments: seeds(1...60))
  func `through random changes no tile jumps, and none is on the screen twice`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = [5, 40, 400, 3000][seed % 4]
    var story = Story(photos: count)
    var known = count
    for step in 0..<40 {
      let before = Dictionary(uniqueKeysWithValues: story.scene.placements.map { ($0.photo, $0) })
      let photos = story.browser.items
      let selected = story.browser.current
      var order = photos
      switch Int.random(in: 0..<5, using: &random) {
      case 0: order.shuffle(using: &random)
      case 1: order.reverse()
      case 2:
        for _ in 0..<Int.random(in: 1...30, using: &random) {
          order.insert(Photo.ID(known), at: Int.random(in: 0...order.count, using: &random))
          known += 1
        }
      case 3:
        order.removeAll { _ in Int.random(in: 0..<10, using: &random) == 0 }
      default:
        let keys: [Key] = [.tab, .end, .home, .pageDown, .character("+"), .character("-"), .down]
        story.send(.key(keys.randomElement(using: &random) ?? .tab))
        story.wait(Double.random(in: 0...0.3, using: &random))
        continue
      }

      story.send(.listingReplaced(order))

      let scene = story.scene
      let seen = Set(scene.placements.map(\.photo))
      let trace = "seed \(seed), step \(step)"
      #expect(seen.count == scene.placements.count, "\(trace): a photo is seen twice")
      #expect(scene.size == story.browser.viewport.pictureSize)
      for (photo, old) in before {
        guard let new = scene.placements.first(where: { $0.photo == photo }) else {
          Issue.record("\(trace): \(photo) vanished at once")
          return
        }
        let jump = abs(new.frame.minX - old.frame.minX) + abs(new.frame.maxY - old.frame.maxY)
        #expect(jump < 1e-6, "\(trace): \(photo) jumped by \(jump)")
        #expect(abs(new.opacity - old.opacity) < 1e-9, "\(trace): \(photo) flashes")
      }
      for placement in scene.placements where before[placement.photo] == nil {
        #expect(placement.opacity == 0, "\(trace): \(placement.photo) appears at once")
      }
      if let selected, order.contains(selected) {
        #expect(story.browser.current == selected, "\(trace): another one is selected")
      }
      #expect(story.browser.items == order)
      story.wait(Double.random(in: 0...0.3, using: &random))
    }
    story.wait(2)
    #expect(!story.browser.isAnimating(at: story.now))
    let view = story.browser.viewport.pictureArea
    let resting = story.scene.placements
    #expect(
      resting.map(\.photo)
        == story.browser.items.indices.filter { story.tile($0).intersects(view) }
        .map { story.browser.items[$0] })
    #expect(resting.allSatisfy { $0.opacity == 1 })
    if !story.browser.items.isEmpty {
      #expect(story.tile(story.browser.selection).intersects(view))
    }
  }
}
