/// Chooses two of the 256 colors for the pattern of each of eight cells.
///
/// The cost of two colors is their squared error, in which luma counts more than hue, plus the
/// weighted squared error of the mean of the cell, which dominates in flat cells. So a dark green,
/// which the palette lacks, becomes a gray beside a green of about its luma. The foreground is
/// chosen first, as if the background could be drawn exactly, and then the background for it.
struct PaletteColors256 {
  /// A value for each of eight cells.
  typealias Lanes = SIMD8<Float>

  /// A color for each cell, in four channels from 0 to 255 (luma to 510).
  struct Colors {
    var red: Lanes
    var green: Lanes
    var blue: Lanes
    /// Twice the luma, since eyes distinguish brightness better than hue.
    var luma: Lanes

    @inline(__always)
    init(red: Lanes, green: Lanes, blue: Lanes) {
      (self.red, self.green, self.blue) = (red, green, blue)
      luma =
        red * PaletteColors256.redLuma + green * PaletteColors256.greenLuma
        + blue * PaletteColors256.blueLuma
    }

    /// Returns the error of `drawn`: these colors less the drawn ones.
    ///
    /// Each channel is limited, so that one unusual cell does not discolor others.
    @inline(__always)
    func lacking(_ drawn: Colors) -> Colors {
      Colors(
        red: PaletteColors256.bounded(red - drawn.red),
        green: PaletteColors256.bounded(green - drawn.green),
        blue: PaletteColors256.bounded(blue - drawn.blue))
    }

    /// Returns these colors less a share of others.
    @inline(__always)
    func without(_ other: Colors, share: Lanes) -> Colors {
      Colors(
        red: red - other.red * share, green: green - other.green * share,
        blue: blue - other.blue * share)
    }

    /// Returns the sum with other colors.
    @inline(__always)
    func adding(_ other: Colors) -> Colors {
      Colors(red: red + other.red, green: green + other.green, blue: blue + other.blue)
    }

    @inline(__always)
    fileprivate init(_ rows: Rows) { self.init(red: rows.x, green: rows.y, blue: rows.z) }

    /// Returns the color of a cell and a fourth value.
    @inline(__always)
    func color(_ lane: Int, _ fourth: Float) -> SIMD4<Float> {
      SIMD4(red[lane], green[lane], blue[lane], fourth)
    }

    /// Replaces the colors of some cells.
    @inline(__always)
    mutating func replace(with other: Colors, where mask: SIMDMask<Lanes.MaskStorage>) {
      red.replace(with: other.red, where: mask)
      green.replace(with: other.green, where: mask)
      blue.replace(with: other.blue, where: mask)
      luma.replace(with: other.luma, where: mask)
    }
  }

  /// Four values of each of eight cells.
  fileprivate struct Rows {
    var x: Lanes
    var y: Lanes
    var z: Lanes
    var w: Lanes

    @inline(__always)
    init(_ cells: SIMD8<Int>, of value: (Int) -> SIMD4<Float>) {
      let (a, b, c, d) = (
        value(cells[0]), value(cells[1]), value(cells[2]), value(cells[3])
      )
      let (e, f, g, h) = (
        value(cells[4]), value(cells[5]), value(cells[6]), value(cells[7])
      )
      x = Lanes(a.x, b.x, c.x, d.x, e.x, f.x, g.x, h.x)
      y = Lanes(a.y, b.y, c.y, d.y, e.y, f.y, g.y, h.y)
      z = Lanes(a.z, b.z, c.z, d.z, e.z, f.z, g.z, h.z)
      w = Lanes(a.w, b.w, c.w, d.w, e.w, f.w, g.w, h.w)
    }
  }

  /// Two colors of the palette for each cell, and the mean of the cell with them.
  struct Choice {
    /// Indices into the palette.
    var foreground: SIMD8<Int32>
    /// Indices into the palette.
    var background: SIMD8<Int32>
    /// The mean of each cell.
    var mean: Colors
  }

  /// The means that the parts of a cell, and the whole cell, should have.
  struct Parts {
    /// The mean of the samples inside the pattern, and its share of the cell, 0 to 1.
    var front = SIMD4<Float>.zero
    /// The mean of the samples outside of the pattern, and the weight of the error of the cell's
    /// mean.
    var back = SIMD4<Float>.zero
    /// The mean of all samples, and the weight of each channel in the error of the two colors.
    var mean = SIMD4<Float>.zero
  }

  /// The means of all samples of each cell.
  let means: Colors
  private let share: Lanes
  private let front: Colors
  private let back: Colors
  private let meanWeight: Lanes
  private let hueWeight: Lanes

  /// The parts of the channels in twice the luma.
  private static let redLuma: Float = 0.598
  private static let greenLuma: Float = 1.174
  private static let blueLuma: Float = 0.228
  /// The weight of luma in the error of the two colors.
  private static let lumaWeight: Float = 2
  /// The weight of luma in the error of the mean, whose channels have weight 1.
  private static let meanLuma: Float = 0.2
  /// The largest error that is carried from cell to cell, in each channel.
  private static let maxCarried: Float = 48

  /// Gathers eight cells, given by their indices.
  @inline(__always)
  init(_ cells: SIMD8<Int>, of parts: (Int) -> Parts) {
    let fronts = Rows(cells) { parts($0).front }
    let backs = Rows(cells) { parts($0).back }
    let means = Rows(cells) { parts($0).mean }
    (share, front) = (fronts.w, Colors(fronts))
    (meanWeight, back) = (backs.w, Colors(backs))
    (hueWeight, self.means) = (means.w, Colors(means))
  }

  /// Chooses colors for the means that the cells should have.
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

  /// Returns the palette's color with the least cost for a part of each cell.
  ///
  /// `mean` is what the part should contribute to the mean of the cell.
  @inline(__always)
  private func nearest(_ color: Colors, share: Lanes, mean: Colors) -> PaletteColor {
    // In each channel, w · (x − color)² + m · (x · share − mean)² / share, less what does not
    // depend on x.
    let shared = meanWeight * share
    let twice = meanWeight * 2
    let luma = Cost(
      square: shared * Self.meanLuma + Self.lumaWeight,
      linear: color.luma * (2 * Self.lumaWeight) + mean.luma * (twice * Self.meanLuma))
    let (square, double) = (shared + hueWeight, hueWeight * 2)
    @inline(__always)
    func cost(_ channel: Lanes, _ mean: Lanes) -> Cost {
      Cost(square: square, linear: channel * double + mean * twice)
    }
    let red = cost(color.red, mean.red)
    let green = cost(color.green, mean.green)
    let blue = cost(color.blue, mean.blue)
    let (gray, grayCost) = Self.gray(red, green, blue, luma)
    let corners = Corners(
      red: Levels(around: color.red, red, luma: Self.redLuma),
      green: Levels(around: color.green, green, luma: Self.greenLuma),
      blue: Levels(around: color.blue, blue, luma: Self.blueLuma))
    let (corner, cubeCost) = corners.best(luma)
    var best = corners.color(corner)
    best.replace(with: gray, where: grayCost .< cubeCost)
    return best
  }

  private static let unit = Lanes(repeating: 0x1p23)

  /// Rounds small numbers, which must not be negative.
  @inline(__always)
  static func rounded(_ value: Lanes) -> Lanes { value + unit - unit }

  @inline(__always)
  static func integers(_ value: Lanes) -> SIMD8<Int32> {
    unsafeBitCast(value + unit, to: SIMD8<Int32>.self) & 0xFFFF
  }

  @inline(__always)
  static func clamped(_ value: Lanes, to most: Float) -> Lanes {
    let low = value.replacing(with: 0, where: value .< 0)
    return low.replacing(with: Lanes(repeating: most), where: low .> most)
  }

  @inline(__always)
  private static func bounded(_ value: Lanes) -> Lanes {
    let low = value.replacing(with: Lanes(repeating: -maxCarried), where: value .< -maxCarried)
    return low.replacing(with: Lanes(repeating: maxCarried), where: low .> maxCarried)
  }
}

/// The colors of the palette that may stand for a part of a cell: a gray and eight colors of the
/// cube.
extension PaletteColors256 {
  /// A color of the palette for each cell.
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

  /// The eight colors of the cube around a color.
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
