/// Chooses two of the 256 colours for the pattern of each of eight cells.
///
/// In each channel, each of the two colours may be the palette's level below or above the wanted
/// one, so that the pattern mixes them to the mean of the cell. The cost is the squared error of
/// the two colours plus the weighted squared error of the mean, which dominates in flat cells.
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

    /// Returns the dot product of the channels and those of a gray of 1, whose luma is 2, with luma
    /// weighted.
    fileprivate func graySum(_ weight: Float) -> Lanes { red + green + blue + luma * (2 * weight) }
    /// Returns the sum of the squares of the channels, with luma weighted.
    fileprivate func squares(_ weight: Float) -> Lanes {
      red * red + green * green + blue * blue + luma * luma * weight
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
  /// The weight of the error of a cell's mean; the error of the two colours has weight 1.
  private let meanWeight: Lanes

  /// The weight of the mean of a cell with details.
  static let leastWeight = MeanWeight(narrow: 0.3, wide: 0.6)
  /// The weight of luma in the error of the two colours, which show details.
  private static let detailLuma: Float = 2
  /// The weight of luma in the error of the mean, whose hue is visible as well.
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

  /// Chooses colours from the colour cube or the grays, for the means that the cells should have.
  @inline(__always)
  func choose(_ wanted: Colors) -> Choice {
    let red = levels(front.red, back.red, wanted.red)
    let green = levels(front.green, back.green, wanted.green)
    let blue = levels(front.blue, back.blue, wanted.blue)
    var f = Colors(red: red.front, green: green.front, blue: blue.front)
    var b = Colors(red: red.back, green: green.back, blue: blue.back)
    let (offF, offB) = (f.luma - front.luma, b.luma - back.luma)
    let off = f.luma * share + b.luma * (1 - share) - wanted.luma
    let lumaError: Lanes = offF * offF * share + offB * offB * (1 - share)
    let luma: Lanes = lumaError * Self.detailLuma + off * off * (meanWeight * Self.meanLuma)
    let gray = grays(wanted)
    let isGray = gray.cost .< red.cost + green.cost + blue.cost + luma
    var (foreground, background) = (Self.cubeIndex(f), Self.cubeIndex(b))
    foreground.replace(with: gray.front * 0.1 + 231.2, where: isGray)
    background.replace(with: gray.back * 0.1 + 231.2, where: isGray)
    f.replace(with: gray.front, where: isGray)
    b.replace(with: gray.back, where: isGray)
    return Choice(
      foreground: Self.integers(foreground), background: Self.integers(background),
      mean: Colors(
        red: f.red * share + b.red * (1 - share), green: f.green * share + b.green * (1 - share),
        blue: f.blue * share + b.blue * (1 - share)))
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

extension PaletteColors256.Colors {
  @inline(__always)
  fileprivate mutating func replace(
    with gray: SIMD8<Float>, where mask: SIMDMask<SIMD8<Float>.MaskStorage>
  ) {
    red.replace(with: gray, where: mask)
    green.replace(with: gray, where: mask)
    blue.replace(with: gray, where: mask)
  }
}

extension PaletteColors256 {
  /// The foreground's and the background's level in one channel for each cell, and their cost.
  private struct Levels {
    var cost: Lanes
    var front: Lanes
    var back: Lanes

    @inline(__always)
    mutating func take(_ other: Levels) {
      let isBetter = other.cost .< cost
      cost.replace(with: other.cost, where: isBetter)
      front.replace(with: other.front, where: isBetter)
      back.replace(with: other.back, where: isBetter)
    }
  }

  /// A level for the foreground or the background: its error, and its part of the cell's mean.
  private struct Level {
    var value: Lanes
    var error: Lanes
    var part: Lanes

    @inline(__always)
    init(_ value: Lanes, for color: Lanes, share: Lanes) {
      let off = value - color
      self.value = value
      error = off * off * share
      part = value * share
    }
  }

  /// Returns the best of four pairs of levels for a channel, since channels of the cube are
  /// independent.
  @inline(__always)
  private func levels(_ front: Lanes, _ back: Lanes, _ wanted: Lanes) -> Levels {
    let (f, b) = (Self.levels(around: front), Self.levels(around: back))
    let (f0, f1) = (
      Level(f.0, for: front, share: share), Level(f.1, for: front, share: share)
    )
    let (b0, b1) = (
      Level(b.0, for: back, share: 1 - share), Level(b.1, for: back, share: 1 - share)
    )
    @inline(__always)
    func pair(_ f: Level, _ b: Level) -> Levels {
      let off = f.part + b.part - wanted
      return Levels(
        cost: f.error + b.error + off * off * meanWeight, front: f.value, back: b.value)
    }
    var best = pair(f0, b0)
    best.take(pair(f0, b1))
    best.take(pair(f1, b0))
    best.take(pair(f1, b1))
    return best
  }

  /// Returns the levels of the cube below and above a value: 0, 95, 135, up to 255.
  @inline(__always)
  private static func levels(around value: Lanes) -> (Lanes, Lanes) {
    let step = rounded(clamped((value - 75) * 0.025, to: 4))
    let low = step * 40 + 55
    return (low.replacing(with: 0, where: step .< 0.5), low + 40)
  }

  @inline(__always)
  private static func cubeIndex(_ color: Colors) -> Lanes {
    @inline(__always)
    func step(_ level: Lanes) -> Lanes {
      let step = (level - 55) * 0.025
      return step.replacing(with: 0, where: step .< 0)
    }
    let (red, green): (Lanes, Lanes) = (step(color.red) * 36, step(color.green) * 6)
    return red + green + step(color.blue) + 16
  }

  /// Returns the best of the four pairs of grays below and above.
  @inline(__always)
  private func grays(_ wanted: Colors) -> Levels {
    let (detail, whole) = (Self.detailLuma, Self.meanLuma)
    let (sumF, sumB) = (front.graySum(detail) * 2, back.graySum(detail) * 2)
    let (squaresF, squaresB) = (front.squares(detail), back.squares(detail))
    let (sum, squares) = (wanted.graySum(whole) * 2, wanted.squares(whole))
    let rest = 1 - share
    // With k = 1 for the channels and 2 for luma, and weights w:
    // Σ w (k · gray − channel)² = gray² Σ w k² − 2 gray Σ w k channel + Σ w channel².
    let (grays, grayMeans) = (3 + 4 * detail, 3 + 4 * whole)
    @inline(__always)
    func pair(_ f: Lanes, _ b: Lanes) -> Levels {
      let mean = f * share + b * rest
      let frontError: Lanes = f * (f * grays - sumF) + squaresF
      let backError: Lanes = b * (b * grays - sumB) + squaresB
      let meanError: Lanes = mean * (mean * grayMeans - sum) + squares
      let cost: Lanes = frontError * share + backError * rest
      return Levels(cost: cost + meanError * meanWeight, front: f, back: b)
    }
    let (f, b) = (Self.gray(below: front), Self.gray(below: back))
    var best = pair(f, b)
    best.take(pair(f, b + 10))
    best.take(pair(f + 10, b))
    best.take(pair(f + 10, b + 10))
    return best
  }

  /// Returns the gray below a colour: 8, 18, 28, up to 228.
  @inline(__always)
  private static func gray(below color: Colors) -> Lanes {
    let mean = (color.red + color.green + color.blue) * (1 / 30)
    return rounded(clamped(mean - 1.3, to: 22)) * 10 + 8
  }
}
