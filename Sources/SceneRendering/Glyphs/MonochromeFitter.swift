import PhotoGridCore

/// Draws without colours: an ordered dither with a set's glyphs, or characters by their density.
struct MonochromeFitter {
  let glyphs: GlyphSet
  /// Whether ink is darker than the background, so that dark samples get ink.
  let isLight: Bool

  /// Fills a row of cells from its samples; `row` is its number, for the dither.
  func fit(_ planes: SamplePlanes, row: Int, into cells: inout [Cell]) {
    let weights = glyphs.sampleHeights.flatMap {
      Array(repeating: Float($0), count: glyphs.sampleColumns)
    }
    let blocks = glyphs.blocks
    for index in cells.indices {
      let coverage = planes.coverage[index]
      var mask: UInt8 = 0
      for (number, block) in blocks.enumerated() where coverage & block != 0 {
        var (ink, weight): (Float, Float) = (0, 0)
        for sample in weights.indices where block & 1 << UInt8(sample) != 0 {
          weight += weights[sample]
          guard coverage & 1 << UInt8(sample) != 0 else { continue }
          ink += self.ink(of: planes.sample(sample, ofCell: index)) * weights[sample]
        }
        ink /= weight
        if glyphs == .ascii {
          mask = UInt8((ink * Float(GlyphSet.ramp.count - 1)).rounded())
          continue
        }
        let threshold = OrderedDither.threshold(
          column: index * glyphs.sampleColumns + number % glyphs.sampleColumns,
          row: (row * blocks.count + number) / glyphs.sampleColumns)
        if ink > threshold { mask |= block }
      }
      cells[index] = Cell(
        glyph: .pattern(mask), foreground: .standard, background: .standard)
    }
  }

  /// How much ink stands for a sample: 0 to 1.
  private func ink(of sample: SIMD3<Float>) -> Float {
    let luma = (sample * SIMD3(0.299, 0.587, 0.114)).sum() / 255
    return max(0, min(1, isLight ? 1 - luma : luma))
  }
}
