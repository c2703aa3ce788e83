/// Colours of the palette of 256 for cells that make up for the cell to their left.
///
/// Two colours of a cell mix to a few means only. What one lacks the next one gets in addition, in
/// chains of a few cells that begin at the left edge of their tile, so that the pattern moves with
/// the tile. Chains are short, since all their cells are worked on once for each place.
struct PaletteChain {
  private typealias Lanes = SIMD8<Float>

  /// How many cells make up for each other where there are details.
  private let shortLength: Int32
  /// What the last cell that was drawn lacks of its mean.
  private var carried = SIMD4<Float>.zero
  /// What the mean of a cell with detail weighs in this window.
  private(set) var meanWeight: Float = 0

  /// How many cells make up for each other in flat areas, where a wrong mean shows.
  private static let longLength: Int32 = 4
  /// The variance of samples, summed over the channels, up to which eight cells are a flat area.
  private static let flatVariance: Float = 8

  /// A chain for a set of glyphs.
  ///
  /// Coarse glyphs are to be drawn in less time, so their chains are shorter where there are details.
  init(_ glyphs: GlyphSet) {
    shortLength =
      switch glyphs {
      case .half, .ascii: 1
      case .quadrant: 2
      case .sextant, .octant: 4
      }
  }

  /// Forgets the cell before; at the start of a row of some cells.
  mutating func startRow(columns: Int) {
    carried = .zero
    meanWeight = PaletteColors256.leastWeight.value(columns: columns)
  }

  /// Chooses the colours of eight cells.
  ///
  /// - Parameters:
  ///   - colors: The choices that their patterns leave.
  ///   - means: The means that the cells should have.
  ///   - variance: The variance of the samples of each.
  ///   - columns: How many cells there are to the left of each in its tile, one more in every other
  ///     row, so that the pattern has no stripes.
  /// - Returns: The colours, as indices into the palette.
  @inline(__always)
  mutating func choose(
    _ colors: PaletteColors256, means: PaletteColors256.Colors, variance: SIMD8<Float>,
    columns: SIMD8<Int32>
  ) -> PaletteColors256.Choice {
    var isFlat = true
    for lane in 0..<8 where variance[lane] > Self.flatVariance { isFlat = false }
    let length = isFlat ? Self.longLength : shortLength
    // A power of two.
    let places = columns & (length - 1)
    var wanted = means
    var chosen = colors.choose(means)
    for place in 1..<max(length, 1) {
      let next = means.adding(wanted.lacking(chosen.mean).shifted(after: carried))
      let choice = colors.choose(next)
      chosen.replace(with: choice, where: places .== place)
      wanted.replace(with: next, where: places .== place)
    }
    carried = wanted.lacking(chosen.mean).last
    return chosen
  }
}
