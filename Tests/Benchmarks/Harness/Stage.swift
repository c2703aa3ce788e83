import Foundation
import Geometry
import PhotoGridCore
import Photos
import SceneModel
import SceneRendering

/// A browser of 200 by 60 cells and the renderer of its scenes, without a program or a terminal around them.
struct Stage {
  /// What a frame took.
  struct Frame {
    /// The processor time of the event, the scene, and the drawing.
    var milliseconds: Double
    /// That of the drawing alone.
    var drawing: Double
    var bytes: Double
    /// Whether a tile in sight had no placement.
    var hasEmptyTile: Bool
  }

  static let cells = CellSize(columns: 200, rows: 60)
  static let blocks: [GlyphSet] = [.half, .quadrant, .sextant, .octant]
  /// The picture of an open photo.
  static let screenPicture = Mipmap(.synthetic(width: 1573, height: 1180, seed: 1))
  private static let tiles = (0..<12).map {
    Mipmap(.synthetic(width: 264, height: 198, seed: UInt64($0) + 2))
  }

  var browser: Browser
  var renderer: any SceneRenderer
  var now = Instant(seconds: 1)
  private var bytes = FrameBytes()

  init(_ renderer: any SceneRenderer) {
    self.renderer = renderer
    var metrics = CellMetrics.standard
    metrics.placementUnit = renderer.placementUnit
    metrics.samplesPerPixel = renderer.samplesPerPixel(cell: metrics.cell)
    browser = Browser(options: Browser.Options(), cells: Self.cells, metrics: metrics)
  }

  /// A renderer of block glyphs in 24-bit color.
  static func cells(_ glyphs: GlyphSet) -> any SceneRenderer {
    CellRenderer(glyphs: glyphs, depth: .full)
  }

  /// A renderer of kitty's protocol that hands over pictures by name.
  static func kitty() -> any SceneRenderer {
    KittyRenderer(
      PictureTraits(kittyMedium: .sharedMemory, appearance: Appearance(background: .black)),
      firstID: 1000
    ) { _, _ in Array("/name".utf8) }
  }

  /// Responds as a terminal that finds pictures by name.
  mutating func acceptPictures() { renderer.handle(graphicsReply: "Gi=1001;OK") }

  static func tile(_ placement: Placement) -> Mipmap {
    tiles[max(placement.photo.index, 0) % tiles.count]
  }

  mutating func tell(_ events: Event...) {
    for event in events { _ = browser.handle(event, at: now) }
  }

  mutating func advance(_ seconds: Double) { now = now.advanced(bySeconds: seconds) }

  /// Draws a frame, some seconds after the last one, after an event.
  mutating func frame(
    _ event: Event, after seconds: Double, closeUp: @escaping (Photo.ID) -> CloseUp?,
    content: (Placement) -> TileContent
  ) -> Frame {
    advance(seconds)
    bytes.removeAll()
    let start = processorSeconds
    tell(event)
    let scene = browser.scene(at: now, closeUp: closeUp)
    let drawing = processorSeconds
    renderer.frame(for: scene, metrics: browser.viewport.metrics, content: content, into: &bytes)
    let end = processorSeconds
    let drawn = Set(scene.placements.map(\.photo))
    return Frame(
      milliseconds: (end - start) * 1000, drawing: (end - drawing) * 1000,
      bytes: Double(bytes.uploads.count + bytes.picture.count),
      hasEmptyTile: browser.visibleTiles(at: now).contains { !drawn.contains($0) })
  }
}

extension Event {
  /// A press of the left button, or a motion with it.
  static func drag(_ x: Double, _ y: Double, isFirst: Bool = false) -> Event {
    .mouse(MouseEvent(isFirst ? .pressed(.left) : .dragged(.left), at: PixelPoint(x: x, y: y)))
  }

  /// Photos' files were read, which says how large the photos are.
  static func measured(
    _ photos: [Photo.ID], _ size: PixelSize = PixelSize(width: 4000, height: 3000)
  ) -> Event {
    let info = PhotoInfo(
      size: size, orientation: 1, format: .jpeg, stamp: FileStamp(byteCount: 1, modified: 0),
      taken: nil)
    return .filesRead(photos, InfoBlock(photos.map { _ in info }))
  }
}

func photos(_ numbers: Range<Int>) -> [Photo.ID] { numbers.map { Photo.ID($0) } }

extension Bitmap {
  /// An opaque picture with properties of photos: soft light, edges, texture and noise.
  static func synthetic(width: Int, height: Int, seed: UInt64) -> Bitmap {
    var state = seed &* .mixingStep | 1
    func random() -> Double {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Double(state >> 11) / Double(1 << 53)
    }
    func color() -> SIMD3<Double> { SIMD3(random(), random(), random()) * 255 }
    let discs = (0..<40).map { _ in
      (x: random(), y: random(), radius: 0.02 + 0.15 * random(), color: color())
    }
    let pixels = (0..<width * height).flatMap { index -> [UInt8] in
      let (u, v) = (Double(index % width) / Double(width), Double(index / width) / Double(width))
      var color = SIMD3<Double>(180 * u + 40, 120 + 80 * sin(6 * v), 200 - 150 * v)
      for disc in discs where hypot(u - disc.x, v - disc.y) < disc.radius { color = disc.color }
      let texture: Double = 25 * sin(90 * u + 60 * v) + 30 * (random() - 0.5)
      color += SIMD3(repeating: texture)
      return (0..<3).map { UInt8(max(0, min(255, color[$0]))) } + [255]
    }
    return Bitmap(width: width, height: height, pixels: pixels, isOpaque: true)
  }
}
