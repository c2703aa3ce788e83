/// A search for the pattern of a cell and its two of sixteen colors.
struct PaletteSearch {
  /// The mean that the cell should have.
  let wanted: SIMD4<Float>
  /// The weight of the error of the mean; the samples have weight 1.
  let meanWeight: Float
  /// `meanWeight` for each channel.
  private let weights: SIMD4<Float>
  /// The weighted square of `wanted`, which is a term of all costs.
  private let base: Float
  /// The least cost so far.
  private(set) var least = Float.infinity
  /// The best pattern and colors so far.
  private(set) var choice = PaletteMixer.Choice(mask: 0, foreground: 0, background: 0)
  /// The share of the foreground in the best choice so far.
  private var share: Float = 0

  /// Creates a search that has found nothing yet.
  @inline(__always)
  init(wanted: SIMD4<Float>, meanWeight: Float) {
    self.wanted = wanted
    self.meanWeight = meanWeight
    weights = SIMD4(
      meanWeight, meanWeight, meanWeight, meanWeight * SixteenColorTables.lumaWeightOfMeans)
    base = (wanted * wanted * weights).total
  }

  /// Returns the mean of the cell with the best colors so far.
  @inline(__always)
  func drawn(by tables: SixteenColorTables) -> SIMD4<Float> {
    tables.colors[choice.foreground] * share + tables.colors[choice.background] * (1 - share)
  }

  /// Tries four of the sixteen colors for each of the two wanted ones, in all pairs.
  @inline(__always)
  mutating func tryColors(_ parts: CellParts, of tables: SixteenColorTables) {
    let (share, rest) = (parts.share, 1 - parts.share)
    let fronts = tables.near(parts.front)
    let backs = tables.near(parts.back)
    // Without its mixed term, |share · f + rest · b − wanted|² is the sum of a term of f and a
    // term of b.
    let byFront = costs(of: tables.colors(at: fronts), for: parts.front, share)
    let byBack =
      costs(of: tables.colors(at: backs), for: parts.back, rest) + (parts.rest + base)
    let mixed = 2 * share * rest * meanWeight
    var costs = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
    costs.0 = byBack + byFront[0] + mixed * tables.products(of: fronts[0], and: backs)
    costs.1 = byBack + byFront[1] + mixed * tables.products(of: fronts[1], and: backs)
    costs.2 = byBack + byFront[2] + mixed * tables.products(of: fronts[2], and: backs)
    costs.3 = byBack + byFront[3] + mixed * tables.products(of: fronts[3], and: backs)
    let best = costs.0.least(costs.1).least(costs.2.least(costs.3)).least
    guard best < least else { return }
    least = best
    self.share = share
    // The first pair with the least cost: the lanes are numbered downward, so it has the greatest
    // number.
    let order = SIMD4<Float>(16, 15, 14, 13)
    @inline(__always)
    func place(_ costs: SIMD4<Float>, _ skipped: Float) -> SIMD4<Float> {
      SIMD4<Float>.zero.replacing(with: order - skipped, where: costs .== best)
    }
    let places = place(costs.0, 0).most(place(costs.1, 4))
      .most(place(costs.2, 8).most(place(costs.3, 12)))
    let pair = 16 - Int(places.most)
    choice = PaletteMixer.Choice(
      mask: parts.mask, foreground: Int(fronts[pair >> 2]), background: Int(backs[pair & 3]))
  }

  /// Returns the cost of each of four colors in place of another one in a share of the cell.
  @inline(__always)
  private func costs(
    of colors: SixteenColorTables.FourColors, for other: SIMD4<Float>, _ share: Float
  ) -> SIMD4<Float> {
    // The channels are added in the order of `total`.
    (cost(colors.red, other.x, wanted.x, weights.x, share)
      + cost(colors.blue, other.z, wanted.z, weights.z, share))
      + (cost(colors.green, other.y, wanted.y, weights.y, share)
        + cost(colors.luma, other.w, wanted.w, weights.w, share))
  }

  /// Returns the part of one channel in the costs.
  @inline(__always)
  private func cost(
    _ colors: SIMD4<Float>, _ other: Float, _ wanted: Float, _ weight: Float, _ share: Float
  ) -> SIMD4<Float> {
    let off = colors - other
    let part = colors * share
    return (off * off) * share + part * (part - 2 * wanted) * weight
  }
}
