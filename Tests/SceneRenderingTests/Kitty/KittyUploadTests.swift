import Geometry
import Photos
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

/// How pictures get to the terminal beside all other output.
struct KittyUploadTests {
  init() { UTF8Locale.use() }

  private static func tiles(_ count: Int) -> [Placement] {
    (0..<count).map {
      .clipped(
        $0,
        PixelRect(
          x: 4 + Double($0 % 8) * 124, y: 4 + Double($0 / 8) * 124, width: 121, height: 121))
    }
  }

  private static func story(_ medium: KittyMedium, photos: Int) -> KittyStory {
    KittyStory(
      columns: 100, rows: 30, medium: medium, photos: (0..<photos).map { SmoothPhoto($0) })
  }

  @Test func `a frame uploads no more than the limit per frame`() throws {
    var story = Self.story(.direct, photos: 32)
    let tiles = Self.tiles(32)
    let scene = story.scene(tiles, ring: Scene.Ring(tile: tiles[12].frame, opacity: 1))
    try story.show(story.scene([]))
    var frames = 0
    repeat {
      let bytes = try story.show(scene)
      // One image may go beyond the limit.
      #expect(bytes.uploads.count < KittyLimits.bytesPerFrame + 120_000)
      frames += 1
    } while story.renderer.isUnfinished
    #expect(frames > 4)
  }

  @Test func `the photos nearest to the selection are uploaded first`() throws {
    var story = Self.story(.direct, photos: 32)
    let tiles = Self.tiles(32)
    let scene = story.scene(tiles, ring: Scene.Ring(tile: tiles[12].frame, opacity: 1))
    try story.show(story.scene([]))
    /// The distances of the tiles that each frame adds.
    var frames: [[Double]] = []
    var shown: Set<Int> = []
    repeat {
      try story.show(scene)
      frames.append([])
      for tile in tiles where !shown.contains(tile.photo.index) {
        let center = tile.frame.center
        let isShown = story.screen.placements.values.contains {
          $0.cells.size.columns < 20
            && $0.cells.contains(column: Int(center.x) / 10, row: Int(center.y) / 20)
        }
        guard isShown else { continue }
        shown.insert(tile.photo.index)
        frames[frames.count - 1].append(center.distance(to: tiles[12].frame.center))
      }
    } while story.renderer.isUnfinished
    #expect(shown.count == 32)
    #expect(frames[0].contains(0))
    let added = frames.filter { !$0.isEmpty }
    for (earlier, later) in zip(added, added.dropFirst()) {
      let (farthest, nearest) = (earlier.max() ?? 0, later.min() ?? 0)
      #expect(farthest <= nearest + 1e-6)
    }
  }

  @Test func `a large picture is scaled over several frames, and a coarser one is shown meanwhile`()
    throws
  {
    var story = Self.story(.sharedMemory, photos: 1)
    let tile = story.scene([.clipped(0, PixelRect(x: 33, y: 41, width: 121, height: 121))])
    try story.settle(tile)
    let frame = PixelRect(x: 100, y: 0, width: 800, height: 600)
    let scene = story.scene([.clipped(0, frame)])

    try story.show(scene)
    #expect(story.renderer.isUnfinished)
    #expect(
      story.difference(from: scene, tolerance: 12, slack: PixelSize(width: 4, height: 4)) == nil)
    try story.settle(scene)
    #expect(story.difference(from: scene) == nil)
  }

  @Test func `a large picture of which there is no coarser one is there with the first frame`()
    throws
  {
    var story = KittyStory(
      columns: 100, rows: 30, photos: [SmoothPhoto(0, width: 1600, height: 1200)])
    try story.show(story.scene([]))
    let scene = story.scene([.clipped(0, PixelRect(x: 100, y: 0, width: 800, height: 600))])
    try story.show(scene)
    #expect(story.difference(from: scene) == nil)
    #expect(story.screen.images.values.contains { $0.width >= 800 })
  }

  @Test func `the terminal scales a small picture up until nothing happens`() throws {
    var story = Self.story(.sharedMemory, photos: 2)
    try story.show(story.scene([]))
    let frame = PixelRect(x: 100, y: 0, width: 800, height: 600)
    for photo in [0, 1] {
      let scene = story.scene([.clipped(photo, frame)])
      for _ in 0..<10 { try story.show(scene) }
      #expect(story.renderer.isUnfinished)
      #expect(story.screen.images.values.allSatisfy { $0.width < 400 }, "the next one is soon here")
      #expect(
        story.difference(from: scene, tolerance: 12, slack: PixelSize(width: 4, height: 4)) == nil)
    }
    let scene = story.scene([.clipped(1, frame)])
    try story.settle(scene)
    #expect(story.screen.images.values.contains { $0.width >= 800 })
    #expect(story.difference(from: scene) == nil)
  }

  @Test func `a picture of as many pixels as its place is there at once, over a coarser one too`()
    throws
  {
    var story = KittyStory(
      columns: 100, rows: 30, photos: [SmoothPhoto(0, width: 800, height: 600)])
    let tile = story.scene([.clipped(0, PixelRect(x: 33, y: 41, width: 121, height: 121))])
    try story.settle(tile)
    let scene = story.scene([.clipped(0, PixelRect(x: 100, y: 0, width: 800, height: 600))])
    try story.show(scene)
    #expect(story.difference(from: scene, tolerance: 1) == nil)
  }

  @Test func `pixels that need no scaling are copied`() throws {
    let bitmap = Bitmap(width: 50, height: 40) { x, y in RGB(UInt8(x), UInt8(y), UInt8(x ^ y)) }
    // A part that begins at a fraction of a pixel is as sharp as the picture.
    let region = PixelRect(x: 10.3 / 50, y: 5.2 / 40, width: 30.0 / 50, height: 20.0 / 40)
    let scaling = try #require(
      PictureScaling(Mipmap(bitmap), region: region, width: 30, height: 20))
    #expect(scaling.remaining == 0)
    for y in 0..<20 {
      let start = ((y + 5) * 50 + 10) * 4
      #expect(
        scaling.raster.pixels[y * 30 * 4..<(y + 1) * 30 * 4] == bitmap.pixels[start..<start + 120])
    }
    let other = try #require(
      PictureScaling(Mipmap(bitmap), region: region, width: 33, height: 20))
    #expect(other.remaining == 33 * 20)
  }

  @Test(arguments: KittyMedium.allCases, [true, false])
  func `frames of videos alone are transient, where the terminal knows that`(
    medium: KittyMedium, isKnown: Bool
  ) throws {
    var story = KittyStory(
      columns: 100, rows: 30, medium: medium, photos: [SmoothPhoto(0)],
      knowsTransientImages: isKnown)
    func uploads(ofFrame frameIndex: Int?) throws -> (count: Int, transient: Int) {
      var tile = Placement.clipped(0, PixelRect(x: 33, y: 41, width: 121, height: 121))
      tile.frameIndex = frameIndex
      var text = ""
      repeat {
        text += String(decoding: try story.show(story.scene([tile])).uploads, as: UTF8.self)
      } while story.renderer.isUnfinished
      return (text.split(separator: "_Ga=t").count - 1, text.split(separator: ",N=1,").count - 1)
    }
    try story.settle(story.scene([]))
    let photo = try uploads(ofFrame: nil)
    #expect(photo.count > 0 && photo.transient == 0)
    let frame = try uploads(ofFrame: 1)
    #expect(frame.count > 0 && (frame.transient > 0) == isKnown)
  }

  @Test func `a better picture replaces a coarse one without a gap`() throws {
    var story = Self.story(.sharedMemory, photos: 1)
    let scene = story.scene([.clipped(0, PixelRect(x: 33, y: 41, width: 121, height: 121))])
    story.contents[0] = .picture(SmoothPhoto(7, width: 16, height: 12).mipmap)
    try story.settle(scene)
    story.contents[0] = .picture(SmoothPhoto(0).mipmap)

    for _ in 0..<4 {
      try story.show(scene)
      let center = story.screen.pixel(93, 101, over: KittyStory.background)
      #expect(center != KittyStory.background.pixel)
    }

    #expect(story.difference(from: scene) == nil)
    // The whole photo is kept for flights, beside the tile.
    #expect(story.screen.images.count <= 3)
  }

  @Test func `a new picture of the same size replaces the old one`() throws {
    var story = Self.story(.direct, photos: 1)
    let scene = story.scene([.clipped(0, PixelRect(x: 33, y: 41, width: 121, height: 121))])
    story.contents[0] = .picture(SmoothPhoto(7).mipmap)
    try story.settle(scene)
    #expect(story.difference(from: scene) != nil)

    story.contents[0] = .picture(SmoothPhoto(0).mipmap)
    try story.settle(scene)

    #expect(story.difference(from: scene) == nil)
  }

  @Test func `a picture that was evicted from memory is still shown`() throws {
    var story = Self.story(.sharedMemory, photos: 1)
    let scene = story.scene([.clipped(0, PixelRect(x: 33, y: 41, width: 121, height: 121))])
    try story.settle(scene)
    let expected = story.expected(scene)

    story.contents[0] = .waiting(nil)
    try story.settle(scene)

    let seen = story.screen.rendered(over: KittyStory.background)
    #expect(seen.differences(from: expected, tolerance: 4).count == 0)
  }

  @Test func `on a slow link a coarse picture is uploaded only when nothing else happens`() throws {
    var story = Self.story(.direct, photos: 1)
    // Half as wide as the tile, so a better picture will follow.
    story.contents[0] = .picture(SmoothPhoto(0, width: 64, height: 48).mipmap)
    let scene = story.scene([.clipped(0, PixelRect(x: 33, y: 41, width: 121, height: 121))])
    try story.show(scene)
    let uploads = story.screen.uploadCount

    for _ in 0..<10 { try story.show(scene) }
    #expect(story.screen.uploadCount == uploads)
    try story.settle(scene)

    #expect(story.screen.uploadCount > uploads)
    #expect(story.difference(from: scene) == nil)
  }

  @Test func `a photo that is opened over the stream lands sharp, in one frame`() throws {
    var story = KittyStory(
      columns: 60, rows: 20, medium: .direct,
      photos: [SmoothPhoto(0, width: 800, height: 600), SmoothPhoto(1)])
    let tile = PixelRect(x: 210, y: 90, width: 80, height: 60)
    let landed = PixelRect(x: 33, y: 0, width: 533, height: 400)
    func scene(_ share: Double, isMoving: Bool = true) -> Scene {
      func between(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
      let frame = PixelRect(
        x: between(tile.minX, landed.minX), y: between(tile.minY, landed.minY),
        width: between(tile.width, landed.width), height: between(tile.height, landed.height))
      return story.scene(
        [.clipped(1, PixelRect(x: 200, y: 80, width: 100, height: 80)), .clipped(0, frame)],
        isMoving: isMoving)
    }
    try story.settle(scene(0, isMoving: false))
    for step in 1...20 { try story.show(scene(Double(step) / 20)) }

    try story.show(scene(1, isMoving: false))

    #expect(story.difference(from: scene(1, isMoving: false)) == nil)
    // All of it was sent ahead.
    #expect(story.frame.uploads.count < 2000, "\(story.frame.uploads.count) bytes")
  }
}
