import Glibc

/// A spruce drawn branch by branch.
struct Spruce {
  /// Where the trunk meets the ground, in pixels.
  var foot: SIMD2<Float>
  /// In pixels.
  var height: Float
  /// The reach of the lowest branches as a part of the height.
  var spread: Float = 0.2
  var seed: UInt64
  /// The light of the needles, in the shade and where the sky reaches them.
  var shade: Light
  var needles: Light
  /// The light of snow lying on the branches.
  var snow: Light?

  /// Draws the spruce over what is there.
  func draw(on canvas: inout Canvas) {
    var dice = Dice(seed)
    let noise = Noise(UInt32(truncatingIfNeeded: seed))
    let top = foot - SIMD2(0, height)
    canvas.stroke(from: top, to: foot, radius: height * 0.002, height * 0.012) { _, _ in shade * 0.6
    }
    let whorls = max(12, min(64, Int(height / 7)))
    for whorl in (0..<whorls).reversed() {
      let down = (Float(whorl) + dice.next(-0.3...0.3)) / Float(whorls)
      // Lower whorls first, so that every whorl hangs over the one below.
      let reach = height * spread * (0.06 + 0.94 * powf(max(0, down), 0.86))
      let begin = top + SIMD2(0, height * (0.02 + 0.93 * down))
      for _ in 0..<5 {
        let turn = dice.next(-1...1)
        let long = reach * dice.next(0.72...1.05)
        let drop = long * dice.next(0.30...0.52)
        let end = begin + SIMD2(long * turn, drop + (1 - abs(turn)) * reach * 0.35)
        let middle = mix(begin, end, 0.55) - SIMD2(0, long * 0.06)
        let thick = max(0.8, height * 0.011 * (0.5 + 0.7 * down))
        let bright = dice.next(0.55...1.0) * (0.6 + 0.4 * (1 - abs(turn)))
        canvas.curve([begin, middle, end], radius: thick * 0.9, thick * 0.35) { along, across in
          let upward = turn < 0 ? across : -across
          let patch = noise(SIMD2(along * 5 + Float(whorl), across * 0.7)) * 0.6
          let green = mix(shade, needles, bright * unit(0.5 - upward * 0.4 + patch * 0.5))
          guard let snow else { return green }
          return mix(
            green, snow * (0.5 + 0.5 * bright),
            smoothstep(0.1, -0.5, upward * turn.magnitude.squareRoot() + patch - 0.25))
        }
      }
    }
  }

  private func mix(_ a: SIMD2<Float>, _ b: SIMD2<Float>, _ share: Float) -> SIMD2<Float> {
    a + (b - a) * share
  }
  private func mix(_ a: Float, _ b: Float, _ share: Float) -> Float { a + (b - a) * share }
  private func mix(_ a: Light, _ b: Light, _ share: Float) -> Light { a + (b - a) * share }
}
