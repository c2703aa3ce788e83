@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import TestSupport
import Testing

/// Motion between photos, months and years.
extension PeriodStoryTests {
  @Test func `the screen of photos shrinks into its month, which grows out of it again`() throws {
    var world = PeriodStory([7, 3, 40])
    world.story.keys("gm")
    world.story.wait(2)
    let before = world.story.scene.placements
    world.story.keys("zo")
    #expect(world.story.scene.placements.filter { $0.opacity > 0 } == before, "nothing has changed")
    let tile = try #require(world.periods?.restingFrame(at: 0))
    let photo = try #require(before.first)
    var last = photo.frame
    for _ in 0..<20 {
      world.story.wait(1.0 / 60)
      guard let now = world.story.scene.placements.last(where: { $0.photo == photo.photo }) else {
        break
      }
      #expect(now.frame.width <= last.width + 1e-9)
      last = now.frame
    }
    world.story.wait(1)
    #expect(!world.story.browser.isAnimating(at: world.story.now))
    for frame in world.story.scene.placements.filter({ $0.photo == photo.photo }).map(\.frame) {
      #expect(tile.contains(frame.center))
    }
    world.story.send(.key(.enter))
    world.story.wait(1)
    #expect(world.story.scene.placements == before)
  }

  @Test(arguments: [0.02, 0.1, 0.2, 0.3])
  func `turned back in the middle, nothing jumps`(share: Double) {
    for (out, back) in [("zo", Key.escape), ("zo", .enter), ("zo", .character("+"))] {
      var world = PeriodStory(Array(repeating: 40, count: 20))
      world.story.keys("gm100G")
      world.story.wait(2)
      let before = world.story.scene.placements
      for keys in [out, out] {
        world.story.keys(keys)
        world.story.wait(share)
        let middle = visible(world)
        world.story.send(.key(back))
        #expect(isClose(middle, visible(world)), "\(back) after \(share)")
        world.story.wait(share / 2)
        let later = visible(world)
        world.story.keys(keys)
        #expect(isClose(later, visible(world)), "and out again")
        world.story.wait(1)
      }
      world.press(.escape)
      world.press(.escape)
      #expect(world.story.scene.placements == before)
    }
  }

  @Test func `two steps out at once go on from the picture of the first`() {
    var world = PeriodStory(Array(repeating: 40, count: 20))
    world.story.keys("zo")
    world.story.wait(0.15)
    let middle = visible(world)
    world.story.keys("zo")
    #expect(isClose(middle, visible(world)))
    world.story.wait(1)
    #expect(world.labels == ["2020 · 480 photos", "2021 · 320 photos"])
  }

  /// What is visible: the frames and opacities of photos, by photo.
  private func visible(_ world: PeriodStory) -> [Placement] {
    world.story.scene.placements.filter {
      $0.opacity > 0.01 && $0.photo != .unlisted
        && $0.frame.intersects(world.story.browser.viewport.pictureArea)
    }
  }

  private func isClose(_ some: [Placement], _ others: [Placement]) -> Bool {
    guard some.count == others.count else { return false }
    return some.allSatisfy { one in
      others.contains { other in
        one.photo == other.photo && abs(one.opacity - other.opacity) < 0.02
          && abs(one.frame.minX - other.frame.minX) + abs(one.frame.maxY - other.frame.maxY) < 1
      }
    }
  }

  @Test func `reduced motion fades, and none shows the months at once`() {
    var world = PeriodStory([7, 3, 40], motion: .reduced)
    let before = world.story.scene.placements
    world.story.keys("zo")
    world.story.wait(0.1)
    let frames = Set(before.map { "\($0.photo) \($0.frame)" })
    #expect(
      world.story.scene.placements.suffix(before.count).allSatisfy {
        frames.contains("\($0.photo) \($0.frame)")
      })
    world = PeriodStory([7, 3, 40], motion: .none)
    world.story.keys("zo")
    #expect(!world.story.browser.isAnimating(at: world.story.now) && world.labels.count == 3)
  }

  @Test func `a resize in the middle ends the zoom, and keeps the month in sight`() throws {
    var world = PeriodStory(Array(repeating: 4, count: 200))
    world.story.keys("700G")
    world.story.wait(2)
    world.story.keys("zo")
    world.story.wait(0.1)
    let selected = world.selected
    for (columns, rows) in [(40, 12), (200, 60), (3, 2), (0, 0), (80, 24)] {
      world.story.send(.resized(CellSize(columns: columns, rows: rows), .standard))
      _ = world.story.scene
      #expect(world.selected == selected)
    }
    let periods = try #require(world.periods)
    let area = world.story.browser.viewport.pictureArea
    #expect(area.contains(periods.restingFrame(at: periods.selection).center))
  }
}
