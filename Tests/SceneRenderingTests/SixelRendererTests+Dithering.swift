import Geometry
import Photos
import PseudoTerminal
import SceneModel
import SceneRendering
import TestSupport
import Testing

/// Dithering: photos look the same in whatever pieces they are drawn.
extension SixelRendererTests {
  /// Photos with gradients and noise, in more colors than a picture may have.
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
}
