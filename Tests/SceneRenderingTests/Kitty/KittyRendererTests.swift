import Geometry
import Photos
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

struct KittyRendererTests {
  init() { UTF8Locale.use() }

  /// Tiles of 53 pixels, 3 apart, none of them aligned to cells.
  static func tiles(
    _ count: Int, columns: Int = 3, scrolledBy offset: Double = 0, opacity: Double = 1
  ) -> [Placement] {
    (0..<count).map {
      Placement.clipped(
        $0,
        PixelRect(
          x: 4 + Double($0 % columns) * 56, y: 4 + Double($0 / columns) * 56 - offset, width: 53,
          height: 53), opacity: opacity)
    }
  }

  /// Creates an empty terminal with a renderer and smooth photos.
  static func story(
    _ medium: KittyMedium = .sharedMemory, photos count: Int = 6, columns: Int = 20, rows: Int = 10
  ) -> KittyStory {
    KittyStory(
      columns: columns, rows: rows, medium: medium, photos: (0..<count).map { SmoothPhoto($0) })
  }

  /// A photo that flies from its tile to the whole screen, while the crop opens and the grid fades.
  static func zoom(_ story: KittyStory, at share: Double) -> Scene {
    let tiles = tiles(6)
    let start = tiles[1].frame
    let end = PixelRect(
      origin: .zero, size: story.area
    ).wholePhoto(of: PixelSize(width: 4, height: 3), placementStep: PixelSize(width: 1, height: 1))
    func between(_ from: Double, _ to: Double) -> Double { from + (to - from) * share }
    let frame = PixelRect(
      x: between(start.minX, end.minX), y: between(start.minY, end.minY),
      width: between(start.width, end.width), height: between(start.height, end.height))
    var placements: [Placement] = []
    if share < 1 {
      placements = tiles.filter { $0.photo != Photo.ID(1) }
      for index in placements.indices { placements[index].opacity = 1 - share }
    }
    return story.scene(
      placements + [.clipped(1, frame)],
      ring: share < 1 ? Scene.Ring(tile: start, opacity: 1 - share) : nil,
      isMoving: share > 0 && share < 1)
  }

  // MARK: - Still scenes

  @Test(arguments: KittyMedium.allCases)
  func `tiles have exactly the pixels of the layout`(medium: KittyMedium) throws {
    var story = Self.story(medium)
    let tiles = Self.tiles(6)
    let scene = story.scene(tiles, ring: Scene.Ring(tile: tiles[1].frame, opacity: 1))

    try story.settle(scene)

    #expect(story.difference(from: scene) == nil)
    #expect(story.pictures.isEmpty)
  }

  @Test(arguments: KittyMedium.allCases)
  func `marked tiles have their own rings, and the selection's ring lies above them`(
    medium: KittyMedium
  ) throws {
    var story = Self.story(medium)
    let tiles = Self.tiles(6)
    var scene = story.scene(tiles, ring: Scene.Ring(tile: tiles[1].frame, opacity: 1))
    scene.marks = [0, 2, 4].map { Scene.Ring(tile: tiles[$0].frame, opacity: 1, meaning: .marked) }

    try story.settle(scene)
    #expect(story.difference(from: scene) == nil)

    scene.ring?.meaning = .selectedAndMarked
    scene.marks.removeFirst()
    try story.settle(scene)
    #expect(story.difference(from: scene) == nil)

    scene.marks = []
    try story.settle(scene)
    #expect(story.difference(from: scene) == nil)
  }

  @Test func `a scene that is already shown takes no bytes`() throws {
    var story = Self.story()
    let scene = story.scene(
      Self.tiles(6), ring: Scene.Ring(tile: Self.tiles(1)[0].frame, opacity: 1))
    try story.settle(scene)

    let bytes = try story.show(scene)

    #expect(bytes.isEmpty)
  }

  @Test(arguments: KittyMedium.allCases)
  func `a photo on the whole screen is drawn exactly`(medium: KittyMedium) throws {
    var story = Self.story(medium, columns: 60, rows: 21)
    let scene = Self.zoom(story, at: 1)

    try story.settle(scene)

    #expect(story.difference(from: scene) == nil)
  }

  @Test func `waiting tiles are drawn exactly too`() throws {
    var story = Self.story()
    story.contents[2] = .waiting(RGB(90, 40, 60))
    let scene = story.scene(
      Self.tiles(6)
        + [
          Placement(
            photo: .unlisted, frame: PixelRect(x: 4, y: 140, width: 53, height: 53), crop: .unit)
        ])

    try story.settle(scene)

    #expect(story.difference(from: scene) == nil)
  }

  @Test func `tiles that reach beyond the screen are cropped`() throws {
    var story = Self.story(photos: 12)
    let scene = story.scene(Self.tiles(12, scrolledBy: 31))

    try story.settle(scene)

    #expect(story.difference(from: scene) == nil)
  }

  @Test func `only the visible part of a photo larger than the screen is sent`() throws {
    var story = Self.story()
    let frame = PixelRect(x: -1000, y: -2000, width: 4000, height: 3000)
    let scene = story.scene([.clipped(0, frame)])

    try story.settle(scene)

    #expect(story.difference(from: scene) == nil)
    #expect(story.screen.images.values.allSatisfy { $0.width <= 300 && $0.height <= 300 })
  }

  @Test func `a photo with transparent pixels shows what is behind it`() throws {
    var story = Self.story()
    let width = 40
    var pixels = [UInt8](repeating: 0, count: width * width * 4)
    for x in 0..<width / 2 {
      for y in 0..<width {
        for (channel, value) in [200, 100, 0, 255].enumerated() {
          pixels[(y * width + x) * 4 + channel] = UInt8(value)
        }
      }
    }
    story.contents[1] = .picture(
      Mipmap(Bitmap(width: width, height: width, pixels: pixels, isOpaque: false)))
    let frame = PixelRect(x: 33, y: 47, width: 40, height: 40)
    let scene = story.scene([
      .clipped(0, PixelRect(x: 13, y: 27, width: 120, height: 90)),
      Placement(photo: Photo.ID(1), frame: frame, crop: .unit),
    ])

    try story.settle(scene)

    let map = story.screen.rendered(over: KittyStory.background)
    let behind = story.expected(story.scene([scene.placements[0]]))
    for (x, y) in [(34, 48), (51, 86), (34, 86)] { #expect(map[x, y] == Pixel(200, 100, 0)) }
    for (x, y) in [(54, 48), (72, 86), (32, 50), (40, 46)] {
      #expect(map.difference(behind, x: x, y: y) <= 4, "\(x),\(y): \(map[x, y])")
    }
  }

  @Test func `labels and messages are in cells that no image covers`() throws {
    var story = Self.story()
    story.contents[0] = .failed("broken")
    let label = Scene.Label(
      text: "name.jpg", frame: PixelRect(x: 70, y: 160, width: 100, height: 20), opacity: 1)
    let frame = PixelRect(x: 0, y: 20, width: 100, height: 60)
    let scene = story.scene([.clipped(0, frame), Self.tiles(3)[2]], labels: [label])

    try story.settle(scene)

    func text(_ row: Int, _ columns: Range<Int>) -> String {
      columns.map { story.screen.text[$0, row].text }.joined()
    }
    #expect(text(8, 7..<15) == "name.jpg")
    #expect(text(2, 2..<8) == "broken")
    for placement in story.screen.placements.values {
      #expect(placement.cells.origin.column >= 10, "an image over the words")
    }
  }

  // MARK: - Panels and cleared screens

  @Test func `no image is placed under a panel`() throws {
    var story = Self.story()
    let scene = story.scene(
      Self.tiles(6), ring: Scene.Ring(tile: Self.tiles(5)[4].frame, opacity: 1))
    let mask = CellRect(
      origin: CellPoint(column: 3, row: 1), size: CellSize(columns: 9, rows: 4))
    try story.settle(scene)
    story.renderer.mask = mask
    try story.settle(scene)

    for placement in story.screen.placements.values {
      let isClear =
        placement.cells.columns.clamped(to: mask.columns).isEmpty
        || placement.cells.rows.clamped(to: mask.rows).isEmpty
      #expect(isClear, "\(placement)")
    }
    let map = story.screen.rendered(over: KittyStory.background)
    let expected = story.expected(scene)
    for y in 0..<map.height {
      for x in 0..<map.width
      where !mask.contains(column: x / 10, row: y / 20) && map.difference(expected, x: x, y: y) > 4
      {
        Issue.record("\(x),\(y) differs")
        return
      }
    }
    story.renderer.mask = nil
    try story.settle(scene)
    #expect(story.difference(from: scene) == nil)
  }

  @Test func `everything is drawn again on a cleared screen`() throws {
    var story = Self.story()
    let scene = story.scene(Self.tiles(6))
    try story.settle(scene)

    story.screen.clear()
    story.renderer.invalidate()
    try story.settle(scene)

    #expect(story.difference(from: scene) == nil)
  }

  @Test(arguments: KittyMedium.allCases)
  func `all images are freed at the end`(medium: KittyMedium) throws {
    var story = Self.story(medium, columns: 60, rows: 21)
    for step in 0...4 { try story.settle(Self.zoom(story, at: Double(step) / 4)) }
    #expect(story.screen.images.count > 8)

    try story.screen.apply(story.renderer.cleanupBytes())

    #expect(story.screen.images.isEmpty)
    #expect(story.screen.placements.isEmpty)
    #expect(story.renderer.cleanupBytes().isEmpty)
  }
}
