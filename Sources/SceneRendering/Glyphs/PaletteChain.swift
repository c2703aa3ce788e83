/// Chooses colours of the 256-colour palette, with error diffusion from each cell to the next one
/// in its row.
///
/// The two colours of a cell can only mix to a few means. The error of a cell's mean is added to
/// the wanted mean of the next cell, in chains of a few cells that begin at the left edge of a
/// tile, so that the pattern moves with the tile. Chains are short, because all cells of a group
/// are computed again for each position in a chain.
struct PaletteChain {
  private typealias Lanes = SIMD8<Float>

  /// The number of cells in a chain where there are details.
  private let shortLength: Int32
  /// The error of the mean of the last cell: the wanted colour less the drawn one.
  private var carried = SIMD4<Float>.zero
  /// The weight of the mean of a cell with details, in a window of the current width.
  private(set) var meanWeight: Float = 0

  /// The number of cells in a chain in flat areas, where a wrong mean is visible.
  private static let longLength: Int32 = 4
  /// The variance of samples, summed over the channels, up to which a cell is flat; an area is flat
  /// if all eight cells of a group are.
  private static let flatVariance: Float = 8

  /// Creates a chain for a glyph set.
  ///
  /// Coarse glyphs should take less time to draw, so their chains are shorter where there are
  /// details.
  init(_ glyphs: GlyphSet) {
    shortLength =
      switch glyphs {
      case .half, .ascii: 2
      case .quadrant, .sextant, .octant: 4
      }
  }

  /// Starts a row of cells, the first of which gets no error.
  mutating func startRow(columns: Int) {
    carried = .zero
    meanWeight = PaletteColors256.leastWeight.value(columns: columns)
  }

  /// Chooses the colours of eight cells.
  ///
  /// - Parameters:
  ///   - colors: The possible colours, given the cells' patterns.
  ///   - means: The means that the cells should have.
  ///   - variance: The variance of the samples of each cell.
  ///   - columns: The number of cells to the left of each cell in its tile, plus one in every other
  ///     row, so that the pattern has no stripes.
  /// - Returns: The colours, as indices into the palette.
  @inline(__always)
  mutating func choose(
    _ colors: PaletteColors256, means: PaletteColors256.Colors, variance: SIMD8<Float>,
    columns: SIMD8<Int32>
  ) -> PaletteColors256.Choice {
    let isFlat = variance.lowHalf.most(variance.highHalf).most <= Self.flatVariance
    let length = isFlat ? Self.longLength : shortLength
    // The length is a power of two. Floats are compared faster than integers, which make the low
    // bits of floats of 2^23.
    let bits = columns & (length - 1) | Int32(bitPattern: Float(0x1p23).bitPattern)
    let places = unsafeBitCast(bits, to: Lanes.self) - 0x1p23
    var wanted = means
    var chosen = colors.choose(means)
    for place in 1..<max(length, 1) {
      let next = means.adding(wanted.lacking(chosen.mean).shifted(after: carried))
      let choice = colors.choose(next)
      // Later places are overwritten in turn.
      let isReached = places .> Float(place) - 0.5
      chosen.replace(with: choice, where: isReached)
      wanted.replace(with: next, where: isReached)
    }
    carried = wanted.lacking(chosen.mean).last
    return chosen
  }
}
