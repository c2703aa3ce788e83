import Geometry
import Photos
import PseudoTerminal
import SceneModel
import SceneRendering
import Testing

/// Cells: parts of the screen that show no picture.
extension SixelRendererTests {
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
}
