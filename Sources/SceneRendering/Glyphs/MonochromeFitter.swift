import PhotoGridCore

/// Draws cells without colors: by patterns of ink that follow the picture, or by characters of a
/// suitable density.
struct MonochromeFitter {
  private let glyphs: GlyphSet
  /// Whether ink is darker than the background, so that dark samples get ink.
  private let isLight: Bool
  private var mixer: InkMixer

  /// Creates a fitter for a glyph set, on a light or a dark background.
  init(glyphs: GlyphSet, isLight: Bool) {
    self.glyphs = glyphs
    self.isLight = isLight
    mixer = InkMixer(glyphs)
  }

  /// Fills a row of cells from its samples.
  mutating func fit(_ planes: SamplePlanes, into cells: inout [Cell]) {
    mixer.startRow()
    for index in cells.indices {
      let coverage = planes.coverage[index]
      var mask: UInt8 = 0
      if coverage == 0 {
        mixer.startRow()
      } else if glyphs == .ascii {
        let ink = self.ink(of: planes.sample(0, ofCell: index))
        mask = UInt8((ink * Float(GlyphSet.ramp.count - 1)).rounded())
      } else {
        let bright = planes.values.withUnsafeBytes {
          mixer.brightSamples(
            CellSamples(
              $0, stride: planes.stride, count: glyphs.sampleCount, cell: index),
            planes.anchors[index])
        }
        mask = (isLight ? ~bright : bright) & coverage
        if !glyphs.canDraw(mask) { mask = isLight ? ~bright & glyphs.fullMask : bright }
      }
      cells[index] = Cell(
        glyph: .pattern(mask), foreground: .standard, background: .standard)
    }
  }

  /// Returns the amount of ink for a sample, 0 to 1.
  private func ink(of sample: SIMD3<Float>) -> Float {
    let luma = (sample * SIMD3(0.299, 0.587, 0.114)).sum() / 255
    return max(0, min(1, isLight ? 1 - luma : luma))
  }
}
