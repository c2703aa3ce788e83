import Geometry
import SceneModel
import Testing

@testable import SceneRendering

/// Motion: scenes that scroll, zoom and fade.
extension KittyRendererTests {
  // MARK: - Motion

  @Test func `scrolling moves the images and uploads none`() throws {
    var story = Self.story(photos: 12)
    try story.settle(story.scene(Self.tiles(12)))
    let uploads = story.screen.uploadCount

    for offset in stride(from: 0.0, through: 50, by: 3.7) {
      let scene = story.scene(Self.tiles(12, scrolledBy: offset), isMoving: true)
      let bytes = try story.show(scene)

      #expect(bytes.picture.count < 12 * 110, "\(bytes.picture.count) bytes at \(offset)")
      let difference = story.difference(
        from: scene, tolerance: 6, slack: PixelSize(width: 0.5, height: 1))
      #expect(difference == nil, "at \(offset)")
    }

    #expect(story.screen.uploadCount == uploads)
  }

  @Test func `a photo is drawn correctly in every frame of its zoom`() throws {
    var story = Self.story()
    try story.settle(Self.zoom(story, at: 0))
    for step in Array(0...20) + (0..<20).reversed() {
      let scene = Self.zoom(story, at: Double(step) / 20)
      try story.show(scene)

      // Where the crop cuts a photo, its edge moves by whole cells.
      let difference = story.difference(
        from: scene, tolerance: 9, slack: PixelSize(width: 10, height: 20))
      #expect(difference == nil, "step \(step)")
    }
  }

  @Test
  func `levels change within one frame, and the new one is placed before the old one is removed`()
    throws
  {
    var story = Self.story(columns: 60, rows: 21)
    try story.settle(Self.zoom(story, at: 0))
    var levels: Set<UInt32> = []
    for step in 1...20 {
      let bytes = try story.show(Self.zoom(story, at: Double(step) / 20))
      let deletions = bytes.picture.ranges(of: Array("a=d,d=i".utf8))
      let puts = bytes.picture.ranges(of: Array("a=p".utf8))
      if let deletion = deletions.first {
        #expect(puts.allSatisfy { $0.lowerBound < deletion.lowerBound })
      }
      let front = story.screen.placements.values.max { $0.depth < $1.depth }
      levels.insert(try #require(front).image)
    }
    #expect(levels.count > 1)
  }

  @Test func `a moving photo does not wait for its larger level`() throws {
    var story = Self.story(.direct, columns: 100, rows: 30)
    try story.settle(Self.zoom(story, at: 0))
    for step in 1...20 {
      let bytes = try story.show(Self.zoom(story, at: Double(step) / 20))
      #expect(bytes.uploads.count < 100_000)
      let scene = Self.zoom(story, at: Double(step) / 20)
      let center = try #require(scene.placements.last).frame.center
      let expected = SmoothPhoto(1).color(0.5, 0.5)
      let seen = story.screen.pixel(Int(center.x), Int(center.y), over: KittyStory.background)
      #expect(
        abs(seen.red - expected.red) < 8 && abs(seen.green - expected.green) < 8,
        "step \(step): \(seen)")
    }
  }

  // MARK: - Fades

  @Test func `the grid fades to the background`() throws {
    var story = Self.story()
    let tiles = Self.tiles(6)
    for step in 0...16 {
      let opacity = 1 - Double(step) / 16
      let scene = story.scene(
        Self.tiles(6, opacity: opacity), ring: Scene.Ring(tile: tiles[4].frame, opacity: opacity),
        isMoving: false)

      try story.settle(scene)

      #expect(story.difference(from: scene, tolerance: 6) == nil, "at \(opacity)")
    }
  }

  @Test func `a photo that fades in over another passes through the background`() throws {
    var story = Self.story()
    let behind = Placement.clipped(0, PixelRect(x: 5, y: 5, width: 160, height: 120))
    var front = Placement.clipped(1, PixelRect(x: 5, y: 5, width: 160, height: 120))
    var distances: [Float] = []
    let background = KittyStory.background.pixel
    for step in 0...20 {
      front.opacity = Double(step) / 20
      try story.settle(story.scene([behind, front]))
      let seen = story.screen.pixel(85, 65, over: KittyStory.background)
      distances.append(abs(seen.red - background.red) + abs(seen.green - background.green))
    }

    #expect(distances[10] < 12)
    #expect(zip(distances[0...10], distances[1...10]).allSatisfy { $0 > $1 })
    #expect(zip(distances[10...20], distances[11...20]).allSatisfy { $0 < $1 })
    front.opacity = 1
    #expect(story.difference(from: story.scene([front])) == nil)
  }
}
