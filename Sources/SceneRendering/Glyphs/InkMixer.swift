import PhotoGridCore

/// Chooses patterns of ink for cells without colours, so that details stay and areas keep their
/// mean.
///
/// A pattern shows ink in the brightest samples of a cell. Which of the patterns it is minimizes the
/// squared error of the samples and, weighed in addition, that of the cell's mean together with the
/// error of the cell before. What is equal for all patterns is left out of the sums.
struct InkMixer {
  private let masks: CellMasks
  /// The error of the mean of the cell before, in steps of 255.
  private var carried: Float = 0
  private var lastLayer: Int32 = -1

  /// The most that is carried from cell to cell.
  private static let mostCarried: Float = 100
  /// What the mean of a cell with detail weighs beside its samples.
  private static let leastWeight: Float = 0.15
  /// How much more contrast a cell is drawn with than it has.
  ///
  /// Two levels would show nothing of most details; with more contrast they get a pattern without
  /// costing the mean. Found with the benchmark `fidelity`, as the weights.
  private static let contrast: Float = 2.5
  /// What the mean weighs more in a flat cell, where a pattern hides nothing.
  private static let flatWeight: Float = 4
  /// The variance of samples at which a cell is half flat.
  private static let flatVariance: Float = 0.03

  /// A mixer for a set's glyphs.
  init(_ glyphs: GlyphSet) { masks = CellMasks(glyphs) }

  /// Forgets the cell before; at the start of a row.
  mutating func startRow() {
    carried = 0
    lastLayer = -1
  }

  /// Chooses the samples of a cell that are bright.
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
    let ranks = masks.ranks(of: luma * CellSamples.lumaGain, anchor)
    var (best, least, drawn) = (UInt8(0), Float.infinity, Float(0))
    for count in masks.counts(isFine: true) {
      let selection = CellMasks.selection(count, ranks)
      let inside = weighed.selected(by: selection).total
      let share = weights.selected(by: selection).total
      let off = 255 * share - wanted
      let detail = inside - mean * share
      let cost =
        255 * (255 * share - 2 * (mean * share + Self.contrast * detail)) + off * off * meanWeight
      guard cost < least else { continue }
      (best, least, drawn) = (masks.brightest(count, ranks), cost, 255 * share)
    }
    carried = min(max(wanted - drawn, -Self.mostCarried), Self.mostCarried)
    return best
  }
}
