import Geometry

/// Chooses patterns of ink for cells without colors, so that details stay and areas keep their
/// mean.
///
/// A pattern shows ink in the brightest samples of a cell. The chosen pattern minimizes the squared
/// error of the samples plus the weighted squared error of the cell's mean, to which the error of
/// the previous cell was added. Terms that are equal for all patterns are left out of the sums.
struct InkMixer {
  private let masks: CellMasks
  /// The error of the mean of the previous cell, in luma from 0 to 255.
  private var carried: Float = 0
  /// The layer of the previous cell; errors are not carried to another layer.
  private var lastLayer: Int32 = -1

  /// The largest error that is carried from cell to cell; with more, strokes go through faces.
  private static let maxCarried: Float = 60
  /// The weight of the mean of a cell with details; its samples have weight 1.
  private static let minWeight: Float = 0.08
  private static let contrast = DetailContrast(goal: 80, most: 10)
  /// The weight that is added in a flat cell, where a pattern hides no details.
  private static let flatWeight: Float = 4
  /// The variance of samples at which half of `flatWeight` is added: only in cells of one color.
  private static let flatVariance: Float = 0.003

  init(_ glyphs: GlyphSet) { masks = CellMasks(glyphs) }

  /// Starts a row of cells, the first of which gets no error.
  mutating func startRow() {
    carried = 0
    lastLayer = -1
  }

  /// Chooses the samples of a cell that are drawn bright, and returns their mask.
  mutating func brightSamples(_ samples: CellSamples, _ anchor: SamplePlanes.Anchor) -> UInt8 {
    if anchor.layer != lastLayer { carried = 0 }
    lastLayer = anchor.layer
    let luma = samples.luma / CellSamples.lumaGain
    let weights = masks.weights(of: masks.full)
    let weighed = luma * weights
    let mean = weighed.total
    let variance = max(0, (luma * weighed).total - mean * mean)
    let wanted = mean + carried
    let meanWeight =
      Self.minWeight + Self.flatWeight * Self.flatVariance / (Self.flatVariance + variance)
    let contrast = Self.contrast.factor(deviation: variance.squareRoot())
    let ranks = masks.ranks(of: luma * CellSamples.lumaGain, anchor)
    var (best, least, drawn) = (UInt8(0), Float.infinity, Float(0))
    for count in masks.counts(isFine: true) {
      let selection = CellMasks.selection(count, ranks)
      let inside = weighed.selected(by: selection).total
      let share = weights.selected(by: selection).total
      let off = 255 * share - wanted
      let detail = inside - mean * share
      let cost =
        255 * (255 * share - 2 * (mean * share + contrast * detail)) + off * off * meanWeight
      guard cost < least else { continue }
      (best, least, drawn) = (masks.brightest(count, ranks), cost, 255 * share)
    }
    carried = min(max(wanted - drawn, -Self.maxCarried), Self.maxCarried)
    return best
  }
}

/// Draws cells without colors: by patterns of ink that follow the picture, or by characters of a
/// suitable density.
struct MonochromeFitter {
  private let glyphs: GlyphSet
  /// Whether ink is darker than the background, so that dark samples get ink.
  private let isLight: Bool
  private var mixer: InkMixer

  /// Creates a fitter for a glyph set, on a light or a dark background.
  init(glyphs: GlyphSet, isLight: Bool) {
    self.glyphs = glyphs
    self.isLight = isLight
    mixer = InkMixer(glyphs)
  }

  /// Fills a row of cells from its samples.
  mutating func fit(_ planes: SamplePlanes, into cells: inout [Cell]) {
    mixer.startRow()
    for index in cells.indices {
      let coverage = planes.coverage[index]
      var mask: UInt8 = 0
      if coverage == 0 {
        mixer.startRow()
      } else if glyphs == .ascii {
        let ink = self.ink(of: planes.sample(0, ofCell: index))
        mask = UInt8((ink * Float(GlyphSet.ramp.count - 1)).rounded())
      } else {
        let bright = planes.values.withUnsafeBytes {
          mixer.brightSamples(
            CellSamples(
              $0, stride: planes.stride, count: glyphs.sampleCount, cell: index),
            planes.anchors[index])
        }
        mask = (isLight ? ~bright : bright) & coverage
        if !glyphs.canDraw(mask) { mask = isLight ? ~bright & glyphs.fullMask : bright }
      }
      cells[index] = Cell(
        glyph: .pattern(mask), foreground: .standard, background: .standard)
    }
  }

  /// Returns the amount of ink for a sample, 0 to 1.
  private func ink(of sample: SIMD3<Float>) -> Float {
    let luma = (sample * SIMD3(0.299, 0.587, 0.114)).sum() / 255
    return max(0, min(1, isLight ? 1 - luma : luma))
  }
}

/// Bayer's 8 by 8 matrix of thresholds.
enum OrderedDither {
  /// Returns the threshold at a sample: above 0 and below 1, evenly distributed over 8 by 8
  /// samples.
  static func threshold(column: Int, row: Int) -> Float {
    var value = 0
    for bit in 0..<3 {
      let (x, y) = (column >> bit & 1, row >> bit & 1)
      value |= (x ^ y) << (5 - 2 * bit) | y << (4 - 2 * bit)
    }
    return (Float(value) + 0.5) / 64
  }
}

/// Two of the sixteen colors, and the share of the second, that mix to a given color.
///
/// Adding a threshold to the channels works for evenly spaced colors only; the sixteen include no
/// dark colors, so that photos became gray. Mixing pairs is ordered dithering as Joel Yliluoma
/// describes it ("Arbitrary-palette positional dithering algorithm").
struct SixteenColorMix {
  /// The indices of the two colors among the sixteen.
  let indices: (Int, Int)
  /// The share of the second color, 0 to 1.
  private let share: Float

  /// Returns the mix for a color with channels from 0 to 255, which are rounded down to four bits.
  static func nearest(to color: SIMD3<Float>) -> SixteenColorMix {
    var index = 0
    for channel in 0..<3 { index = index << 4 | Int(max(0, min(255, color[channel]))) >> 4 }
    return table[index]
  }

  private static let table: [SixteenColorMix] = (0..<1 << 12).map { index in
    let steps = SIMD3(Float(index >> 8), Float(index >> 4 & 15), Float(index & 15))
    return best(for: steps * (255 / 15))
  }

  private static func best(for color: SIMD3<Float>) -> SixteenColorMix {
    var best = SixteenColorMix(indices: (0, 0), share: 0)
    var least = Float.infinity
    for (index, first) in colors.enumerated() {
      for other in index..<colors.count {
        let second = colors[other]
        let between = second - first
        let length = (between * between).sum()
        let share = max(0, min(1, ((color - first) * between).sum() / max(length, 1)))
        let miss = first + between * share - color
        // Two colors far apart look like dots rather than like their mix.
        let error = (miss * miss).sum() + 0.1 * length * share * (1 - share)
        if error < least {
          least = error
          best = SixteenColorMix(
            indices: (index, other), share: share)
        }
      }
    }
    return best
  }

  private static let colors = CellColor.sixteen.map {
    SIMD3(Float($0 >> 16 & 255), Float($0 >> 8 & 255), Float($0 & 255))
  }
}
