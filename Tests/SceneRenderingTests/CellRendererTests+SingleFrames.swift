import Geometry
import Photos
import SceneModel
import Testing

@testable import SceneRendering

/// Single frames: how a scene is drawn on an empty screen.
extension CellRendererTests {
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
    (appearance.hasFontBlocks, appearance.hasShortUpperBlock) = (true, true)
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
}
