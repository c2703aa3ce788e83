import Geometry
import Photos
import PseudoTerminal
import SceneModel
import SceneRendering
import TestSupport
import Testing

struct SixelRendererTests {
  init() { UTF8Locale.use() }

  /// Creates an empty terminal with a renderer for sixels.
  static func terminal(
    columns: Int = 24, rows: Int = 10, background: RGB? = nil, limit: PixelSize? = nil
  ) -> PixelTerminal {
    let traits = PictureTraits(
      sixelLimit: limit, appearance: Appearance(background: background), glyphs: .half)
    return PixelTerminal(SixelRenderer(traits), columns: columns, rows: rows)
  }

  private static let colors = [
    RGB(255, 0, 0), RGB(0, 255, 0), RGB(51, 102, 255), RGB(255, 255, 255), RGB(0, 0, 0),
  ]

  /// Each photo as a flat color.
  static func flat(_ placement: Placement) -> TileContent {
    .waiting(colors[placement.photo.index])
  }

  /// The color of the topmost placement or ring that covers a pixel; nil if nothing does.
  private static func expected(
    _ x: Int, _ y: Int, of scene: Scene, content: (Placement) -> TileContent
  ) -> RGB? {
    let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
    let point = PixelPoint(x: px, y: py)
    for placement in scene.placements.reversed() where placement.frame.contains(point) {
      switch content(placement) {
      case .waiting(let color): return color
      case .failed: return Appearance().quietTone
      case .picture(let picture):
        let at = (Int(px - placement.frame.minX), Int(py - placement.frame.minY))
        let place = (at.1 * picture.full.width + at.0) * 4
        let pixels = picture.full.pixels
        return RGB(pixels[place], pixels[place + 1], pixels[place + 2])
      }
    }
    guard let ring = scene.ring else { return nil }
    let outer = PixelRect(
      x: ring.tile.minX - 3, y: ring.tile.minY - 3, width: ring.tile.width + 6,
      height: ring.tile.height + 6)
    return outer.contains(point) && !ring.tile.contains(point) ? Appearance().accent : nil
  }

  /// Checks every pixel of an area that shows no text.
  static func check(
    _ canvas: PixelCanvas, _ scene: Scene, within tolerance: Int, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation, content: (Placement) -> TileContent
  ) {
    var wrong: [String] = []
    for y in 0..<Int(scene.size.height) {
      for x in 0..<Int(scene.size.width) {
        let wanted = expected(x, y, of: scene, content: content).map { pixel($0) } ?? 0
        if !areClose(canvas[x, y], wanted, within: tolerance) {
          wrong.append("\(x),\(y): \(canvas[x, y]), not \(wanted)")
        }
      }
    }
    #expect(
      wrong.isEmpty, "\(comment): \(wrong.count) pixels, \(wrong.prefix(3))",
      sourceLocation: sourceLocation)
  }

  @Test func `tiles have exactly the pixels of the layout`() {
    var terminal = Self.terminal()
    var scene = terminal.scene([
      PixelTerminal.tile(0, 3, 3, 31, 31), PixelTerminal.tile(1, 37, 3, 31, 31),
      PixelTerminal.tile(2, 71, 3, 31, 31), PixelTerminal.tile(3, 3, 37, 31, 63),
    ])
    scene.ring = Scene.Ring(tile: scene.placements[1].frame, opacity: 1)

    terminal.show(scene, content: Self.flat)

    Self.check(terminal.canvas, scene, within: 3, "flat tiles", content: Self.flat)
  }

  @Test func `after each of several random scenes the screen shows the scene`() {
    let seed: UInt64 = 909
    var random = SeededGenerator(seed: seed)
    var terminal = Self.terminal()
    let photos = (0..<5).map { _ in
      let color = random.color()
      return Mipmap(
        Bitmap(width: 40, height: 30) { x, y in
          color.blended(over: RGB(UInt8(x * 6), UInt8(y * 8), 128), share: 0.3)
        })
    }
    func content(_ placement: Placement) -> TileContent {
      placement.photo.index < 5
        ? .picture(photos[placement.photo.index])
        : .waiting(Self.colors[placement.photo.index - 5])
    }
    for step in 0..<30 {
      let placements = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        PixelTerminal.tile(
          .random(in: 0..<10, using: &random), Double(Int.random(in: -20...110, using: &random)),
          Double(Int.random(in: -20...95, using: &random)), 40, 30)
      }
      var scene = terminal.scene(placements)
      if Bool.random(using: &random), let tile = placements.last?.frame {
        scene.ring = Scene.Ring(tile: tile, opacity: 1)
      }
      if step % 5 == 4 {
        scene.isMoving = true
        terminal.show(scene, content: content)
        scene.isMoving = false
      }

      terminal.show(scene, content: content)

      // The tolerance is what dithering may change in a single pixel.
      Self.check(terminal.canvas, scene, within: 34, "seed \(seed), step \(step)", content: content)
    }
  }

  @Test func `a known background is drawn, and an unknown one is left transparent`() {
    for background in [nil, RGB(255, 255, 204)] {
      var terminal = Self.terminal(background: background)
      let hole = Bitmap(
        width: 2, height: 1, pixels: [255, 0, 0, 255, 0, 0, 0, 0], isOpaque: false)
      let scene = terminal.scene([PixelTerminal.tile(0, 2, 4, 20, 20)])

      terminal.show(scene) { _ in .picture(Mipmap(hole)) }

      let canvas = terminal.canvas
      let behind = background.map { pixel($0) } ?? 0
      #expect(areClose(canvas[5, 12], pixel(RGB(255, 0, 0)), within: 3))
      #expect(areClose(canvas[20, 12], behind, within: 3))
      // A cell that the tile covers in part, and one that it does not touch.
      #expect(areClose(canvas[0, 0], behind, within: 3))
      #expect(canvas[26, 12] == 0)
    }
  }

  @Test func `a tile that moved by a pixel leaves nothing behind`() {
    var terminal = Self.terminal()
    var scene = terminal.scene([PixelTerminal.tile(0, 12, 14, 30, 30)])
    terminal.show(scene, content: Self.flat)

    scene.placements[0].frame = scene.placements[0].frame.offset(x: -1, y: -2)
    terminal.show(scene, content: Self.flat)

    Self.check(terminal.canvas, scene, within: 3, "moved", content: Self.flat)
  }

  @Test func `an impossible screen size takes few bytes`() {
    var renderer = SixelRenderer(PictureTraits())
    for side in [Double.nan, -Double.infinity, -5, 0, 1] {
      var bytes = FrameBytes()
      let size = PixelSize(width: side, height: side)
      let tile = Placement(
        photo: Photo.ID(0), frame: PixelRect(origin: .zero, size: size), crop: .unit)

      renderer.frame(
        for: Scene(size: size, placements: [tile]), metrics: PixelTerminal.metrics,
        content: { _ in .waiting(nil) }, into: &bytes)

      #expect(bytes.picture.count < 200)
    }
  }
}
