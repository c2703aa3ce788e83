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
      luma =
        red * PaletteColors256.redLuma + green * PaletteColors256.greenLuma
        + blue * PaletteColors256.blueLuma
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
    func without(_ other: Colors, share: Lanes) -> Colors {
      Colors(
        red: red - other.red * share, green: green - other.green * share,
        blue: blue - other.blue * share)
    }

    /// Returns the sum with other colours.
    @inline(__always)
    func adding(_ other: Colors) -> Colors {
      Colors(red: red + other.red, green: green + other.green, blue: blue + other.blue)
    }

    @inline(__always)
    fileprivate init(_ rows: Rows) { self.init(red: rows.x, green: rows.y, blue: rows.z) }

    /// Returns the colour of a cell and a fourth value.
    @inline(__always)
    func color(_ lane: Int, _ fourth: Float) -> SIMD4<Float> {
      SIMD4(red[lane], green[lane], blue[lane], fourth)
    }

    /// Replaces the colours of some cells.
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

  /// Two colours of the palette for each cell, and the mean of the cell with them.
  struct Choice {
    /// Indices into the palette.
    var foreground: SIMD8<Int32>
    /// Indices into the palette.
    var background: SIMD8<Int32>
    /// The mean of each cell.
    var mean: Colors
  }

  /// What a cell should show.
  struct Parts {
    /// The mean of the samples inside the pattern, and its share of the cell, 0 to 1.
    var front = SIMD4<Float>.zero
    /// The mean of the samples outside of the pattern, and the weight of the error of the cell's
    /// mean.
    var back = SIMD4<Float>.zero
    /// The mean of all samples, and the weight of each channel in the error of the two colours.
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
  /// The weight of luma in the error of the two colours.
  private static let lumaWeight: Float = 2
  /// The weight of luma in the error of the mean, whose channels have weight 1.
  private static let meanLuma: Float = 0.2
  /// The largest error that is carried from cell to cell, in each channel.
  private static let mostCarried: Float = 48

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
    let low = value.replacing(with: Lanes(repeating: -mostCarried), where: value .< -mostCarried)
    return low.replacing(with: Lanes(repeating: mostCarried), where: low .> mostCarried)
  }
}
