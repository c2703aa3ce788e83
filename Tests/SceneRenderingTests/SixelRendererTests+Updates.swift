import Geometry
import Photos
import PseudoTerminal
import SceneModel
import SceneRendering
import TestSupport
import Testing

/// Updates: which parts of the screen are sent, in which pieces, and in which order.
extension SixelRendererTests {
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
    var terminal = Self.terminal(columns: 160, rows: 160)
    let tile = PixelTerminal.tile(0, 0, 0, 800, 1600)
    terminal.show(terminal.scene([tile]), content: Self.flat)
    let scene = terminal.scene([PixelTerminal.tile(1, 0, 0, 800, 1600)])

    terminal.show(scene, content: Self.flat)

    // The screen never shows one photo above and another one below.
    #expect(terminal.film[0].pixels.allSatisfy { $0 == 0 })
    #expect(terminal.frames.count > 3)
    var counts = terminal.film.map { $0.pixels.count { $0 != 0 } }
    #expect(counts == counts.sorted())
    counts = zip(counts.dropFirst(), counts).map { $0 - $1 }
    #expect(counts.allSatisfy { $0 <= 6 << 16 + 800 * 10 })
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
    var terminal = Self.terminal(columns: 160, rows: 160)
    let scene = terminal.scene([PixelTerminal.tile(0, 0, 0, 800, 1600)])
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
}
