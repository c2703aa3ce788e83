import PhotoGridCore

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
  private static let mostCarried: Float = 60
  /// The weight of the mean of a cell with details; its samples have weight 1.
  private static let leastWeight: Float = 0.08
  private static let contrast = DetailContrast(goal: 80, most: 10)
  /// The weight that is added in a flat cell, where a pattern hides no details.
  private static let flatWeight: Float = 4
  /// The variance of samples at which half of `flatWeight` is added: only in cells of one color.
  private static let flatVariance: Float = 0.003

  /// Creates a mixer for a glyph set.
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
      Self.leastWeight + Self.flatWeight * Self.flatVariance / (Self.flatVariance + variance)
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
    carried = min(max(wanted - drawn, -Self.mostCarried), Self.mostCarried)
    return best
  }
}
