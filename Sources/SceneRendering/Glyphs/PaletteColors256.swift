/// Chooses for each of eight cells the two of the 256 colours that suit its pattern best.
///
/// Each of the two colours of a pattern may be the one below or the one above its own in each
/// channel, so that the pattern mixes them to the mean of the cell: what weighs is the error of the
/// two colours, and in flat cells above all that of the mean.
struct PaletteColors256 {
  typealias Lanes = SIMD8<Float>

  /// A value for each of four channels of each cell.
  struct Colors {
    var red: Lanes
    var green: Lanes
    var blue: Lanes
    /// Twice the luma, since eyes tell brightness apart better than hues.
    var luma: Lanes

    /// Colours by their three channels.
    @inline(__always)
    init(red: Lanes, green: Lanes, blue: Lanes) {
      (self.red, self.green, self.blue) = (red, green, blue)
      luma = red * 0.598 + green * 1.174 + blue * 0.228
    }

    /// What the cells lack after `drawn`, bounded, so that one odd cell does not color others.
    @inline(__always)
    func lacking(_ drawn: Colors) -> Colors {
      Colors(
        red: PaletteColors256.bounded(red - drawn.red),
        green: PaletteColors256.bounded(green - drawn.green),
        blue: PaletteColors256.bounded(blue - drawn.blue))
    }

    /// The sum with other colours.
    @inline(__always)
    func adding(_ other: Colors) -> Colors {
      Colors(red: red + other.red, green: green + other.green, blue: blue + other.blue)
    }

    /// The colours of the cells to the left, the first of which comes before these.
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

    /// Takes other colours for some cells.
    @inline(__always)
    mutating func replace(with other: Colors, where mask: SIMDMask<Lanes.MaskStorage>) {
      red.replace(with: other.red, where: mask)
      green.replace(with: other.green, where: mask)
      blue.replace(with: other.blue, where: mask)
      luma.replace(with: other.luma, where: mask)
    }

    /// The channels and the weighed luma summed up as a gray of 1 would meet them.
    fileprivate func graySum(_ weight: Float) -> Lanes { red + green + blue + luma * (2 * weight) }
    fileprivate func squares(_ weight: Float) -> Lanes {
      red * red + green * green + blue * blue + luma * luma * weight
    }
  }

  /// Two colours of the palette for each cell, and what they make together.
  struct Choice {
    var foreground: SIMD8<Int32>
    var background: SIMD8<Int32>
    var mean: Colors

    /// Takes another choice for some cells.
    @inline(__always)
    mutating func replace(with other: Choice, where mask: SIMDMask<Lanes.MaskStorage>) {
      foreground.replace(with: other.foreground, where: mask)
      background.replace(with: other.background, where: mask)
      mean.replace(with: other.mean, where: mask)
    }
  }

  /// The part of each cell that shows the foreground, 0 to 1.
  private let share: Lanes
  /// The means of the samples in the pattern, and of the others.
  private let front: Colors
  private let back: Colors
  /// How much the cell's mean weighs beside the two colours.
  private let meanWeight: Lanes

  /// What the mean weighs in a cell with detail.
  static let leastWeight = MeanWeight(narrow: 0.3, wide: 0.6)
  /// What luma weighs in the two colours, by which details are seen, and in the mean, which is seen
  /// by its hue as well.
  private static let detailLuma: Float = 2
  private static let meanLuma: Float = 0.2
  /// What it weighs more in a flat cell, where a pattern hides nothing and a wrong colour shows.
  private static let flatWeight: Float = 4
  /// The variance of samples, summed over the channels, at which a cell is half flat.
  private static let flatVariance: Float = 0.2
  /// The most that a cell makes up for the one before it, in steps of 255.
  private static let mostCarried: Float = 48

  /// The choice for cells whose samples have a variance, with the weight of a detailed cell's mean.
  init(share: Lanes, front: Colors, back: Colors, variance: Lanes, leastWeight: Float) {
    (self.share, self.front, self.back) = (share, front, back)
    meanWeight =
      Self.flatWeight * Self.flatVariance / (variance + Self.flatVariance) + leastWeight
  }

  /// Chooses the colours by the means that the cells should have.
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

  /// The nearest whole numbers of small ones that are not negative.
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
  /// Two levels for each cell, and their cost.
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

  /// A level for one side of the pattern: its error, and its part of the cell's mean.
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

  /// The best of four pairs of levels: the channels of the cube do not depend on each other.
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

  /// The levels below and above: 0, 95, 135, up to 255.
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

  /// The best of the pairs of grays below and above.
  @inline(__always)
  private func grays(_ wanted: Colors) -> Levels {
    let (detail, whole) = (Self.detailLuma, Self.meanLuma)
    let (sumF, sumB) = (front.graySum(detail) * 2, back.graySum(detail) * 2)
    let (squaresF, squaresB) = (front.squares(detail), back.squares(detail))
    let (sum, squares) = (wanted.graySum(whole) * 2, wanted.squares(whole))
    let rest = 1 - share
    // The sum of (gray - channel)² is gray² for each channel and four times for the luma, less twice
    // gray times the sum, and the squares.
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

  /// The gray below a colour: of 8, 18, up to 228.
  @inline(__always)
  private static func gray(below color: Colors) -> Lanes {
    let mean = (color.red + color.green + color.blue) * (1 / 30)
    return rounded(clamped(mean - 1.3, to: 22)) * 10 + 8
  }
}
