import Glibc

/// A coconut palm drawn frond by frond.
struct Palm {
  /// Where the trunk meets the sand, in pixels.
  var foot: SIMD2<Float>
  /// Where the fronds spring, in pixels.
  var crown: SIMD2<Float>
  /// The length of a frond, in pixels.
  var size: Float
  var seed: UInt64

  /// Draws the palm over what is there.
  func draw(on canvas: inout Canvas) {
    var dice = Dice(seed)
    drawShade(on: &canvas)
    drawTrunk(on: &canvas)
    let turns: [Float] = [
      -2.95, -0.15, -2.2, -0.95, -1.55, -2.6, -0.5, 2.85, 0.35, -1.9, -1.2, 2.45, 0.75,
    ]
    for turn in turns {
      drawFrond(
        on: &canvas, turn: turn + dice.next(-0.12...0.12), long: size * dice.next(0.82...1.08),
        bright: dice.next(0.55...1), dice: &dice)
    }
    for _ in 0..<4 {
      let nut = crown + SIMD2(dice.next(-0.055...0.055), dice.next(0.02...0.085)) * size
      canvas.stroke(from: nut, to: nut + SIMD2(0.5, 0.5), radius: size * 0.03, size * 0.03) {
        _, across in Light(hex: 0x7A5A22) * (0.55 - across * 0.3)
      }
    }
  }

  /// The shade on the sand around the trunk's foot.
  private func drawShade(on canvas: inout Canvas) {
    let reach = SIMD2(size * 0.34, size * 0.07)
    canvas.paint(
      .init(
        left: foot.x - reach.x * 2, top: foot.y - reach.y * 2, right: foot.x + reach.x * 2,
        bottom: foot.y + reach.y * 2)
    ) { x, y in
      let offset = (SIMD2(x, y) - foot - SIMD2(reach.x * 0.3, 0)) / reach
      return (Light(0.16, 0.14, 0.12), 0.55 * expf(-dot(offset, offset)))
    }
  }

  private func drawTrunk(on canvas: inout Canvas) {
    let way = crown - foot
    // The trunk sets out along the ground and bends up towards the light.
    let bend = foot + SIMD2(way.x * 0.78, way.y * 0.42)
    let points = (0...28).map { step -> SIMD2<Float> in
      let t = Float(step) / 28
      return foot * ((1 - t) * (1 - t)) + bend * (2 * t * (1 - t)) + crown * (t * t)
    }
    canvas.curve(points, radius: size * 0.062, size * 0.030) { along, across in
      let ring = 0.85 + 0.15 * sinf(along * 190)
      let lit = unit(0.55 + across * 0.5)
      return Light(hex: 0x8C7355) * ring * (Light(1.25, 1.15, 0.95) * lit + Light(0.16, 0.19, 0.22))
    }
  }

  private func drawFrond(
    on canvas: inout Canvas, turn: Float, long: Float, bright: Float, dice: inout Dice
  ) {
    let out = SIMD2(cosf(turn), sinf(turn))
    let sag = long * (0.34 + 0.30 * abs(out.x))
    func point(_ t: Float) -> SIMD2<Float> {
      crown + out * (long * t) + SIMD2(0, sag * t * t * t * 0.6 + sag * t * t * 0.4)
    }
    let leaf = Light(hex: 0x4F8A24)
    let pale = Light(hex: 0xA8C84A)
    let dark = Light(hex: 0x2A5C22)
    let leaflets = 46
    for step in 2..<leaflets {
      let t = Float(step) / Float(leaflets)
      let base = point(t)
      let ahead = point(min(1, t + 0.02)) - base
      let stretch = max(1e-4, length(ahead))
      let forward = ahead / stretch
      let reach = long * 0.27 * powf(sinf(.pi * min(1, 0.12 + t * 0.86)), 0.7)
      for side: Float in [-1, 1] {
        let across = SIMD2(forward.y, -forward.x) * side
        let hang = SIMD2<Float>(0, 0.34 + 0.2 * dice.next(0...1))
        let tip = base + (forward * 0.62 + across * 0.62 + hang) * (reach * dice.next(0.8...1.05))
        let skyward = unit(0.5 - across.y * 0.6)
        let light = mix(mix(dark, leaf, skyward), pale, skyward * bright * dice.next(0.2...0.7))
        canvas.stroke(
          from: base, to: tip, radius: max(0.5, size * 0.0095), max(0.25, size * 0.002)
        ) { along, _ in light * (1.5 - along * 0.35) }
      }
    }
    canvas.curve((0...14).map { point(Float($0) / 14) }, radius: size * 0.009, size * 0.003) {
      _, _ in pale
    }
  }
}
