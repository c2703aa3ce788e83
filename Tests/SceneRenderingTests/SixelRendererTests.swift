import PhotoGridCore
import PseudoTerminal
import SceneRendering
import TestSupport
import Testing

struct SixelRendererTests {
  init() { UTF8Locale.use() }

  private static func terminal(
    columns: Int = 24, rows: Int = 10, background: RGB? = nil, limit: PixelSize? = nil
  ) -> PixelTerminal {
    let traits = PictureTraits(
      sixelLimit: limit, appearance: Appearance(background: background), glyphs: .half)
    return PixelTerminal(SixelRenderer(traits), columns: columns, rows: rows)
  }

  private static let colors = [
    RGB(255, 0, 0), RGB(0, 255, 0), RGB(51, 102, 255), RGB(255, 255, 255), RGB(0, 0, 0),
  ]

  /// Each photo as a flat colour.
  private static func flat(_ placement: Placement) -> TileContent {
    .waiting(colors[placement.photo.index])
  }

  /// The colour of the topmost placement or ring at a pixel; nil if there is none.
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
  private static func check(
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

  /// Photos with gradients and noise, in more colours than a picture may have.
  private static func photos(_ random: inout SeededGenerator) -> [Mipmap] {
    (0..<6).map { number in
      let color = random.color()
      var noise = random
      let bitmap = Bitmap(width: 62, height: 83) { x, y in
        color.blended(over: noise.color(), share: 0.85)
          .blended(over: RGB(UInt8(x * 4), UInt8(y * 3), UInt8(number * 40)), share: 0.5)
      }
      random = noise
      return Mipmap(bitmap)
    }
  }

  /// Tiles that end inside of cells, a ring, and a photo that lies over a corner of two tiles.
  private static func crowded(_ terminal: PixelTerminal) -> Scene {
    var scene = terminal.scene(
      (0..<5).map { PixelTerminal.tile($0, 4 + Double($0) * 66, 7, 62, 83) }
        + [PixelTerminal.tile(5, 103, 61, 62, 83)])
    scene.ring = Scene.Ring(tile: scene.placements[1].frame, opacity: 1)
    return scene
  }

  @Test(arguments: [16, 64, 256, 1024])
  func `a photo is the same pixel for pixel whenever and in whatever pieces it is drawn`(
    registers: Int
  ) {
    let seed: UInt64 = 16
    var random = SeededGenerator(seed: seed)
    let photos = Self.photos(&random)
    func content(_ placement: Placement) -> TileContent { .picture(photos[placement.photo.index]) }
    func terminal() -> PixelTerminal {
      PixelTerminal(
        SixelRenderer(PictureTraits(sixelRegisters: registers, glyphs: .half)), columns: 70,
        rows: 16, registers: registers)
    }
    var once = terminal()
    once.show(Self.crowded(once), content: content)

    var often = terminal()
    for step in 0..<12 {
      var scene = Self.crowded(often)
      often.renderer.byteBudget = [.max, 4000, 900].randomElement(using: &random) ?? .max
      if Bool.random(using: &random) {
        let origin = CellPoint(
          column: .random(in: 0..<50, using: &random), row: .random(in: 0..<10, using: &random))
        often.renderer.mask = CellRect(origin: origin, size: CellSize(columns: 13, rows: 4))
        often.show(scene, content: content)
        often.renderer.mask = nil
      }
      scene.ring?.tile = scene.placements[step % 5].frame
      often.show(scene, content: content)
      if step % 4 == 1 {
        // A photo is opened, and closed again.
        often.show(often.scene([PixelTerminal.tile(3, 40, 0, 120, 160)]), content: content)
      }
      if step % 3 == 2 { often.renderer.invalidate() }
      often.show(Self.crowded(often), content: content)

      let wrong = zip(once.canvas.pixels, often.canvas.pixels).count { $0 != $1 }
      #expect(wrong == 0, "seed \(seed), step \(step)")
    }
  }

  @Test(arguments: [64, 256]) func `a large photo is drawn the same in pieces of any height`(
    registers: Int
  ) {
    let photo = Mipmap(
      Bitmap(width: 797, height: 786) { x, y in
        RGB(UInt8(x / 4), UInt8((x * y) % 251), UInt8(y / 4))
      })
    func terminal() -> PixelTerminal {
      let traits = PictureTraits(sixelRegisters: registers, glyphs: .half)
      return PixelTerminal(SixelRenderer(traits), columns: 160, rows: 80)
    }
    var once = terminal()
    let scene = once.scene([PixelTerminal.tile(0, 2, 3, 797, 786)])
    once.show(scene) { _ in .picture(photo) }

    var often = terminal()
    often.renderer.byteBudget = 60_000
    often.show(scene) { _ in .picture(photo) }
    often.renderer.mask = CellRect(
      origin: CellPoint(column: 30, row: 17), size: CellSize(columns: 50, rows: 31))
    often.show(scene) { _ in .picture(photo) }
    often.renderer.mask = nil
    often.show(scene) { _ in .picture(photo) }

    #expect(zip(once.canvas.pixels, often.canvas.pixels).count { $0 != $1 } == 0)
  }

  @Test func `no pixel is a speck of quite another colour`() {
    // Smooth, but for a bright spot in each corner, whose error must not wander.
    let picture = Mipmap(
      Bitmap(width: 300, height: 150) { x, y in
        (x % 299 < 4 && y % 149 < 4)
          ? RGB(255, 240, 20) : RGB(UInt8(20 + x / 3), UInt8(60 + y / 3), UInt8(150 - x / 4))
      })
    var terminal = Self.terminal(columns: 60, rows: 15)
    let scene = terminal.scene([PixelTerminal.tile(0, 0, 0, 300, 150)])

    terminal.show(scene) { _ in .picture(picture) }

    Self.check(terminal.canvas, scene, within: 16, "a gradient") { _ in .picture(picture) }
  }

  @Test func `only the cells of a picture that arrives are sent`() {
    var terminal = Self.terminal()
    let tiles = (0..<3).map { PixelTerminal.tile($0, Double($0) * 36 + 3, 12, 30, 30) }
    let scene = terminal.scene(tiles)
    terminal.show(scene) { _ in .waiting(RGB(40, 40, 40)) }
    let before = terminal.canvas

    func content(_ placement: Placement) -> TileContent {
      .waiting(placement.photo.index == 1 ? RGB(0, 255, 0) : RGB(40, 40, 40))
    }
    terminal.show(scene, content: content)

    // From 39 to 69 across and from 12 to 42 down, in cells of 5 by 10.
    #expect(terminal.pictures == [SIMD4(7, 1, 7, 4)])
    #expect(terminal.frames.count == 1)
    Self.check(terminal.canvas, scene, within: 3, "green in the middle", content: content)
    #expect(before != terminal.canvas)
  }

  @Test func `when the ring moves, only the gaps around the tiles are sent`() {
    var terminal = Self.terminal()
    var scene = terminal.scene([
      PixelTerminal.tile(0, 5, 10, 40, 60), PixelTerminal.tile(1, 60, 10, 40, 60),
    ])
    scene.ring = Scene.Ring(tile: scene.placements[0].frame, opacity: 1)
    terminal.show(scene, content: Self.flat)

    scene.ring = Scene.Ring(tile: scene.placements[1].frame, opacity: 1)
    terminal.show(scene, content: Self.flat)

    Self.check(terminal.canvas, scene, within: 3, "moved", content: Self.flat)
    for picture in terminal.pictures {
      let (column, row) = (picture[0], picture[1])
      let inside = (1..<9).contains(column) || (12..<20).contains(column)
      #expect(!inside || row == 0 || row == 7, "\(picture)")
    }
  }

  @Test func `a scene that is already shown takes no bytes`() {
    var terminal = Self.terminal()
    let scene = terminal.scene([PixelTerminal.tile(0, 3, 3, 50, 50)])
    terminal.show(scene, content: Self.flat)

    terminal.show(scene, content: Self.flat)

    #expect(terminal.frames == [[]])
    terminal.renderer.invalidate()
    terminal.show(scene, content: Self.flat)
    #expect(!terminal.pictures.isEmpty)
  }

  @Test func `moving scenes are drawn with cells, and with pixels again when they rest`() {
    var terminal = Self.terminal()
    var scene = terminal.scene([PixelTerminal.tile(0, 3, 3, 60, 60)])
    terminal.show(scene, content: Self.flat)

    for step in 1...5 {
      scene.placements[0].frame = scene.placements[0].frame.offset(x: 7, y: 3)
      scene.isMoving = true
      terminal.show(scene, content: Self.flat)
      #expect(terminal.canvas.pixels.allSatisfy { $0 == 0 }, "step \(step)")
      #expect(terminal.pictures.isEmpty && terminal.frames.count == 1, "step \(step)")
      // A cell in the middle.
      #expect(terminal.screen[8, 4].background == 0xFF0000, "step \(step)")
    }
    scene.isMoving = false
    terminal.show(scene, content: Self.flat)

    Self.check(terminal.canvas, scene, within: 3, "at rest", content: Self.flat)
  }

  @Test func `text is in cells without pictures`() {
    var terminal = Self.terminal()
    var scene = terminal.scene([
      PixelTerminal.tile(0, 0, 0, 60, 40), PixelTerminal.tile(1, 0, 53, 60, 47),
    ])
    scene.labels = [
      Scene.Label(
        text: "a name", frame: PixelRect(x: 0, y: 40, width: 60, height: 10), opacity: 1)
    ]
    func content(_ placement: Placement) -> TileContent {
      placement.photo.index == 0 ? .waiting(RGB(255, 0, 0)) : .failed("broken")
    }

    terminal.show(scene, content: content)

    #expect(terminal.screen.text(ofRow: 4).hasPrefix("a name  "))
    #expect(terminal.screen.text(ofRow: 7).hasPrefix("   broken  "))
    // The cells of the message have the tone of the tile around them.
    let tone = Appearance().quietTone
    #expect(
      terminal.screen[3, 7].background
        == UInt32(tone.red) << 16 | UInt32(tone.green) << 8 | UInt32(tone.blue))
    let canvas = terminal.canvas
    #expect((15..<45).allSatisfy { x in (70..<80).allSatisfy { canvas[x, $0] == 0 } })
    #expect((0..<15).allSatisfy { x in areClose(canvas[x, 75], pixel(tone), within: 3) })
    #expect((0..<60).allSatisfy { x in canvas[x, 45] == 0 })
  }

  @Test func `masked cells are left alone, and drawn again when the mask is removed`() {
    var terminal = Self.terminal()
    let scene = terminal.scene([PixelTerminal.tile(0, 3, 3, 110, 90)])
    terminal.show(scene, content: Self.flat)
    let mask = CellRect(origin: CellPoint(column: 4, row: 2), size: CellSize(columns: 9, rows: 3))
    terminal.renderer.mask = mask
    for row in 3...5 { terminal.write("\u{1B}[0m\u{1B}[\(row);5Hsomewords") }

    terminal.show(scene) { _ in .waiting(RGB(0, 0, 255)) }

    for row in 2...4 {
      #expect((4..<13).map { String(terminal.screen[$0, row].glyph) }.joined() == "somewords")
    }
    let canvas = terminal.canvas
    #expect((20..<65).allSatisfy { x in (20..<50).allSatisfy { canvas[x, $0] == 0 } })
    #expect(areClose(canvas[19, 30], pixel(RGB(0, 0, 255)), within: 3))

    terminal.renderer.mask = nil
    for row in 3...5 { terminal.write("\u{1B}[0m\u{1B}[\(row);5H         ") }
    terminal.show(scene) { _ in .waiting(RGB(0, 0, 255)) }
    Self.check(terminal.canvas, scene, within: 3, "given back") { _ in .waiting(RGB(0, 0, 255)) }
    #expect(terminal.pictures == [SIMD4(4, 2, 9, 3)])
  }

  @Test func `without a row below it, the last row is drawn with cells`() {
    let traits = PictureTraits(glyphs: .half)
    var terminal = PixelTerminal(SixelRenderer(traits), columns: 10, rows: 4)
    terminal.renderer.hasRowBelow = false
    let scene = terminal.scene([PixelTerminal.tile(0, 0, 0, 50, 40)])

    terminal.show(scene, content: Self.flat)

    let canvas = terminal.canvas
    #expect((0..<30).allSatisfy { canvas[25, $0] != 0 })
    #expect((30..<40).allSatisfy { canvas[25, $0] == 0 })
    #expect(terminal.screen[5, 3].background == 0xFF0000)
    terminal.renderer.hasRowBelow = true
    terminal.show(scene, content: Self.flat)
    #expect((0..<40).allSatisfy { terminal.canvas[25, $0] != 0 })
  }

  @Test func `no picture is larger than the terminal's limit`() {
    var terminal = Self.terminal(
      columns: 60, rows: 30, limit: PixelSize(width: 64, height: 77))
    let scene = terminal.scene([PixelTerminal.tile(0, 0, 0, 300, 300)])

    terminal.show(scene, content: Self.flat)

    // In cells of 5 by 10.
    #expect(terminal.pictures.allSatisfy { $0[2] <= 12 && $0[3] <= 7 })
    Self.check(terminal.canvas, scene, within: 3, "in parts", content: Self.flat)
  }

  @Test func `a large change is drawn with cells first, and then in pieces`() {
    var terminal = Self.terminal(columns: 160, rows: 80)
    let tile = PixelTerminal.tile(0, 0, 0, 800, 800)
    terminal.show(terminal.scene([tile]), content: Self.flat)
    let scene = terminal.scene([PixelTerminal.tile(1, 0, 0, 800, 800)])

    terminal.show(scene, content: Self.flat)

    // The screen never shows one photo above and another one below.
    #expect(terminal.film[0].pixels.allSatisfy { $0 == 0 })
    #expect(terminal.frames.count > 3)
    var counts = terminal.film.map { $0.pixels.count { $0 != 0 } }
    #expect(counts == counts.sorted())
    counts = zip(counts.dropFirst(), counts).map { $0 - $1 }
    #expect(counts.allSatisfy { $0 <= 3 << 16 + 800 * 10 })
    Self.check(terminal.canvas, scene, within: 3, "in the end", content: Self.flat)
  }

  @Test func `a better picture of the same photo replaces it without drawing cells first`() {
    var terminal = Self.terminal(columns: 160, rows: 80)
    let scene = terminal.scene([PixelTerminal.tile(0, 0, 0, 800, 800)])
    terminal.show(scene, content: Self.flat)

    terminal.show(scene) { _ in .waiting(RGB(0, 255, 0)) }

    #expect(terminal.film.allSatisfy { $0.pixels[..<(800 * 800)].allSatisfy { $0 != 0 } })
  }

  @Test func `a photo that changes faster than it can be sent is drawn with cells`() {
    var terminal = Self.terminal(columns: 160, rows: 80)
    let scene = terminal.scene([PixelTerminal.tile(0, 0, 0, 800, 800)])
    terminal.show(scene, content: Self.flat)
    // An animation, with two drawn frames per picture.
    for picture in 0..<12 {
      for _ in 0..<2 {
        terminal.drawFrame(scene) { _ in .waiting(RGB(UInt8(picture * 20), 0, 200)) }
      }
    }
    #expect(terminal.canvas.pixels.allSatisfy { $0 == 0 })
    #expect(terminal.screen[80, 40].background == 0xDC00C8)

    // It stops.
    terminal.show(scene) { _ in .waiting(RGB(220, 0, 200)) }

    Self.check(terminal.canvas, scene, within: 3, "stopped") { _ in .waiting(RGB(220, 0, 200)) }
  }

  @Test func `on a slow link pieces are short`() {
    var terminal = Self.terminal(columns: 60, rows: 30)
    let seed: UInt64 = 4
    var random = SeededGenerator(seed: seed)
    let noise = Bitmap(width: 300, height: 300) { _, _ in random.color() }
    let scene = terminal.scene([PixelTerminal.tile(0, 0, 0, 300, 300)])
    terminal.renderer.byteBudget = 20_000

    terminal.show(scene) { _ in .picture(Mipmap(noise)) }

    // The bytes that this picture takes are known after its first piece.
    #expect(terminal.frames.dropFirst(2).allSatisfy { $0.count < 25_000 }, "seed \(seed)")
    #expect(terminal.frames.allSatisfy { $0.count < 60_000 }, "seed \(seed)")
    #expect((20...50).contains(terminal.frames.count), "seed \(seed): \(terminal.frames.count)")
    #expect(terminal.canvas.pixels[..<(300 * 300)].allSatisfy { $0 != 0 })
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
