/// Wedges, which cover samples in part.
extension GlyphFitter {
  /// A wedge to try.
  ///
  /// With a its share of each sample, the error that is left has the same form as that of a pattern:
  /// the samples' variance less |s|² / v, where s is the sum of the samples weighted by a, and v the
  /// weighted variance of a. The colours are the ends of the line of least squares through the
  /// samples over a, which may lie beyond the samples' own.
  struct WedgeTrial {
    /// The share of each sample below the line.
    let shares: SIMD8<Float>
    /// Their mean, weighted by the samples.
    let mean: Float
    /// 1 over their variance, weighted by the samples.
    let factor: Float
    /// The code of its glyph.
    let code: Int32

    /// The most that a wedge may leave of the error that the best pattern leaves.
    ///
    /// Between the rows of samples a level edge looks like a slanted one with some error, and a level
    /// horizon becomes a saw. Of sextants, the best wedge leaves a third of a level edge's error, or
    /// more, and of most slanted edges less.
    static let mostLeft: Float = 0.32

    /// A trial of a wedge with the samples of a set.
    init(_ wedge: Wedge, _ glyphs: GlyphSet) {
      let heights = glyphs.sampleHeights.map(Double.init)
      let height = heights.reduce(0, +)
      let columns = glyphs.sampleColumns
      var shares = SIMD8<Float>.zero
      var (total, sum, squares) = (Float(0), Float(0), Float(0))
      var top = 0.0
      for (row, own) in heights.enumerated() {
        for column in 0..<columns {
          let share = wedge.share(
            ofColumns: Double(column) / Double(columns)...Double(column + 1) / Double(columns),
            rows: top / height...(top + own) / height)
          shares[row * columns + column] = share
          total += Float(own)
          sum += share * Float(own)
          squares += share * share * Float(own)
        }
        top += own
      }
      self.shares = shares
      mean = sum / total
      factor = 1 / (squares - sum * sum / total)
      code = Int32(truncatingIfNeeded: Glyph.wedge(wedge.index).code)
    }
  }
}

extension GlyphFitter.Row {
  /// The variances of eight cells, once their samples are relative to their means and weighted.
  @inline(__always)
  fileprivate var variance: GlyphFitter.Lanes {
    var variance = GlyphFitter.Lanes.zero
    for (sample, weight) in weights.enumerated() {
      let (r, g, b) = (deltas[sample * 3], deltas[sample * 3 + 1], deltas[sample * 3 + 2])
      variance += (r * r + g * g + b * b) * (1 / weight)
    }
    return variance
  }
}

extension GlyphFitter.Fit {
  private typealias Lanes = GlyphFitter.Lanes

  /// Puts wedges into the cells where they leave much less error than the best patterns.
  ///
  /// - Parameters:
  ///   - row: The row of the cells, whose samples are relative to their means and weighted.
  ///   - score: What the best patterns explain of each cell's variance.
  ///   - means: The cells' means.
  /// - Returns: The fit with them.
  @inline(__always)
  func improved(
    by row: GlyphFitter.Row, score: SIMD8<Float>,
    means: (red: SIMD8<Float>, green: SIMD8<Float>, blue: SIMD8<Float>)
  ) -> Self {
    let deltas = row.deltas
    var mask = self.mask
    let variance = row.variance
    var score = variance - (variance - score) * GlyphFitter.WedgeTrial.mostLeft
    var (red, green, blue, mean) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
    for wedge in row.wedges {
      var (r, g, b) = (Lanes.zero, Lanes.zero, Lanes.zero)
      for sample in 0..<8 where wedge.shares[sample] != 0 {
        r += deltas[sample * 3] * wedge.shares[sample]
        g += deltas[sample * 3 + 1] * wedge.shares[sample]
        b += deltas[sample * 3 + 2] * wedge.shares[sample]
      }
      let explained = (r * r + g * g + b * b) * wedge.factor
      let isBetter = explained .> score
      score.replace(with: explained, where: isBetter)
      mask.replace(with: SIMD8(repeating: wedge.code), where: isBetter)
      red.replace(with: r * wedge.factor, where: isBetter)
      green.replace(with: g * wedge.factor, where: isBetter)
      blue.replace(with: b * wedge.factor, where: isBetter)
      mean.replace(with: Lanes(repeating: wedge.mean), where: isBetter)
    }
    let isWedge = mask .> 255
    let rest = 1 - mean
    var fit = self
    fit.mask = mask
    fit.foreground.replace(
      with: GlyphFitter.pack(
        means.red + red * rest, means.green + green * rest, means.blue + blue * rest),
      where: isWedge)
    fit.background.replace(
      with: GlyphFitter.pack(
        means.red - red * mean, means.green - green * mean, means.blue - blue * mean),
      where: isWedge)
    return fit
  }
}
