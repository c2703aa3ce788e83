import Geometry
import Photos
import SceneModel
import SceneRendering
import TestSupport

extension SeededGenerator {
  mutating func color() -> RGB {
    RGB(
      .random(in: 0...255, using: &self), .random(in: 0...255, using: &self),
      .random(in: 0...255, using: &self))
  }
}

extension Bitmap {
  /// Creates an opaque bitmap with a function of the pixel's column and row.
  init(width: Int, height: Int, color: (Int, Int) -> RGB) {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let color = color(x, y)
        pixels += [color.red, color.green, color.blue, 255]
      }
    }
    self.init(width: width, height: height, pixels: pixels, isOpaque: true)
  }
}

extension GlyphSet {
  /// The sets of block glyphs.
  static let blockSets: [GlyphSet] = [.half, .quadrant, .sextant, .octant]

  /// The sample row of each pixel row of a cell, if `sampleHeights` are in pixels.
  var pixelRows: [Int] {
    sampleHeights.enumerated().flatMap { Array(repeating: $0, count: $1) }
  }
}

extension Scene {
  /// One photo that fills the given number of cells.
  static func filled(
    columns: Int, rows: Int, metrics: CellMetrics = .standard, opacity: Double = 1
  ) -> Scene {
    let size = metrics.size(of: CellSize(columns: columns, rows: rows))
    let frame = PixelRect(origin: .zero, size: size)
    return Scene(
      size: size,
      placements: [Placement(photo: Photo.ID(0), frame: frame, crop: .unit, opacity: opacity)])
  }
}

/// Returns a terminal with a scene drawn on it.
func drawn(
  _ scene: Scene, glyphs: GlyphSet = .half, depth: ColorDepth = .full,
  appearance: Appearance = Appearance(), metrics: CellMetrics = .standard,
  content: (Placement) -> TileContent
) throws -> TerminalScreen {
  var renderer = CellRenderer(glyphs: glyphs, depth: depth, appearance: appearance)
  var bytes: [UInt8] = []
  renderer.frame(for: scene, metrics: metrics, content: content, into: &bytes)
  var screen = TerminalScreen(
    columns: Int((scene.size.width / metrics.cell.width).rounded(.up)),
    rows: Int((scene.size.height / metrics.cell.height).rounded(.up)))
  try screen.apply(bytes)
  return screen
}
