/// Chooses two of the 256 colours for the pattern of each of eight cells.
///
/// The cost of two colours is their squared error, in which luma counts more than hue, plus the
/// weighted squared error of the mean of the cell, which dominates in flat cells. So a dark green,
/// which the palette lacks, becomes a gray beside a green of about its luma. The foreground is
/// chosen first, as if the background could be drawn exactly, and then the background for it.
struct PaletteColors256 {
  /// A value for each of eight cells.
  typealias Lanes = SIMD8<Float>

  /// A colour for each cell, in four channels from 0 to 255 (luma to 510).
  struct Colors {
    var red: Lanes
    var green: Lanes
    var blue: Lanes
    /// Twice the luma, since eyes distinguish brightness better than hue.
    var luma: Lanes

    /// Creates colours from red, green and blue.
    @inline(__always)
    init(red: Lanes, green: Lanes, blue: Lanes) {
      (self.red, self.green, self.blue) = (red, green, blue)
      luma = red * 0.598 + green * 1.174 + blue * 0.228
    }

    /// Returns the error of `drawn`: these colours less the drawn ones.
    ///
    /// Each channel is limited, so that one unusual cell does not discolour others.
    @inline(__always)
    func lacking(_ drawn: Colors) -> Colors {
      Colors(
        red: PaletteColors256.bounded(red - drawn.red),
        green: PaletteColors256.bounded(green - drawn.green),
        blue: PaletteColors256.bounded(blue - drawn.blue))
    }

    /// Returns these colours less a share of others.
    @inline(__always)
    fileprivate func without(_ other: Colors, share: Lanes) -> Colors {
      Colors(
        red: red - other.red * share, green: green - other.green * share,
        blue: blue - other.blue * share)
    }

    /// Returns the sum with other colours.
    @inline(__always)
    func adding(_ other: Colors) -> Colors {
      Colors(red: red + other.red, green: green + other.green, blue: blue + other.blue)
    }

    /// Returns the colours moved to the right by a cell, with `first` for the first cell.
    @inline(__always)
    func shifted(after first: SIMD4<Float>) -> Colors {
      @inline(__always)
      func shifted(_ lanes: Lanes, _ first: Float) -> Lanes {
        Lanes(first, lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5], lanes[6])
      }
      return Colors(
        red: shifted(red, first.x), green: shifted(green, first.y), blue: shifted(blue, first.z))
    }

    /// The colour of the last cell.
    var last: SIMD4<Float> { SIMD4(red[7], green[7], blue[7], 0) }

    /// Replaces the colours of some cells.
    @inline(__always)
    mutating func replace(with other: Colors, where mask: SIMDMask<Lanes.MaskStorage>) {
      red.replace(with: other.red, where: mask)
      green.replace(with: other.green, where: mask)
      blue.replace(with: other.blue, where: mask)
      luma.replace(with: other.luma, where: mask)
    }
  }

  /// Two colours of the palette for each cell, and the mean of the cell with them.
  struct Choice {
    /// Indices into the palette.
    var foreground: SIMD8<Int32>
    /// Indices into the palette.
    var background: SIMD8<Int32>
    /// The mean of each cell.
    var mean: Colors

    /// Replaces the choice of some cells.
    @inline(__always)
    mutating func replace(with other: Choice, where mask: SIMDMask<Lanes.MaskStorage>) {
      foreground.replace(with: other.foreground, where: mask)
      background.replace(with: other.background, where: mask)
      mean.replace(with: other.mean, where: mask)
    }
  }

  /// The share of each cell that shows the foreground, 0 to 1.
  private let share: Lanes
  /// The means of the samples inside the pattern.
  private let front: Colors
  /// The means of the samples outside of the pattern.
  private let back: Colors
  /// The weight of the error of a cell's mean.
  private let meanWeight: Lanes

  /// The weight of the mean of a cell with details.
  static let leastWeight = MeanWeight(narrow: 0.3, wide: 0.6)
  /// The weight of each channel in the error of the two colours, which show details: eyes do not see
  /// the hue of details.
  private static let detailHue: Float = 0.4
  /// The weight of luma in the error of the two colours.
  private static let detailLuma: Float = 2
  /// The weight of luma in the error of the mean, whose channels have weight 1.
  private static let meanLuma: Float = 0.2
  /// The weight that is added in a flat cell, where a wrong mean is visible.
  private static let flatWeight: Float = 4
  /// The variance of samples, summed over the channels, at which half of `flatWeight` is added.
  private static let flatVariance: Float = 0.2
  /// The largest error that is carried from cell to cell, in each channel.
  private static let mostCarried: Float = 48

  /// Creates the possible colours of eight cells; `leastWeight` is the weight of a detailed cell's
  /// mean.
  init(share: Lanes, front: Colors, back: Colors, variance: Lanes, leastWeight: Float) {
    (self.share, self.front, self.back) = (share, front, back)
    meanWeight =
      Self.flatWeight * Self.flatVariance / (variance + Self.flatVariance) + leastWeight
  }

  /// Chooses colours for the means that the cells should have.
  @inline(__always)
  func choose(_ wanted: Colors) -> Choice {
    let rest = 1 - share
    let foreground = nearest(front, share: share, mean: wanted.without(back, share: rest))
    let background = nearest(
      back, share: rest, mean: wanted.without(foreground.color, share: share))
    let (f, b) = (foreground.color, background.color)
    return Choice(
      foreground: Self.integers(foreground.index), background: Self.integers(background.index),
      mean: Colors(
        red: f.red * share + b.red * rest, green: f.green * share + b.green * rest,
        blue: f.blue * share + b.blue * rest))
  }

  /// Returns the palette's colour with the least cost for a part of each cell.
  ///
  /// - Parameters:
  ///   - color: The wanted colour.
  ///   - share: The part's share of the cell.
  ///   - mean: What the part should contribute to the mean of the cell.
  /// - Returns: The colour.
  @inline(__always)
  private func nearest(_ color: Colors, share: Lanes, mean: Colors) -> PaletteColor {
    // In each channel, w · (x − color)² + m · (x · share − mean)² / share, less what does not
    // depend on x.
    let shared = meanWeight * share
    let hue = shared + Self.detailHue
    let twice = meanWeight * 2
    let luma = Cost(
      square: shared * Self.meanLuma + Self.detailLuma,
      linear: color.luma * (2 * Self.detailLuma) + mean.luma * (twice * Self.meanLuma))
    @inline(__always)
    func cost(_ channel: Lanes, _ mean: Lanes) -> Cost {
      Cost(square: hue, linear: channel * (2 * Self.detailHue) + mean * twice)
    }
    let red = cost(color.red, mean.red)
    let green = cost(color.green, mean.green)
    let blue = cost(color.blue, mean.blue)
    let (gray, grayCost) = Self.gray(red, green, blue, luma)
    let corners = Corners(
      red: Levels(around: color.red, red, luma: 0.598),
      green: Levels(around: color.green, green, luma: 1.174),
      blue: Levels(around: color.blue, blue, luma: 0.228))
    let (corner, cubeCost) = corners.best(luma)
    var best = corners.color(corner)
    best.replace(with: gray, where: grayCost .< cubeCost)
    return best
  }

  private static let unit = Lanes(repeating: 0x1p23)

  /// Rounds small numbers, which must not be negative.
  @inline(__always)
  private static func rounded(_ value: Lanes) -> Lanes { value + unit - unit }

  @inline(__always)
  private static func integers(_ value: Lanes) -> SIMD8<Int32> {
    unsafeBitCast(value + unit, to: SIMD8<Int32>.self) & 0xFFFF
  }

  @inline(__always)
  private static func clamped(_ value: Lanes, to most: Float) -> Lanes {
    let low = value.replacing(with: 0, where: value .< 0)
    return low.replacing(with: Lanes(repeating: most), where: low .> most)
  }

  @inline(__always)
  private static func bounded(_ value: Lanes) -> Lanes {
    let low = value.replacing(with: Lanes(repeating: -mostCarried), where: value .< -mostCarried)
    return low.replacing(with: Lanes(repeating: mostCarried), where: low .> mostCarried)
  }
}

extension PaletteColors256 {
  /// A colour of the palette for each cell.
  private struct PaletteColor {
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
  private struct Cost {
    var square: Lanes
    var linear: Lanes

    @inline(__always)
    func of(_ value: Lanes) -> Lanes { value * (value * square - linear) }
  }

  /// Returns the gray with the least cost, 8, 18, 28, up to 238, and that cost.
  @inline(__always)
  private static func gray(
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
  private struct Levels {
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
  private struct Corners {
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
