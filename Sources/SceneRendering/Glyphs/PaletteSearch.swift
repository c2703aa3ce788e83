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
    // The lanes are numbered downward, so the first pair with the least cost has the greatest
    // number.
    let order = SIMD4<Float>(16, 15, 14, 13)
    @inline(__always)
    func pairNumbers(_ costs: SIMD4<Float>, _ skipped: Float) -> SIMD4<Float> {
      SIMD4<Float>.zero.replacing(with: order - skipped, where: costs .== best)
    }
    let numbers = pairNumbers(costs.0, 0).most(pairNumbers(costs.1, 4))
      .most(pairNumbers(costs.2, 8).most(pairNumbers(costs.3, 12)))
    let pair = 16 - Int(numbers.most)
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

/// The weight of a cell's mean relative to its details, which grows with the width of the window.
///
/// In a narrow window a face has only a few cells, and it is recognized by the details of each. In
/// a wide window cells are small compared with what they show: they are seen together, and a wrong
/// mean is the most visible error.
struct MeanWeight {
  /// The weight in windows of up to `narrow` columns.
  private let least: Float
  /// The weight in windows of `wide` columns and more.
  private let most: Float

  private static let narrow: Float = 80
  private static let wide: Float = 200

  /// Creates a weight for cells with details.
  ///
  /// Both values are found with the benchmark `fidelity`: larger ones make areas truer from a
  /// distance, smaller ones keep more details.
  init(narrow least: Float, wide most: Float) { (self.least, self.most) = (least, most) }

  /// Returns the weight in a window of a number of columns.
  func value(columns: Int) -> Float {
    let share = (Float(columns) - Self.narrow) / (Self.wide - Self.narrow)
    return least + (most - least) * max(0, min(1, share))
  }
}

// The corresponding methods of the standard library compute one lane after the other.

extension SIMD8<Float> {
  /// The sum of all lanes.
  @inline(__always)
  var total: Float { (lowHalf + highHalf).total }

  /// Returns the vector with 0 in each lane whose selection is 0; all others must be all ones.
  @inline(__always)
  func selected(by selection: SIMD8<Int32>) -> SIMD8<Float> {
    unsafeBitCast(unsafeBitCast(self, to: SIMD8<Int32>.self) & selection, to: SIMD8<Float>.self)
  }
}

extension SIMD4<Float> {
  /// The sum of all lanes.
  @inline(__always)
  var total: Float {
    let two = lowHalf + highHalf
    return two.x + two.y
  }

  /// The least lane.
  @inline(__always)
  var least: Float { Swift.min(Swift.min(x, y), Swift.min(z, w)) }

  /// The greatest lane.
  @inline(__always)
  var most: Float { Swift.max(Swift.max(x, y), Swift.max(z, w)) }

  /// Returns the lesser of each pair of lanes.
  @inline(__always)
  func least(_ other: SIMD4<Float>) -> SIMD4<Float> { replacing(with: other, where: other .< self) }

  /// Returns the greater of each pair of lanes.
  @inline(__always)
  func most(_ other: SIMD4<Float>) -> SIMD4<Float> { replacing(with: other, where: other .> self) }

  /// Returns the vector with each lane limited to `-limit...limit`.
  @inline(__always)
  func bounded(by limit: Float) -> SIMD4<Float> {
    func bounded(_ lane: Float) -> Float { lane < -limit ? -limit : lane > limit ? limit : lane }
    return SIMD4(bounded(x), bounded(y), bounded(z), bounded(w))
  }
}

/// The factor by which the contrast inside a cell is increased, so that details that are fainter
/// than the steps of a palette are visible; the cell's mean stays.
///
/// The lines of a drawing differ from the paper by a tenth of the step between two of sixteen
/// colors, and would become the same color. Where there is much contrast it stays as it is, and so
/// it does in cells without details, whose noise would become a pattern.
struct DetailContrast {
  /// The standard deviation of the luma in a cell that is aimed at, with luma from 0 to 255.
  let goal: Float
  /// The greatest factor.
  let most: Float

  /// The standard deviation below which there are no details; half of it gets a quarter of the
  /// increase.
  private static let noise: Float = 3

  /// Returns the factor for a cell with a standard deviation of luma.
  @inline(__always)
  func factor(deviation: Float) -> Float {
    let factor = Swift.max(1, Swift.min(most, goal / Swift.max(deviation, 0.01)))
    guard deviation < Self.noise else { return factor }
    let share = deviation / Self.noise
    return 1 + (factor - 1) * share * share
  }
}
