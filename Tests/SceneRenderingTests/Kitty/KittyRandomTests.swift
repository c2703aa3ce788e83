import Geometry
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

struct KittyRandomTests {
  init() { UTF8Locale.use() }

  @Test(arguments: 0..<12)
  func `after random scenes, faults and changes the screen shows the scene`(run: Int) throws {
    let seed = UInt64(run) * 7919 + 1
    var random = SeededGenerator(seed: seed)
    let medium = KittyMedium.allCases[run % 3]
    let cell = [(10, 20), (9, 18), (7, 15)][run / 3 % 3]
    var story = KittyStory(
      columns: 18, rows: 8, medium: medium, photos: (0..<9).map { SmoothPhoto($0) }, cell: cell)
    if run % 4 == 3 { story.renderer.store.cache.budget = 60_000 }
    for step in 0..<14 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        story.screen.clear()
        story.renderer.invalidate()
      case 1:
        try story.screen.apply(story.renderer.cleanupBytes())
        #expect(story.screen.images.isEmpty, "seed \(seed), step \(step)")
        story.renderer.invalidate()
        story.screen.clear()
      case 2:
        if let id = story.screen.images.keys.min() { story.screen.lose(id) }
        // A lost image is noticed only when it is placed again.
        story.renderer.invalidate()
        story.screen.clear()
      case 3: story.screen.refusals = ["EINVAL:chance"]
      case 4:
        let photo = Int.random(in: 0..<9, using: &random)
        story.contents[photo] = .waiting(random.color())
        // Otherwise images of it that the terminal still has would be shown.
        story.screen.clear()
        story.renderer.invalidate()
      case 5:
        for photo in 0..<9 { story.contents[photo] = .picture(story.photos[photo].mipmap) }
      default: break
      }
      // Frames in motion may look like anything, but must be well-formed.
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        var scene = Self.scene(story, &random)
        scene.isMoving = true
        for index in scene.placements.indices {
          scene.placements[index].frame = scene.placements[index].frame.offset(
            x: .random(in: -9...9, using: &random), y: .random(in: -9...9, using: &random))
        }
        try story.show(scene)
      }
      let scene = Self.scene(story, &random)
      try story.settle(scene)
      guard run % 4 != 3 else { continue }
      #expect(story.difference(from: scene, tolerance: 6) == nil, "seed \(seed), step \(step)")
    }
    try story.screen.apply(story.renderer.cleanupBytes())
    #expect(story.screen.images.isEmpty && story.screen.placements.isEmpty, "seed \(seed)")
  }

  /// Adjacent tiles, and in half of all cases a photo in front of them.
  private static func scene(_ story: KittyStory, _ random: inout SeededGenerator) -> Scene {
    let side = Double(Int.random(in: 30...60, using: &random))
    let columns = Int(story.area.width / (side + 3))
    let offset = Double(Int.random(in: 0...40, using: &random))
    let opacity = [1, 1, 0.75, 0.5, 0.25][Int.random(in: 0..<5, using: &random)]
    var placements = (0..<8).map { index in
      Placement.clipped(
        index,
        PixelRect(
          x: 2 + Double(index % columns) * (side + 3),
          y: 2 + Double(index / columns) * (side + 3) - offset, width: side, height: side),
        opacity: opacity)
    }.filter { $0.frame.intersects(PixelRect(origin: .zero, size: story.area)) }
    guard !placements.isEmpty else { return story.scene([]) }
    let tile = placements[Int.random(in: 0..<placements.count, using: &random)].frame
    if Bool.random(using: &random) {
      let frame = PixelRect(
        x: Double(Int.random(in: -30...60, using: &random)),
        y: Double(Int.random(in: -30...60, using: &random)),
        width: Double(Int.random(in: 40...200, using: &random)),
        height: Double(Int.random(in: 40...160, using: &random)))
      if frame.intersects(PixelRect(origin: .zero, size: story.area)) {
        placements.append(.clipped(8, frame))
      }
    }
    return story.scene(placements, ring: Scene.Ring(tile: tile, opacity: opacity))
  }
}
