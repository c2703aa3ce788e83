/// The search for the two colours of a small palette that suit a cell best.
struct PaletteSearch {
  /// The mean that the cell should have.
  let wanted: SIMD4<Float>
  /// How much that weighs beside the samples.
  let meanWeight: Float
  /// The least cost so far.
  private(set) var least = Float.infinity
  /// The mean of the cell with the best colours so far.
  private(set) var drawn = SIMD4<Float>.zero
  /// The best pattern and colours so far.
  private(set) var choice = PaletteMixer.Choice(mask: 0, foreground: 0, background: 0)

  /// A search that has found nothing yet.
  init(wanted: SIMD4<Float>, meanWeight: Float) {
    self.wanted = wanted
    self.meanWeight = meanWeight
  }

  /// Tries the pairs of those of the sixteen colours that may stand for the two.
  @inline(__always)
  mutating func trySixteen(_ parts: CellParts) {
    let (share, rest) = (parts.share, 1 - parts.share)
    let fronts = SixteenColorChoices.near(parts.front)
    let backs = SixteenColorChoices.near(parts.back)
    let colors = SixteenColorChoices.colors
    // |share f + rest b - wanted|² without its mixed part is a sum of a part by f and one by b.
    var byBack = SIMD4<Float>.zero
    for b in 0..<4 { byBack[b] = cost(of: colors[Int(backs[b])], for: parts.back, rest) }
    let base = parts.rest + meanWeight * (wanted * wanted).sum()
    for f in 0..<4 {
      let front = Int(fronts[f])
      let byFront = base + cost(of: colors[front], for: parts.front, share)
      for b in 0..<4 {
        let back = Int(backs[b])
        let mixed = 2 * share * rest * SixteenColorChoices.products[front * 16 + back]
        let cost = byFront + byBack[b] + meanWeight * mixed
        guard cost < least else { continue }
        least = cost
        choice = PaletteMixer.Choice(mask: parts.mask, foreground: front, background: back)
        drawn = colors[front] * share + colors[back] * rest
      }
    }
  }

  /// What a colour costs that stands for another in a share of the cell.
  @inline(__always)
  private func cost(
    of color: SIMD4<Float>, for other: SIMD4<Float>, _ share: Float
  ) -> Float {
    let off = color - other
    let part = color * share
    return ((off * off) * share + part * (part - 2 * wanted) * meanWeight).sum()
  }

  /// Tries ink on no ink.
  @inline(__always)
  mutating func tryInk(_ parts: CellParts) {
    let white = CellSamples.withLuma(SIMD4(255, 255, 255, 0))
    let (f, b) = (white - parts.front, parts.back)
    let mean = white * parts.share
    let off = mean - wanted
    let errors = f * f * parts.share + b * b * (1 - parts.share) + off * off * meanWeight
    let cost = parts.rest + errors.sum()
    guard cost < least else { return }
    least = cost
    drawn = mean
    choice = PaletteMixer.Choice(mask: parts.mask, foreground: 1, background: 0)
  }
}
