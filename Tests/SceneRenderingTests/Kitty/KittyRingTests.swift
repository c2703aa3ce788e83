import Geometry
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

struct KittyRingTests {
  init() { UTF8Locale.use() }

  @Test(arguments: KittyMedium.allCases)
  func `the ring of a tile that flies above others touches its photo on all sides`(
    medium: KittyMedium
  ) throws {
    let color = Appearance(background: KittyStory.background).accent.pixel
    try Self.fly(medium) { story, scene, step in
      let screen = story.screen
      func shown(_ x: Int, _ y: Int) -> Pixel {
        screen.pixel(x, y, over: KittyStory.background)
      }
      let center = try #require(scene.ring).tile.center
      for (across, down) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
        var (x, y) = (Int(center.x), Int(center.y))
        // Next to each other, colors of a photo hardly differ.
        while shown(x, y).isNear(shown(x + across, y + down)) { (x, y) = (x + across, y + down) }
        // Between them there may be pixels of both.
        let behind = (1...3).map { shown(x + $0 * across, y + $0 * down) }
        #expect(behind.contains { $0.isNear(color) }, "step \(step), \(across), \(down)")
      }
    }
  }

  @Test(arguments: KittyMedium.allCases)
  func `the ring of a tile that is selected and marked is closed, and has the corners of a mark`(
    medium: KittyMedium
  ) throws {
    var story = KittyStory(
      columns: 24, rows: 14, medium: medium, photos: (0..<2).map { SmoothPhoto($0) })
    let tiles = [4.0, 60].map { PixelRect(x: $0, y: 4, width: 53, height: 53) }
    let appearance = Appearance(background: KittyStory.background)
    for outline in [false, true] {
      var scene = story.scene(
        tiles.indices.map { .clipped($0, tiles[$0]) },
        ring: Scene.Ring(tile: tiles[0], opacity: 1, meaning: .selectedAndMarked))
      if outline {
        var stack = Scene.Ring(
          tile: PixelRect(x: 3, y: 3, width: 111, height: 55), opacity: 1, meaning: .stack)
        stack.breadth = PixelSize(width: 1, height: 1)
        scene.outlines = [stack]
      }
      try story.settle(scene)
      #expect(story.difference(from: scene) == nil)
      let shown = { story.screen.pixel($0, $1, over: KittyStory.background) }
      for index in 1..<59 {
        let color = (12...48).contains(index) ? appearance.accent : appearance.mark
        for (x, y) in [(index, 2), (index, 58), (2, index), (58, index)] {
          #expect(shown(x, y).isNear(color.pixel), "\(x), \(y)")
        }
      }
    }
  }

  @Test(arguments: [KittyMedium.sharedMemory, .temporaryFile])
  func `a tile that flies above others is as large as its frame where the terminal is near`(
    medium: KittyMedium
  ) throws {
    try Self.fly(medium) { story, scene, step in
      let (screen, expected) = (story.screen, story.expected(scene))
      let tile = try #require(scene.ring).tile
      // The edges may be off by a pixel.
      let wrong = expected.places(in: tile.insetBy(1)).count { x, y, _ in
        !screen.pixel(x, y, over: KittyStory.background).isNear(expected[x, y])
      }
      #expect(wrong == 0, "step \(step)")
    }
  }

  /// Shows a tile that flies above its neighbors while its crop opens, and checks every frame.
  private static func fly(
    _ medium: KittyMedium, check: (KittyStory, Scene, Int) throws -> Void
  ) throws {
    var story = KittyStory(
      columns: 24, rows: 14, medium: medium, photos: (0..<6).map { SmoothPhoto($0) })
    var tiles = (0..<6).map {
      Placement.clipped(
        $0,
        PixelRect(
          x: 4 + Double($0 % 3) * 56, y: 4 + Double($0 / 3) * 56, width: 53, height: 53))
    }
    let start = tiles[1].frame
    try story.settle(story.scene(tiles, ring: Scene.Ring(tile: start, opacity: 1)))
    let raised = tiles.remove(at: 1).photo.index

    for step in 1...30 {
      // The crop opens while the tile flies.
      let share = Double(step) / 30
      let frame = PixelRect(
        x: start.minX + 37 * share, y: start.minY + 91 * share, width: 53 + 61 * share,
        height: 53 + 13 * share)
      let scene = story.scene(
        tiles + [.clipped(raised, frame)],
        ring: Scene.Ring(tile: frame, opacity: 1, isRaised: true), isMoving: true)
      try story.show(scene)
      try check(story, scene, step)
    }
  }
}

extension Pixel {
  /// Whether no channel differs much from that of another pixel.
  fileprivate func isNear(_ other: Pixel) -> Bool {
    abs(red - other.red) < 12 && abs(green - other.green) < 12 && abs(blue - other.blue) < 12
  }
}
