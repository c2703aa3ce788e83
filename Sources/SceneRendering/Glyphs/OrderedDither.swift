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
