/// The colours of the palette that may stand for a part of a cell: a gray and eight colours of the
/// cube.
extension PaletteColors256 {
  /// A colour of the palette for each cell.
  struct PaletteColor {
    /// Indices into the palette.
    var index: Lanes
    var color: Colors

    @inline(__always)
    mutating func replace(with other: PaletteColor, where mask: SIMDMask<Lanes.MaskStorage>) {
      index.replace(with: other.index, where: mask)
      color.replace(with: other.color, where: mask)
    }
  }

  /// The cost of the values of a channel: `square` · x² − `linear` · x.
  struct Cost {
    var square: Lanes
    var linear: Lanes

    @inline(__always)
    func of(_ value: Lanes) -> Lanes { value * (value * square - linear) }
  }

  /// Returns the gray with the least cost, 8, 18, 28, up to 238, and that cost.
  @inline(__always)
  static func gray(
    _ red: Cost, _ green: Cost, _ blue: Cost, _ luma: Cost
  ) -> (PaletteColor, cost: Lanes) {
    // The luma of a gray of 1 is 2.
    let cost = Cost(
      square: red.square * 3 + luma.square * 4,
      linear: red.linear + green.linear + blue.linear + luma.linear * 2)
    let step = rounded(clamped(cost.linear / cost.square * 0.05 - 0.8, to: 23))
    let gray = step * 10 + 8
    return (
      PaletteColor(
        index: step + 232, color: Colors(red: gray, green: gray, blue: gray)),
      cost.of(gray)
    )
  }

  /// The two levels of the cube around a channel: 0, 95, 135, up to 255.
  struct Levels {
    /// The number of the lower level, 0 to 4.
    var step: Lanes
    var low: Lanes
    var high: Lanes
    var lowCost: Lanes
    var highCost: Lanes
    /// The part of each level in the luma.
    var lowLuma: Lanes
    var highLuma: Lanes

    /// Finds the levels around a value of at most 255; `luma` is the weight of the channel in the
    /// luma.
    @inline(__always)
    init(around value: Lanes, _ cost: Cost, luma: Float) {
      let above = value * 0.025 - 1.875
      step = rounded(above.replacing(with: 0, where: above .< 0))
      high = step * 40 + 95
      low = (high - 40).replacing(with: 0, where: step .< 0.5)
      (lowCost, highCost) = (cost.of(low), cost.of(high))
      (lowLuma, highLuma) = (low * luma, high * luma)
    }
  }

  /// The eight colours of the cube around a colour.
  struct Corners {
    var red: Levels
    var green: Levels
    var blue: Levels

    /// A choice of corners and its cost; the bits of a corner are set where red (4), green (2) and
    /// blue (1) have the higher level.
    typealias Best = (corner: Lanes, cost: Lanes)

    /// Returns the corners with the least cost.
    @inline(__always)
    func best(_ luma: Cost) -> Best {
      @inline(__always)
      func attempt(_ corner: Float, _ cost: Lanes, _ sum: Lanes, _ best: inout Best) {
        let total = cost + luma.of(sum)
        let isBetter = total .< best.cost
        best.cost.replace(with: total, where: isBetter)
        best.corner.replace(with: Lanes(repeating: corner), where: isBetter)
      }
      @inline(__always)
      func attemptBoth(_ corner: Float, _ cost: Lanes, _ sum: Lanes, _ best: inout Best) {
        attempt(corner, cost + blue.lowCost, sum + blue.lowLuma, &best)
        attempt(corner + 1, cost + blue.highCost, sum + blue.highLuma, &best)
      }
      var best: Best = (.zero, Lanes(repeating: .infinity))
      attemptBoth(0, red.lowCost + green.lowCost, red.lowLuma + green.lowLuma, &best)
      attemptBoth(2, red.lowCost + green.highCost, red.lowLuma + green.highLuma, &best)
      attemptBoth(4, red.highCost + green.lowCost, red.highLuma + green.lowLuma, &best)
      attemptBoth(6, red.highCost + green.highCost, red.highLuma + green.highLuma, &best)
      return best
    }

    /// Returns the colours of corners.
    @inline(__always)
    func color(_ corner: Lanes) -> PaletteColor {
      let highRed = corner .> 3.5
      let notRed = corner.replacing(with: corner - 4, where: highRed)
      let highGreen = notRed .> 1.5
      let highBlue = notRed.replacing(with: notRed - 2, where: highGreen) .> 0.5
      let redStep = red.step.replacing(with: red.step + 1, where: highRed)
      let greenStep = green.step.replacing(with: green.step + 1, where: highGreen)
      let blueStep = blue.step.replacing(with: blue.step + 1, where: highBlue)
      let index: Lanes = redStep * 36 + greenStep * 6 + blueStep + 16
      return PaletteColor(
        index: index,
        color: Colors(
          red: red.low.replacing(with: red.high, where: highRed),
          green: green.low.replacing(with: green.high, where: highGreen),
          blue: blue.low.replacing(with: blue.high, where: highBlue)))
    }
  }
}
