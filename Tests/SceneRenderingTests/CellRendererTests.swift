import PhotoGridCore
import TestSupport
import Testing

@testable import SceneRendering

struct CellRendererTests {
  init() { UTF8Locale.use() }

  private static let metrics = CellMetrics.standard

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
        for: scene, metrics: Self.metrics, content: { pages[$0.frameIndex] }, into: &bytes)
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

  @Test func `rings of marked tiles are in the gap, and the selection's ring covers theirs`()
    throws
  {
    // Two tiles of two cells, a gap of one cell left and right of each, half a cell above and below.
    var scene = Scene.filled(columns: 7, rows: 3)
    let tiles = [10.0, 40].map { PixelRect(x: $0, y: 10, width: 20, height: 20) }
    scene.placements = tiles.map { Placement(photo: Photo.ID(0), frame: $0, crop: .unit) }
    scene.ring = Scene.Ring(tile: tiles[0], opacity: 1)
    scene.marks = [Scene.Ring(tile: tiles[1], opacity: 1, meaning: .marked)]

    let screen = try drawn(scene) { _ in .waiting(RGB(7, 7, 7)) }

    let appearance = Appearance()
    func color(_ column: Int) -> TerminalScreen.Color { screen.cells[column].look.background }
    #expect(color(0) == .rgb(appearance.accent))
    #expect(color(3) == .rgb(appearance.accent), "the selection's, not the mark's")
    #expect(
      screen.cells.contains {
        $0.look.background == .rgb(appearance.mark) || $0.look.foreground == .rgb(appearance.mark)
      })
    #expect(appearance.color(of: .selectedAndMarked) == appearance.accent, "shape tells them")
  }

  @Test(arguments: [GlyphSet.half, .quadrant, .sextant, .octant])
  func `where upper blocks are too short, photos end in lower blocks of the background`(
    glyphs: GlyphSet
  ) throws {
    // A tile from the middle of the first row to the middle of the third.
    var scene = Scene.filled(columns: 4, rows: 4)
    let tile = PixelRect(x: 10, y: 10, width: 20, height: 40)
    scene.placements = [Placement(photo: Photo.ID(0), frame: tile, crop: .unit)]
    let (photo, white) = (RGB(200, 10, 30), RGB(255, 255, 255))
    var appearance = Appearance(background: white)

    func edges() throws -> [TerminalScreen.Cell] {
      let screen = try drawn(scene, glyphs: glyphs, appearance: appearance) { _ in .waiting(photo) }
      return [screen.cells[1], screen.cells[2 * 4 + 1]]
    }
    #expect(
      try edges() == [
        TerminalScreen.Cell(text: "▄", foreground: .rgb(photo), background: .standard),
        TerminalScreen.Cell(text: "▀", foreground: .rgb(photo), background: .standard),
      ])
    appearance.hasShortUpperBlock = true
    #expect(
      try edges() == [
        TerminalScreen.Cell(text: "▄", foreground: .rgb(photo), background: .standard),
        TerminalScreen.Cell(text: "▄", foreground: .rgb(white), background: .rgb(photo)),
      ])
    appearance.background = nil
    #expect(try edges()[1].text == "▀", "nothing is known of the background")
  }

  @Test(arguments: [
    (0, 0), (0, 5), (5, 0), (1, 1), (1, 200), (100, 1), (2, 2), (500, 200),
  ])
  func `screens of every size are filled`(columns: Int, rows: Int) throws {
    var scene = Scene.filled(columns: columns, rows: rows)
    scene.ring = Scene.Ring(tile: PixelRect(x: 10, y: 10, width: 30, height: 30), opacity: 1)
    scene.labels = [
      Scene.Label(
        text: "label", frame: PixelRect(x: 0, y: 20, width: 40, height: 20), opacity: 1)
    ]

    let screen = try drawn(scene) { _ in .waiting(RGB(7, 7, 7)) }

    var renderer = CellRenderer(glyphs: .half, depth: .none)
    let printed = renderer.text(of: scene, metrics: Self.metrics) { _ in .waiting(nil) }

    #expect(screen.cells.count == columns * rows)
    #expect(printed.filter { $0 == UInt8(ascii: "\n") }.count == rows)
    #expect(
      screen.cells.allSatisfy { $0.text == " " && $0.background == .rgb(RGB(7, 7, 7)) })
  }

  @Test func `an impossible screen size takes no more memory than a large screen`() {
    var renderer = CellRenderer(glyphs: .half, depth: .none)
    for side in [Double.nan, -Double.infinity, -5] {
      var bytes: [UInt8] = []
      renderer.frame(
        for: Scene(size: PixelSize(width: side, height: side)), metrics: Self.metrics,
        content: { _ in .waiting(nil) }, into: &bytes)
      #expect(bytes.isEmpty)
    }
    let grid = SampleGrid(
      .glyphs(.half), metrics: Self.metrics, area: PixelSize(width: 1e18, height: Double.infinity))
    #expect(grid.cells.columns * grid.cells.rows <= 4_000_000)
  }

  @Test func `runs of equal colours set the colour once`() {
    var renderer = CellRenderer(glyphs: .half, depth: .full)
    var bytes: [UInt8] = []

    renderer.frame(
      for: .filled(columns: 5, rows: 2), metrics: Self.metrics,
      content: { _ in .waiting(RGB(1, 20, 255)) }, into: &bytes)

    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text == "\u{1B}[1H\u{1B}[0;48;2;1;20;255m     \u{1B}[2H     \u{1B}[m")
  }

  @Test func `a glyph is inverted if its colours are already set the other way round`() {
    let picture = Bitmap(width: 2, height: 2) { x, y in
      x == y ? RGB(1, 1, 1) : RGB(2, 2, 2)
    }
    var renderer = CellRenderer(glyphs: .half, depth: .full)
    var bytes: [UInt8] = []

    renderer.frame(
      for: .filled(columns: 2, rows: 1), metrics: Self.metrics,
      content: { _ in .picture(Mipmap(picture)) }, into: &bytes)

    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text == "\u{1B}[1H\u{1B}[0;38;2;2;2;2;48;2;1;1;1m▄▀\u{1B}[m")
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
