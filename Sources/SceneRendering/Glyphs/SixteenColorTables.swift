import PhotoGridCore

/// For a colour those of the sixteen that may stand for it.
///
/// A mixer holds its own reference to the tables, since a static property is checked at each use.
struct SixteenColorTables {
  /// The sixteen, channels of 0 to 255, and their luma.
  let colors = Self.allColors
  /// The sums of the products of their channels as means of cells, by the first's index times 16
  /// and the second's.
  let products = Self.allProducts
  private let nearest = Self.allNearest

  /// What luma weighs in the mean of a cell, beside what it weighs in details.
  ///
  /// Details are seen by their luma, areas by their hue: with more, green grass came out gray.
  static let lumaWeightOfMeans: Float = 0.1

  /// The two nearest colours, and the two that mix best to the colour.
  @inline(__always)
  func near(_ color: SIMD4<Float>) -> SIMD4<UInt8> {
    @inline(__always)
    func step(_ channel: Float) -> Int { Int(max(0, min(255, channel))) >> 4 }
    return nearest[step(color.x) << 8 | step(color.y) << 4 | step(color.z)]
  }

  private static let allNearest: [SIMD4<UInt8>] = (0..<1 << 12).map { index in
    let steps = SIMD4(Float(index >> 8), Float(index >> 4 & 15), Float(index & 15), 0)
    let color = steps * (255 / 15)
    func distance(_ index: Int) -> Float {
      let off = allColors[index] - CellSamples.withLuma(color)
      return (off * off).sum()
    }
    let near = allColors.indices.sorted { distance($0) < distance($1) }
    let mix = SixteenColorMix.nearest(to: SIMD3(color.x, color.y, color.z)).indices
    return SIMD4(UInt8(near[0]), UInt8(near[1]), UInt8(mix.0), UInt8(mix.1))
  }

  private static let allColors = CellColor.sixteen.map {
    CellSamples.withLuma(
      SIMD4(Float($0 >> 16 & 255), Float($0 >> 8 & 255), Float($0 & 255), 0))
  }

  private static let allProducts = allColors.flatMap { first in
    allColors.map { (first * $0 * SIMD4(1, 1, 1, lumaWeightOfMeans)).sum() }
  }
}
