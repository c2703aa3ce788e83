import PhotoGridCore
import SceneRendering

/// How finely pictures have to be decoded to be drawn by cells.
enum CellSampling {
  /// Samples to a pixel's length: twice as fine as the glyphs in whichever direction they are finer.
  static func samplesPerPixel(_ glyphs: GlyphSet, _ metrics: CellMetrics) -> Double {
    2
      * max(
        Double(glyphs.sampleColumns) / metrics.cell.width,
        Double(glyphs.sampleHeights.count) / metrics.cell.height)
  }
}
