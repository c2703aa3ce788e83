/// A search for the pattern of a cell and its two of sixteen colours.
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
  /// The best pattern and colours so far.
  private(set) var choice = PaletteMixer.Choice(mask: 0, foreground: 0, background: 0)
  /// The share of the foreground in the best choice so far.
  private var share: Float = 0

  /// Creates a search that has found nothing yet.
  init(wanted: SIMD4<Float>, meanWeight: Float) {
    self.wanted = wanted
    self.meanWeight = meanWeight
    weights = SIMD4(
      meanWeight, meanWeight, meanWeight, meanWeight * SixteenColorTables.lumaWeightOfMeans)
    base = (wanted * wanted * weights).total
  }

  /// Returns the mean of the cell with the best colours so far.
  func drawn(by tables: SixteenColorTables) -> SIMD4<Float> {
    tables.colors[choice.foreground] * share + tables.colors[choice.background] * (1 - share)
  }

  /// Tries four of the sixteen colours for each of the two wanted ones, in all pairs.
  @inline(__always)
  mutating func tryColors(_ parts: CellParts, of tables: SixteenColorTables) {
    let (share, rest) = (parts.share, 1 - parts.share)
    let fronts = tables.near(parts.front)
    let backs = tables.near(parts.back)
    tables.colors.withUnsafeBufferPointer { colors in
      tables.products.withUnsafeBufferPointer { products in
        // Without its mixed term, |share · f + rest · b − wanted|² is the sum of a term of f and a
        // term of b.
        var byBack = SIMD4<Float>.zero
        for b in 0..<4 { byBack[b] = cost(of: colors[Int(backs[b])], for: parts.back, rest) }
        byBack += parts.rest + base
        let mixed = 2 * share * rest * meanWeight
        for f in 0..<4 {
          let front = Int(fronts[f])
          let row = front &* 16
          let costs =
            byBack + cost(of: colors[front], for: parts.front, share) + mixed
            * SIMD4(
              products[row &+ Int(backs[0])], products[row &+ Int(backs[1])],
              products[row &+ Int(backs[2])], products[row &+ Int(backs[3])])
          let best = min(min(costs.x, costs.y), min(costs.z, costs.w))
          guard best < least else { continue }
          least = best
          self.share = share
          var b = 0
          while b < 3, costs[b] > best { b &+= 1 }
          choice = PaletteMixer.Choice(
            mask: parts.mask, foreground: front, background: Int(backs[b]))
        }
      }
    }
  }

  /// Returns the cost of a colour in place of another one in a share of the cell.
  @inline(__always)
  private func cost(
    of color: SIMD4<Float>, for other: SIMD4<Float>, _ share: Float
  ) -> Float {
    let off = color - other
    let part = color * share
    return ((off * off) * share + part * (part - 2 * wanted) * weights).total
  }
}
