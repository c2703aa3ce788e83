import PhotoGridCore

/// The patterns of a set of glyphs as weights of samples, and the order of samples in flat areas.
struct CellMasks {
  /// The pattern of all samples.
  let full: UInt8
  /// The samples of a cell.
  let sampleCount: Int
  private let isSextant: Bool
  /// For each mask the shares of its samples in the cell.
  private let weights: [SIMD8<Float>]
  private let shares: [Float]
  /// For each place of a cell in Bayer's matrix what is added to the luma of its samples.
  private let tieBreaks: [SIMD8<Float>]

  /// How far places in the tile tell equal samples apart, in steps of 255 of luma.
  private static let tieBreak: Float = 2

  /// The patterns of a set.
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
    tieBreaks = (0..<64).map { place in
      var keys = SIMD8<Float>(repeating: -.infinity)
      for (index, block) in glyphs.blocks.enumerated() {
        let (row, column) = index.quotientAndRemainder(dividingBy: glyphs.sampleColumns)
        let threshold = OrderedDither.threshold(column: place % 8 + column, row: place / 8 + row)
        for sample in heights.indices where block & 1 << UInt8(sample) != 0 {
          keys[sample] = threshold * Self.tieBreak * CellSamples.lumaGain
        }
      }
      return keys
    }
  }

  /// The shares of a mask's samples in the cell.
  @inline(__always)
  func weights(of mask: UInt8) -> SIMD8<Float> { weights[Int(mask)] }

  /// The share of the cell that a mask covers.
  @inline(__always)
  func share(of mask: UInt8) -> Float { shares[Int(mask)] }

  /// For each sample how many are brighter; those that are equal differ by their place in the tile.
  @inline(__always)
  func ranks(of luma: SIMD8<Float>, _ anchor: SamplePlanes.Anchor) -> SIMD8<Int32> {
    var luma = luma
    if isSextant {
      // The set cannot tell the two halves of its middle row apart.
      let (left, right) = ((luma[2] + luma[4]) / 2, (luma[3] + luma[5]) / 2)
      (luma[2], luma[4], luma[3], luma[5]) = (left, left, right, right)
    }
    let keys = luma + tieBreaks[Int(anchor.row & 7) << 3 | Int(anchor.column & 7)]
    var ranks = SIMD8<Int32>.zero
    for other in 0..<sampleCount {
      // The sign of the difference, as all ones.
      ranks &-= unsafeBitCast(keys - keys[other], to: SIMD8<Int32>.self) &>> 31
    }
    return ranks
  }

  /// The mask of the samples that fewer than `count` others are brighter than.
  @inline(__always)
  func brightest(_ count: Int32, _ ranks: SIMD8<Int32>) -> UInt8 {
    let bits = SIMD8<Int32>(1, 2, 4, 8, 16, 32, 64, 128)
    let chosen = bits & Self.selection(count, ranks)
    let four = chosen.lowHalf | chosen.highHalf
    let two = four.lowHalf | four.highHalf
    return UInt8(truncatingIfNeeded: two.x | two.y) & full
  }

  /// All ones for each sample that fewer than `count` others are brighter than.
  @inline(__always)
  static func selection(_ count: Int32, _ ranks: SIMD8<Int32>) -> SIMD8<Int32> {
    (ranks &- count) &>> 31
  }

  /// How many samples show the foreground in the patterns that are tried: from none to all, or
  /// some between.
  @inline(__always)
  func counts(isFine: Bool) -> StrideThrough<Int32> {
    let count = Int32(sampleCount)
    let step = max(1, count / 4)
    return isFine
      ? stride(from: 0, through: count, by: Int(step))
      : stride(from: max(1, count / 2), through: count - 1, by: Int(count))
  }
}
