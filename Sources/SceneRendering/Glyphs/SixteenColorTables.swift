import Geometry

/// Tables of the sixteen colors: which of them may replace a given color, and their products.
///
/// A mixer keeps its own references to the tables, since a static property is checked at each use.
struct SixteenColorTables {
  /// The sixteen colors: red, green and blue from 0 to 255, and luma as in `CellSamples`.
  let colors = Self.allColors
  /// The weighted dot product of each pair of colors as parts of a cell's mean, by 16 times the
  /// first index plus the second.
  private let products = Self.allProducts
  private let nearest = Self.allNearest

  /// The weight of luma in the mean of a cell, relative to its weight in details.
  ///
  /// Details are visible by their luma, areas by their hue: with a larger weight, green grass
  /// became gray.
  static let lumaWeightOfMeans: Float = 0.1

  /// Returns the indices of the two nearest colors, and of the two that mix best to a color.
  @inline(__always)
  func near(_ color: SIMD4<Float>) -> SIMD4<UInt8> {
    @inline(__always)
    func step(_ channel: Float) -> Int { Int(max(0, min(255, channel))) >> 4 }
    return nearest[step(color.x) << 8 | step(color.y) << 4 | step(color.z)]
  }

  /// Four colors by channel.
  struct FourColors {
    var red: SIMD4<Float>
    var green: SIMD4<Float>
    var blue: SIMD4<Float>
    var luma: SIMD4<Float>
  }

  @inline(__always)
  func colors(at indices: SIMD4<UInt8>) -> FourColors {
    colors.withUnsafeBufferPointer { colors in
      let first = colors[Int(indices[0])]
      let second = colors[Int(indices[1])]
      let third = colors[Int(indices[2])]
      let fourth = colors[Int(indices[3])]
      return FourColors(
        red: SIMD4(first.x, second.x, third.x, fourth.x),
        green: SIMD4(first.y, second.y, third.y, fourth.y),
        blue: SIMD4(first.z, second.z, third.z, fourth.z),
        luma: SIMD4(first.w, second.w, third.w, fourth.w))
    }
  }

  /// The sums of the products of a color and four others.
  @inline(__always)
  func products(of index: UInt8, and others: SIMD4<UInt8>) -> SIMD4<Float> {
    products.withUnsafeBufferPointer { products in
      let row = Int(index) &* 16
      return SIMD4(
        products[row &+ Int(others[0])], products[row &+ Int(others[1])],
        products[row &+ Int(others[2])], products[row &+ Int(others[3])])
    }
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
