/// Colours for cells whose patterns are chosen.
extension GlyphFitter {
  /// Returns the weighted sums of the samples in each mask, relative to the means, and the weights
  /// of the masks.
  @inline(__always)
  static func sums(
    of mask: SIMD8<Int32>, weights: UnsafeBufferPointer<Float>,
    in deltas: UnsafeMutableBufferPointer<Lanes>
  ) -> (red: Lanes, green: Lanes, blue: Lanes, weight: Lanes) {
    var (red, green, blue, weight) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
    for sample in weights.indices {
      // All ones where the sample is in the pattern.
      let selection = 0 &- (mask &>> Int32(sample) & 1)
      func selected(_ lanes: Lanes) -> Lanes {
        unsafeBitCast(unsafeBitCast(lanes, to: SIMD8<Int32>.self) & selection, to: Lanes.self)
      }
      red += selected(deltas[sample * 3])
      green += selected(deltas[sample * 3 + 1])
      blue += selected(deltas[sample * 3 + 2])
      weight += selected(Lanes(repeating: weights[sample]))
    }
    return (red, green, blue, weight)
  }

  /// Returns a fit with the means of the samples inside and outside of each mask as colours.
  @inline(__always)
  static func colors(
    of mask: SIMD8<Int32>, weights: UnsafeBufferPointer<Float>,
    means: (red: Lanes, green: Lanes, blue: Lanes),
    in deltas: UnsafeMutableBufferPointer<Lanes>
  ) -> Fit {
    var (red, green, blue, weight) = sums(of: mask, weights: weights, in: deltas)
    let rest = 1 / (weights.reduce(0, +) - weight)
    // A cell of one colour has an empty mask, whose sums are 0, too.
    weight.replace(with: 1, where: weight .== 0)
    let share = 1 / weight
    return Fit(
      mask: mask,
      foreground: pack(
        means.red + red * share, means.green + green * share, means.blue + blue * share),
      background: pack(
        means.red - red * rest, means.green - green * rest, means.blue - blue * rest))
  }

  /// Rounds channels of 0 to 255 and packs them as 0xRRGGBB.
  @inline(__always)
  static func pack(_ red: Lanes, _ green: Lanes, _ blue: Lanes) -> SIMD8<UInt32> {
    // The last bit of a float of 2^23 has the value 1, so the low bits of the sum are the rounded
    // channel.
    func round(_ channel: Lanes) -> SIMD8<UInt32> {
      let clamped = channel.replacing(with: 255, where: channel .> 255)
        .replacing(with: 0, where: channel .< 0)
      return unsafeBitCast(clamped + 8_388_608, to: SIMD8<UInt32>.self) & 255
    }
    return round(red) &<< 16 | round(green) &<< 8 | round(blue)
  }
}
