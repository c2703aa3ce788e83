import Geometry
import Photos
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

/// Several pictures of one photo with kitty's protocol: of the whole, of regions, and rotated.
struct KittyCloseUpTests {
  init() { UTF8Locale.use() }

  private static let red = RGB(200, 30, 40)
  private static let green = RGB(20, 180, 60)
  private static let blue = RGB(30, 60, 210)
  private static let region = PhotoRegion(x: 400, y: 300, width: 80, height: 60)
  private static let whole = PixelRect(x: 0, y: 0, width: 200, height: 160)
  private static let part = PixelRect(x: 60, y: 45, width: 80, height: 60)

  private static func plain(_ color: RGB, _ width: Int, _ height: Int) -> TileContent {
    .picture(Mipmap(Bitmap(width: width, height: height) { _, _ in color }))
  }

  /// Draws frames until the renderer sends nothing more for the placements.
  private func settle(
    _ story: inout KittyStory, _ placements: [Placement], isMoving: Bool = false,
    content: (Placement) -> TileContent
  ) throws {
    let scene = story.scene(placements, isMoving: isMoving)
    for _ in 0..<200 {
      var frame = FrameBytes()
      story.renderer.frame(
        for: scene, metrics: story.metrics, content: content, into: &frame)
      try story.screen.apply(frame)
      for reply in story.screen.takeReplies() { story.renderer.handle(graphicsReply: reply) }
      if !story.renderer.isUnfinished, frame.isEmpty { return }
    }
    throw KittyScreen.Wrong(what: "it never settles")
  }

  @Test(arguments: KittyMedium.allCases, [false, true])
  func `a region lies over the whole of the same photo, each with its own pixels`(
    medium: KittyMedium, isMoving: Bool
  ) throws {
    var story = KittyStory(columns: 20, rows: 8, medium: medium)
    let photo = Photo.ID(3)
    let placements = [
      Placement(
        photo: photo, frame: Self.whole, crop: PixelRect(x: 0.4, y: 0.4, width: 0.2, height: 0.2)),
      Placement(photo: photo, frame: Self.part, crop: .unit, region: Self.region),
    ]

    // The whole arrives before the region.
    try settle(&story, [placements[0]], isMoving: isMoving) { _ in Self.plain(Self.red, 100, 80) }
    try settle(&story, placements, isMoving: isMoving) {
      $0.region == nil ? Self.plain(Self.red, 100, 80) : Self.plain(Self.green, 80, 60)
    }

    let seen = story.screen.rendered(over: KittyStory.background)
    for y in 0..<160 {
      for x in 0..<200 {
        let place = PixelPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)
        let expected = Self.part.contains(place) ? Self.green : Self.red
        let pixel = seen[x, y]
        let difference =
          [
            pixel.red - Float(expected.red), pixel.green - Float(expected.green),
            pixel.blue - Float(expected.blue),
          ].map(abs).max() ?? 0
        guard difference < 3 else {
          Issue.record("\(pixel) instead of \(expected) at \(x), \(y)")
          return
        }
      }
    }
  }

  @Test(arguments: KittyMedium.allCases)
  func `a region replaces the previous one`(medium: KittyMedium) throws {
    var story = KittyStory(columns: 20, rows: 8, medium: medium)
    let crop = PixelRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
    for (x, color) in [(0, Self.red), (100, Self.green), (200, Self.blue)] {
      let region = PhotoRegion(x: x, y: 0, width: 400, height: 320)
      let placement = Placement(
        photo: Photo.ID(0), frame: Self.whole, crop: crop, region: region)

      try settle(&story, [placement]) { _ in Self.plain(color, 400, 320) }

      let seen = story.screen.rendered(over: KittyStory.background)
      #expect(abs(seen[100, 80].red - Float(color.red)) < 3)
      #expect(abs(seen[100, 80].blue - Float(color.blue)) < 3)
    }
  }

  @Test(arguments: KittyMedium.allCases)
  func `a rotated photo is another picture, even if its shape stays the same`(
    medium: KittyMedium
  ) throws {
    var story = KittyStory(columns: 20, rows: 8, medium: medium)
    for (number, color) in [(1, Self.red), (6, Self.green), (2, Self.blue), (1, Self.red)] {
      let placement = Placement(
        photo: Photo.ID(0), frame: Self.whole, crop: .unit,
        orientation: Orientation(number: number))

      // Each picture is a little smaller than the one before, so that it does not count as finer.
      try settle(&story, [placement]) { _ in Self.plain(color, 400 - number, 320 - number) }

      let seen = story.screen.rendered(over: KittyStory.background)
      #expect(abs(seen[100, 80].red - Float(color.red)) < 3, "\(number)")
      #expect(abs(seen[100, 80].green - Float(color.green)) < 3, "\(number)")
    }
  }
}
