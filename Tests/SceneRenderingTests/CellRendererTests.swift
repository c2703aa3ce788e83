import Geometry
import Photos
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

struct CellRendererTests {
  @Test(arguments: [true, false])
  func `after a motion the gaps beside photos are drawn again where blocks come from a font`(
    isFont: Bool
  ) throws {
    var appearance = Appearance(background: .black)
    appearance.hasFontBlocks = isFont
    var renderer = CellRenderer(glyphs: .half, depth: .full, appearance: appearance)
    var screen = TerminalScreen(columns: 12, rows: 6)
    let size = CellMetrics.standard.size(of: CellSize(columns: 12, rows: 6))
    let tile = PixelRect(x: 20, y: 20, width: 40, height: 60)
    func writes(isMoving: Bool) throws -> Int {
      let before = screen.writes
      var bytes: [UInt8] = []
      renderer.frame(
        for: Scene(
          size: size, placements: [Placement(photo: Photo.ID(0), frame: tile, crop: .unit)],
          isMoving: isMoving), metrics: .standard, content: { _ in .waiting(RGB(9, 99, 200)) },
        into: &bytes)
      try screen.apply(bytes)
      return screen.writes - before
    }
    _ = try writes(isMoving: true)
    // Four cells above, four below, three at each side.
    let count = try writes(isMoving: false)
    #expect(isFont ? count >= 14 : count == 0)
    #expect(try writes(isMoving: false) == 0)
  }

  init() { UTF8Locale.use() }

  /// Cells of 10 by 20 pixels.
  static let metrics = CellMetrics.standard

  @Test(arguments: GlyphSet.allCases, ColorDepth.allCases)
  func `incremental frames leave the same screen as drawing the last scene alone`(
    glyphs: GlyphSet, depth: ColorDepth
  ) throws {
    let seed: UInt64 = 4711
    var random = SeededGenerator(seed: seed)
    var renderer = CellRenderer(glyphs: glyphs, depth: depth)
    let contents = Self.contents(&random)
    var area = CellSize(columns: 13, rows: 6)
    var screen = TerminalScreen(columns: area.columns, rows: area.rows)
    for step in 0..<24 {
      if step % 8 == 7 {
        area = CellSize(
          columns: .random(in: 1...20, using: &random), rows: .random(in: 1...8, using: &random))
        screen = TerminalScreen(columns: area.columns, rows: area.rows)
        renderer.invalidate()
      }
      let scene = Self.scene(area, &random)
      var bytes: [UInt8] = []

      renderer.frame(
        for: scene, metrics: Self.metrics, content: { contents[$0.photo.index] }, into: &bytes)
      try screen.apply(bytes)

      let whole = try drawn(scene, glyphs: glyphs, depth: depth) { contents[$0.photo.index] }
      #expect(screen == whole, "seed \(seed), step \(step)")
      #expect(screen.pen == TerminalScreen.Cell(text: " "), "seed \(seed), step \(step)")
    }
  }

  @Test(arguments: GlyphSet.blockSets, ColorDepth.allCases)
  func `with blocks of a font even the characters do not depend on earlier frames`(
    glyphs: GlyphSet, depth: ColorDepth
  ) throws {
    let seed: UInt64 = 4712
    var random = SeededGenerator(seed: seed)
    var appearance = Appearance()
    appearance.hasFontBlocks = true
    var renderer = CellRenderer(glyphs: glyphs, depth: depth, appearance: appearance)
    let contents = Self.contents(&random)
    let area = CellSize(columns: 13, rows: 6)
    var screen = TerminalScreen(columns: area.columns, rows: area.rows)
    for step in 0..<24 {
      let scene = Self.scene(area, &random)
      var bytes: [UInt8] = []
      renderer.frame(
        for: scene, metrics: Self.metrics, content: { contents[$0.photo.index] }, into: &bytes)
      try screen.apply(bytes)

      let whole = try drawn(scene, glyphs: glyphs, depth: depth, appearance: appearance) {
        contents[$0.photo.index]
      }
      #expect(
        screen.cells.map(\.text) == whole.cells.map(\.text), "seed \(seed), step \(step)")
    }
  }

  @Test(arguments: GlyphSet.allCases)
  func `a scene that is already shown takes no bytes`(glyphs: GlyphSet) throws {
    var random = SeededGenerator(seed: 5)
    let contents = Self.contents(&random)
    let scene = Self.scene(CellSize(columns: 12, rows: 5), &random)
    var renderer = CellRenderer(glyphs: glyphs, depth: .full)
    var bytes: [UInt8] = []
    func draw() {
      bytes = []
      renderer.frame(
        for: scene, metrics: Self.metrics, content: { contents[$0.photo.index] }, into: &bytes)
    }

    draw()
    #expect(!bytes.isEmpty)
    draw()
    #expect(bytes.isEmpty)
    renderer.invalidate()
    draw()
    #expect(!bytes.isEmpty)
  }

  @Test func `a picture that arrives writes only the cells of its tile`() throws {
    var scene = Scene.filled(columns: 10, rows: 4)
    scene.placements = (0..<2).map {
      Placement(
        photo: Photo.ID($0),
        frame: PixelRect(x: Double($0) * 60, y: 20, width: 40, height: 40), crop: .unit)
    }
    var renderer = CellRenderer(glyphs: .half, depth: .full)
    var screen = TerminalScreen(columns: 10, rows: 4)
    var bytes: [UInt8] = []
    renderer.frame(
      for: scene, metrics: Self.metrics, content: { _ in .waiting(nil) }, into: &bytes)
    try screen.apply(bytes)
    let writes = screen.writes
    bytes = []

    renderer.frame(
      for: scene, metrics: Self.metrics,
      content: { .waiting($0.photo.index == 1 ? RGB(9, 8, 7) : nil) }, into: &bytes)
    try screen.apply(bytes)

    #expect(screen.writes - writes == 8)
    #expect(screen[6, 1].background == .rgb(RGB(9, 8, 7)))
  }

  @Test func `the next frame of an animation writes only the cells of its tile`() throws {
    var scene = Scene.filled(columns: 20, rows: 4)
    scene.placements = (0..<3).map {
      Placement(
        photo: Photo.ID($0), frame: PixelRect(x: Double($0) * 60, y: 20, width: 40, height: 40),
        crop: .unit)
    }
    let pages = [RGB(200, 0, 0), RGB(0, 200, 0)].map { color in
      TileContent.picture(
        Mipmap(
          Bitmap(
            width: 1, height: 1, pixels: [color.red, color.green, color.blue, 255],
            isOpaque: true)))
    }
    var renderer = CellRenderer(glyphs: .half, depth: .full)
    var screen = TerminalScreen(columns: 20, rows: 4)
    func show() throws -> Int {
      var bytes: [UInt8] = []
      renderer.frame(
        for: scene, metrics: Self.metrics, content: { pages[$0.frameIndex ?? 0] }, into: &bytes)
      let writes = screen.writes
      try screen.apply(bytes)
      return screen.writes - writes
    }
    _ = try show()
    #expect(screen[6, 1].background == .rgb(RGB(200, 0, 0)))

    scene.placements[1].frameIndex = 1

    #expect(try show() == 8)
    #expect(screen[6, 1].background == .rgb(RGB(0, 200, 0)))
    #expect(screen[0, 1].background == .rgb(RGB(200, 0, 0)))
    #expect(try show() == 0)
  }

  @Test func `masked cells are left alone, and drawn again when the mask is removed`() throws {
    let seed: UInt64 = 31
    var random = SeededGenerator(seed: seed)
    let contents = Self.contents(&random)
    let area = CellSize(columns: 12, rows: 6)
    let mask = CellRect(
      origin: CellPoint(column: 3, row: 1), size: CellSize(columns: 6, rows: 3))
    var renderer = CellRenderer(glyphs: .quadrant, depth: .full)
    var screen = TerminalScreen(columns: area.columns, rows: area.rows)
    func show(_ scene: Scene) throws {
      var bytes: [UInt8] = []
      renderer.frame(
        for: scene, metrics: Self.metrics, content: { contents[$0.photo.index] }, into: &bytes)
      try screen.apply(bytes)
    }
    try show(Self.scene(area, &random))
    // Text from elsewhere is drawn over the cells.
    renderer.mask = mask
    for row in 1..<4 {
      try screen.apply(Array("\u{1B}[0m\u{1B}[\(row + 1);4Hfooter\u{1B}[m".utf8))
    }

    var last = Self.scene(area, &random)
    for _ in 0..<5 {
      last = Self.scene(area, &random)
      try show(last)
      for row in 1..<4 {
        #expect((3..<9).map { screen[$0, row].text }.joined() == "footer", "seed \(seed)")
      }
    }
    renderer.mask = nil
    try show(last)

    let whole = try drawn(last, glyphs: .quadrant) { contents[$0.photo.index] }
    #expect(screen == whole, "seed \(seed)")
  }

  @Test(arguments: [false, true])
  func `a wide character that is cut in half by a mask is drawn again`(showsMasked: Bool) throws {
    let scene = Scene(
      size: Self.metrics.size(of: CellSize(columns: 6, rows: 1)),
      labels: [
        Scene.Label(
          text: "漢字", frame: PixelRect(x: 0, y: 0, width: 60, height: 20), opacity: 1)
      ])
    var renderer = CellRenderer(glyphs: .half, depth: .full)
    var screen = TerminalScreen(columns: 6, rows: 1)
    func show() throws {
      var bytes: [UInt8] = []
      renderer.frame(
        for: scene, metrics: Self.metrics, content: { _ in .waiting(nil) }, into: &bytes)
      try screen.apply(bytes)
    }
    try show()

    renderer.mask = CellRect(
      origin: CellPoint(column: 3, row: 0), size: CellSize(columns: 2, rows: 1))
    try screen.apply(Array("\u{1B}[1;4Hno".utf8))
    if showsMasked {
      try show()
      #expect((0..<6).map { screen[$0, 0].text } == ["漢", "", " ", "n", "o", " "])
    }
    renderer.mask = nil
    try show()

    let whole = try drawn(scene) { _ in .waiting(nil) }
    #expect(screen == whole)
  }

  /// Pictures with and without transparent pixels, waiting tiles, and one that failed.
  private static func contents(_ random: inout SeededGenerator) -> [TileContent] {
    let pictures = (0..<4).map { index in
      let picture = Bitmap(width: 9 + index, height: 17) { x, y in
        y % 5 == 0 ? RGB(UInt8(x * 20), 60, 90) : random.color()
      }
      return TileContent.picture(Mipmap(picture))
    }
    let hole = Bitmap(
      width: 2, height: 2, pixels: [9, 9, 9, 255] + Array(repeating: 0, count: 12),
      isOpaque: false)
    return pictures + [
      .picture(Mipmap(hole)), .waiting(nil), .waiting(random.color()),
      .failed("truncated 漢字 file"),
    ]
  }

  private static func scene(_ area: CellSize, _ random: inout SeededGenerator) -> Scene {
    let size = metrics.size(of: area)
    func rect() -> PixelRect {
      PixelRect(
        x: .random(in: -40...size.width, using: &random),
        y: .random(in: -40...size.height, using: &random),
        width: .random(in: 1...160, using: &random), height: .random(in: 1...120, using: &random))
    }
    let placements = (0..<Int.random(in: 0...5, using: &random)).map { _ in
      Placement(
        photo: Photo.ID(.random(in: 0..<8, using: &random)), frame: rect(), crop: .unit,
        opacity: [1, 1, 0.5, 0].randomElement(using: &random) ?? 1)
    }
    let labels = (0..<2).map { _ in
      Scene.Label(
        text: ["plain", "漢字と仮名", "na\u{308}me"].randomElement(using: &random) ?? "",
        frame: PixelRect(
          x: Double(Int.random(in: 0..<area.columns, using: &random)) * 10,
          y: Double(Int.random(in: 0..<area.rows, using: &random)) * 20, width: 70, height: 20),
        opacity: 1)
    }
    return Scene(
      size: size, placements: placements,
      ring: Bool.random(using: &random) ? Scene.Ring(tile: rect(), opacity: 0.7) : nil,
      marks: (0..<Int.random(in: 0...3, using: &random)).map { _ in
        Scene.Ring(tile: rect(), opacity: 1, meaning: .marked)
      },
      labels: labels, isMoving: Bool.random(using: &random))
  }
}
