import PhotoGridCore

/// For a colour those of the sixteen that may stand for it.
enum SixteenColorChoices {
  /// The sixteen, channels of 0 to 255.
  static let colors = CellColor.sixteen.map {
    CellSamples.withLuma(
      SIMD4(Float($0 >> 16 & 255), Float($0 >> 8 & 255), Float($0 & 255), 0))
  }

  /// The sums of the products of their channels, by the first's index times 16 and the second's.
  static let products = colors.flatMap { first in colors.map { (first * $0).sum() } }

  /// The two nearest colours, and the two that mix best to the colour.
  static func near(_ color: SIMD4<Float>) -> SIMD4<UInt8> {
    var index = 0
    for channel in 0..<3 { index = index << 4 | Int(max(0, min(255, color[channel]))) >> 4 }
    return table[index]
  }

  private static let table: [SIMD4<UInt8>] = (0..<1 << 12).map { index in
    let steps = SIMD4(Float(index >> 8), Float(index >> 4 & 15), Float(index & 15), 0)
    let color = steps * (255 / 15)
    func distance(_ index: Int) -> Float {
      let off = colors[index] - CellSamples.withLuma(color)
      return (off * off).sum()
    }
    let near = colors.indices.sorted { distance($0) < distance($1) }
    let mix = SixteenColorMix.nearest(to: SIMD3(color.x, color.y, color.z)).indices
    return SIMD4(UInt8(near[0]), UInt8(near[1]), UInt8(mix.0), UInt8(mix.1))
  }
}
