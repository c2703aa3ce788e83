import Geometry
import Photos
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

/// Rings, tones and other flat parts of the screen, which have one color of the terminal's, while photos
/// are dithered.
struct FlatPartTests {
  /// A tile of four by four cells in the middle, with a ring in the gap around it.
  private static func scene(_ meaning: Scene.Ring.Meaning) -> Scene {
    let cell = CellMetrics.standard.cell
    let tile = PixelRect(
      x: 2 * cell.width, y: 2 * cell.height, width: 4 * cell.width, height: 4 * cell.height)
    var scene = Scene(
      size: PixelSize(width: 8 * cell.width, height: 8 * cell.height),
      placements: [Placement(photo: Photo.ID(0), frame: tile, crop: .unit)])
    scene.ring = Scene.Ring(tile: tile, opacity: 1, meaning: meaning)
    return scene
  }

  private func screen(
    _ depth: ColorDepth, _ glyphs: GlyphSet, background: RGB?, accent: RGB, content: TileContent
  ) throws -> TerminalScreen {
    try drawn(
      Self.scene(.selected), glyphs: glyphs, depth: depth,
      appearance: Appearance(background: background, accent: accent)
    ) { _ in content }
  }

  @Test(arguments: [ColorDepth.palette256, .palette16], GlyphSet.blockSets)
  func `a tone is one color of the palette that differs from the background`(
    depth: ColorDepth, glyphs: GlyphSet
  ) throws {
    let seed: UInt64 = 5
    var random = SeededGenerator(seed: seed)
    for background in [RGB?.none, .black, RGB(255, 255, 255), RGB(30, 30, 46)] {
      let contents: [TileContent] = [.waiting(nil), .waiting(random.color()), .failed("")]
      for content in contents {
        let screen = try self.screen(
          depth, glyphs, background: background, accent: random.color(), content: content)
        let cells = (2..<6).flatMap { row in (2..<6).map { screen[$0, row] } }
        #expect(Set(cells.map(\.text)) == [" "], "seed \(seed), \(content)")
        #expect(Set(cells.map(\.background)).count == 1, "seed \(seed), \(content)")
        let back = CellColor(background ?? .black, depth: depth)
        #expect(cells[0].background != .index(Int(back.code)), "seed \(seed), \(content)")
      }
    }
  }

  @Test(arguments: [ColorDepth.palette256, .palette16], GlyphSet.blockSets)
  func `a ring has one color of the palette`(depth: ColorDepth, glyphs: GlyphSet) throws {
    let seed: UInt64 = 6
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let accent = random.color()
      // One that is black would not be drawn so.
      guard accent.luma > 70 else { continue }
      let screen = try self.screen(
        depth, glyphs, background: .black, accent: accent, content: .waiting(nil))
      // The row of cells left of the tile.
      let samples = try (2..<6).flatMap { try screen.samples(1, $0, of: glyphs) }
      let nearest = TerminalScreen.Color.index(Int(CellColor(accent, depth: depth).code))
      let others = Set(samples).subtracting([.standard, nearest])
      #expect(
        others.isEmpty && Set(samples).contains(nearest), "seed \(seed), \(accent): \(others)")
    }
  }

  @Test func `a photo of one color is still dithered`() throws {
    let photo = Mipmap(Bitmap(width: 8, height: 8) { _, _ in RGB(70, 70, 70) })
    for depth in [ColorDepth.palette256, .palette16] {
      let screen = try self.screen(
        depth, .quadrant, background: .black, accent: RGB(64, 156, 255), content: .picture(photo))
      let samples = try (2..<6).flatMap { row in
        try (2..<6).flatMap { try screen.samples($0, row, of: .quadrant) }
      }
      #expect(Set(samples).count > 1, "\(depth)")
    }
  }

  /// Without colors, a ring and a photo both consist of ink.
  @Test(arguments: [Scene.Ring.Meaning.selected, .marked, .selectedAndMarked], [false, true])
  func `without colors a line of background lies between a ring and the photo`(
    meaning: Scene.Ring.Meaning, isLight: Bool
  ) throws {
    let photo = Mipmap(
      Bitmap(width: 8, height: 8) { _, _ in isLight ? .black : RGB(255, 255, 255) })
    let screen = try drawn(
      Self.scene(meaning), glyphs: .quadrant, depth: .none,
      appearance: Appearance(background: isLight ? RGB(255, 255, 255) : .black)
    ) { _ in .picture(photo) }
    // From the left edge through the ring into the photo, in a row where the ring is drawn.
    let row = meaning == .marked ? 2 : 4
    let isInk = (0..<5).flatMap { column -> [Bool] in
      let mask = (0...GlyphSet.quadrant.fullMask).first { mask in
        GlyphSet.quadrant.scalar(for: mask).map { String(Character($0)) }
          == screen[column, row].text
      }
      return [0, 1].map { (mask ?? 0) & 1 << $0 != 0 }
    }
    #expect(
      isInk == [false, false, true, true, false, true, true, true, true, true],
      "background, ring, background, photo")
  }
}
