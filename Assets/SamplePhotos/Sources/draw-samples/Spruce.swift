import Glibc

/// A spruce under snow, drawn tier by tier.
struct Spruce {
  /// Where the trunk meets the ground, in pixels.
  var foot: SIMD2<Float>
  /// In pixels.
  var height: Float
  /// The reach of the lowest branches as a part of the height.
  var spread: Float
  var seed: UInt32
  /// The light of the needles in the shade.
  var shade: Light
  /// The light of the needles where the sky reaches them.
  var needles: Light
  /// The light of snow lying on the branches.
  var snow: Light

  /// Draws the spruce over what is there.
  func draw(on canvas: inout Canvas) {
    let noise = Noise(seed)
    let reach = height * spread
    let tiers = 9 + 6 * noise.random(1, 1)
    canvas.stroke(
      from: foot - SIMD2(0, height * 0.1), to: foot, radius: height * 0.012, height * 0.014
    ) { _, _ in shade * 0.7 }
    let region = Canvas.Region(
      left: foot.x - reach * 1.3, top: foot.y - height, right: foot.x + reach * 1.3, bottom: foot.y)
    canvas.paint(region) { x, y in
      let side = (x - foot.x) / reach
      let down = (y - foot.y) / height + 1
      let sway = noise.fbm(SIMD2(down * 9, side < 0 ? 3 : 8), octaves: 3)
      // Boughs hang: further out a tier's edge lies lower.
      let hang = down - abs(side) * 0.05
      let twig = noise.fbm(SIMD2(side * 13, down * 40), octaves: 2)
      let tier = powf(max(0, hang), 0.82) * tiers + twig * 0.22 + sway * 0.35
      let within = tier - tier.rounded(.down)
      let bough = noise.random(Int32(tier), side < 0 ? 5 : 6)
      let wide = powf(max(0, down), 0.9) * (0.52 + 0.42 * within + 0.22 * bough) + 0.008
      let fringe = twig * 0.10 * (0.2 + down)
      let inside = (wide + fringe - abs(side)) * reach
      guard inside > -0.5, down < 0.965 + 0.02 * twig else { return (.zero, 0) }
      let patch = noise.fbm(SIMD2(side * 5, down * 17), octaves: 4)
      let open = unit(0.55 + 0.35 * patch + 0.25 * abs(side) / max(wide, 0.05))
      let green = mix(shade, needles, open * (1 - 0.75 * smoothstep(0.55, 1, within)))
      let laden = smoothstep(0.62, 0.18, within + patch * 0.75)
      let round = 1 - 0.45 * unit(side / max(wide, 0.05))
      return (mix(green, snow * round, laden * 0.9), unit(inside + 0.5))
    }
  }
}
