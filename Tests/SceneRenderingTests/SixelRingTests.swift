import Geometry
import Photos
import PseudoTerminal
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

struct SixelRingTests {
  init() { UTF8Locale.use() }

  /// Text in the cells beside a ring must not remove its pixels, which are drawn already.
  @Test(arguments: [Scene.Ring.Meaning.selected, .selectedAndMarked])
  func `the ring between two letterboxed photos has no hole while their pictures improve`(
    meaning: Scene.Ring.Meaning
  ) {
    var appearance = Appearance(background: RGB(255, 255, 255))
    appearance.hasFontBlocks = true
    var terminal = PixelTerminal(
      SixelRenderer(PictureTraits(appearance: appearance, glyphs: .half)), columns: 180, rows: 62)
    let panes = [3.0, 451].map { PixelRect(x: $0, y: 3, width: 445, height: 614) }
    let photos = panes.enumerated().map { index, pane in
      Placement(
        photo: Photo.ID(index),
        frame: PixelRect(x: pane.minX, y: 150, width: 445, height: 330), crop: .unit)
    }
    var scene = terminal.scene(photos)
    scene.ring = Scene.Ring(tile: panes[0], opacity: 1, meaning: meaning)
    func photo(_ size: Int) -> TileContent {
      let bitmap = Bitmap(width: 4 * size, height: 3 * size) { x, y in
        RGB(UInt8(x * 60 / size), UInt8(y * 80 / size), 128)
      }
      return .picture(Mipmap(bitmap))
    }
    var moving = scene
    moving.isMoving = true
    terminal.show(moving) { _ in photo(5) }
    for sizes in [(5, 5), (5, 55), (55, 55)] {
      for _ in 0..<3 {
        terminal.drawFrame(scene) { photo($0.photo.index == 0 ? sizes.0 : sizes.1) }
      }
    }
    terminal.show(scene) { _ in photo(55) }

    let inks = [appearance.accent, appearance.mark].map { pixel($0) }
    func isRing(_ x: Int, _ y: Int) -> Bool {
      inks.contains { areClose(terminal.canvas[x, y], $0, within: 4) }
    }
    #expect((0..<620).allSatisfy { isRing(1, $0) && isRing(449, $0) })
    #expect((0..<451).allSatisfy { isRing($0, 1) && isRing($0, 618) })
    #expect(!(0..<900).contains { isRing($0, 621) }, "the bar's row")
  }

  /// While pixels are still to come, tiles are drawn by glyphs larger than a gap.
  @Test(arguments: [GlyphSet.half, .quadrant, .sextant, .octant], [0.0, 1, 2, 3, 4, 5, 6, 7, 8])
  func `gaps between tiles of one color are even, wherever they are`(
    glyphs: GlyphSet, offset: Double
  ) {
    var metrics = CellMetrics(cell: PixelSize(width: 9, height: 19))
    metrics.placementUnit = .pixels
    var scene = Scene(size: metrics.size(of: CellSize(columns: 60, rows: 20)))
    for index in 0..<25 {
      scene.placements.append(
        Placement(
          photo: Photo.ID(index),
          frame: PixelRect(
            x: 3 + offset + Double(index % 5) * 61, y: 3 + offset + Double(index / 5) * 61,
            width: 58, height: 58), crop: .unit))
    }
    scene.tileCount = 25
    var compositor = Compositor(.glyphs(glyphs), appearance: Appearance(background: .black))
    compositor.prepare(scene, metrics: metrics) { _ in .waiting(nil) }

    for index in 0..<24 {
      let (tile, next) = (compositor.layers[index], compositor.layers[index + 1])
      if index % 5 < 4 { #expect(next.columns.lowerBound - tile.columns.upperBound == 1) }
      guard index < 20 else { continue }
      let below = compositor.layers[index + 5]
      #expect(below.rows.lowerBound - tile.rows.upperBound == 1)
    }
  }
}
