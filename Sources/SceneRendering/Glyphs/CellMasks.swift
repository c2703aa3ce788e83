import Geometry

/// The patterns of a glyph set as weights of samples, and the order of samples in flat areas.
struct CellMasks {
  /// The pattern of all samples.
  let full: UInt8
  /// The number of samples in a cell.
  let sampleCount: Int
  private let isSextant: Bool
  /// For each mask, the share of the cell that each of its samples takes.
  private let weights: [SIMD8<Float>]
  /// For each mask, the share of the cell that it covers.
  private let shares: [Float]
  /// For each position of a cell in Bayer's matrix, the values to add to the luma of its samples.
  private let tieBreaks: [SIMD8<Float>]

  /// The largest value that is added to distinguish equal samples, in luma from 0 to 255.
  private static let tieBreak: Float = 2

  init(_ glyphs: GlyphSet) {
    full = glyphs.fullMask
    sampleCount = glyphs.sampleCount
    isSextant = glyphs == .sextant
    let heights = glyphs.sampleHeights.flatMap {
      Array(repeating: Float($0), count: glyphs.sampleColumns)
    }
    let total = heights.reduce(0, +)
    weights = (0...Int(glyphs.fullMask)).map { mask in
      var weights = SIMD8<Float>.zero
      for sample in heights.indices where mask & 1 << sample != 0 {
        weights[sample] = heights[sample] / total
      }
      return weights
    }
    shares = weights.map { $0.sum() }
    tieBreaks = (0..<64).map { index in
      var keys = SIMD8<Float>(repeating: -.infinity)
      for (index, block) in glyphs.blocks.enumerated() {
        let (row, column) = index.quotientAndRemainder(dividingBy: glyphs.sampleColumns)
        let threshold = OrderedDither.threshold(column: index % 8 + column, row: index / 8 + row)
        for sample in heights.indices where block & 1 << UInt8(sample) != 0 {
          keys[sample] = threshold * Self.tieBreak * CellSamples.lumaGain
        }
      }
      return keys
    }
  }

  /// Returns the share of the cell that each sample of a mask takes; 0 for all others.
  @inline(__always)
  func weights(of mask: UInt8) -> SIMD8<Float> { weights[Int(mask)] }

  /// Returns the share of the cell that a mask covers.
  @inline(__always)
  func share(of mask: UInt8) -> Float { shares[Int(mask)] }

  /// Returns for each sample how many others are brighter.
  ///
  /// Equal samples are ordered by their position in the tile, so that flat areas are dithered.
  @inline(__always)
  func ranks(of luma: SIMD8<Float>, _ anchor: SamplePlanes.Anchor) -> SIMD8<Int32> {
    var luma = luma
    if isSextant {
      // The set cannot show the two halves of its middle row separately.
      let (left, right) = ((luma[2] + luma[4]) / 2, (luma[3] + luma[5]) / 2)
      (luma[2], luma[4], luma[3], luma[5]) = (left, left, right, right)
    }
    let keys = luma + tieBreaks[Int(anchor.row & 7) << 3 | Int(anchor.column & 7)]
    var ranks = SIMD8<Int32>.zero
    for other in 0..<sampleCount {
      // The sign bit of the difference, extended to all ones if it is negative.
      ranks &-= unsafeBitCast(keys - keys[other], to: SIMD8<Int32>.self) &>> 31
    }
    return ranks
  }

  /// Returns the mask of the `count` brightest samples, or of more if some are equal.
  @inline(__always)
  func brightest(_ count: Int32, _ ranks: SIMD8<Int32>) -> UInt8 {
    let bits = SIMD8<Int32>(1, 2, 4, 8, 16, 32, 64, 128)
    let chosen = bits & Self.selection(count, ranks)
    let four = chosen.lowHalf | chosen.highHalf
    let two = four.lowHalf | four.highHalf
    return UInt8(truncatingIfNeeded: two.x | two.y) & full
  }

  /// Returns all ones for each sample with a rank below `count`, 0 for all others.
  @inline(__always)
  static func selection(_ count: Int32, _ ranks: SIMD8<Int32>) -> SIMD8<Int32> {
    (ranks &- count) &>> 31
  }

  /// Returns the numbers of foreground samples in the patterns to try: from none to all in steps of
  /// a quarter if `isFine` is true, otherwise half of them only.
  @inline(__always)
  func counts(isFine: Bool) -> StrideThrough<Int32> {
    let count = Int32(sampleCount)
    let step = max(1, count / 4)
    return isFine
      ? stride(from: 0, through: count, by: Int(step))
      : stride(from: max(1, count / 2), through: count - 1, by: Int(count))
  }
}
