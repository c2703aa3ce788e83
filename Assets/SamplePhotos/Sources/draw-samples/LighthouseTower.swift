import Glibc

/// A banded lighthouse with its keeper's house, lit from the left at dusk.
struct LighthouseTower {
  /// Where the tower stands, in pixels.
  var foot: SIMD2<Float>
  /// One metre in pixels.
  var size: Float

  /// Draws the tower, the house and the lamp's beams over what is there.
  func draw(on canvas: inout Canvas) {
    canvas.paint(
      .init(
        left: foot.x - 12 * size, top: foot.y - 46 * size, right: foot.x + 14 * size,
        bottom: foot.y + size)
    ) { x, y in
      let side = (x - foot.x) / size
      guard let part = part(up: (foot.y - y) / size, side: side), part.half > 0 else {
        return (.zero, 0)
      }
      let across = max(-1, min(1, side / part.half))
      let light = part.shines ? part.color : shaded(part.color, across)
      return (light, unit((part.half - abs(side)) * size + 0.5))
    }
    drawHouse(on: &canvas)
    drawBeams(on: &canvas)
  }

  /// The color under the evening sky, -1...1 across a round wall.
  private func shaded(_ color: Light, _ across: Float) -> Light {
    let dusk = Light(0.30, 0.36, 0.43) * (1 - 0.35 * abs(across))
    return color * (dusk + Light(1.06, 0.85, 0.61) * unit(0.35 - across * 0.85))
  }

  /// What the tower is made of at a height, in metres: half its width there and its color.
  private func part(up: Float, side: Float) -> (half: Float, color: Light, shines: Bool)? {
    let iron = Light(hex: 0x24282D)
    switch up {
    case ..<33:
      let half = mix(4.6, 2.9, max(0, up) / 33) + (up < 1.5 ? 0.6 : 0)
      let isWindow = abs(side - 0.3) < 0.5 && abs(up - 11.5 - (up > 18 ? 11.5 : 0)) < 0.9
      if isWindow { return (half, Light(0.02, 0.03, 0.04), false) }
      let isRed = Int((up / 6.6).rounded(.down)) % 2 == 1
      return (half, isRed ? Light(hex: 0xB5231E) : Light(hex: 0xECE7DC), false)
    case ..<34.6:
      return (4.1, Light(hex: 0x2A2E33), false)
    case ..<36:
      let isRail = abs(side * 1.6 - (side * 1.6).rounded()) < 0.12 || up > 35.75
      if isRail { return (3.9, iron, false) }
      return abs(side) < 2.1 ? (3.9, Light(2.4, 1.7, 0.8), false) : nil
    case ..<39.5:
      let isBar = abs(side / 0.7 - (side / 0.7).rounded()) < 0.1
      return (2.1, isBar ? Light(0.10, 0.08, 0.05) : Light(9, 6.4, 3.0), true)
    case ..<42.4:
      let dome = 1 - (up - 39.5) / 2.9 * ((up - 39.5) / 2.9)
      return (2.6 * max(0, dome).squareRoot(), Light(hex: 0xA8211C), false)
    case ..<44.5:
      return (0.14, iron, false)
    default:
      return nil
    }
  }

  private func drawHouse(on canvas: inout Canvas) {
    canvas.paint(
      .init(
        left: foot.x + 3 * size, top: foot.y - 9 * size, right: foot.x + 17 * size,
        bottom: foot.y + 2 * size)
    ) { x, y in
      let side = (x - foot.x) / size - 9.5
      let up = (foot.y - y) / size + 0.8
      let half = up > 4 ? 6.4 - (up - 4) * 1.35 : 5.4
      guard up > 0, up < 7.4, abs(side) < half else { return (.zero, 0) }
      let isWindow = abs(abs(side) - 2.4) < 0.6 && abs(up - 2.3) < 0.8
      let wall = isWindow ? Light(2.6, 1.5, 0.55) : shaded(Light(hex: 0xE6E0D2), side / 9 + 0.25)
      return (
        up > 4 ? Light(hex: 0x7A2A22) * 0.5 : wall, unit((half - abs(side)) * size + 0.5)
      )
    }
  }

  private func drawBeams(on canvas: inout Canvas) {
    let lamp = foot - SIMD2(0, 37.6 * size)
    let whole = Canvas.Region(
      left: 0, top: 0, right: Float(canvas.width), bottom: Float(canvas.height))
    let width = Float(canvas.width)
    let left = normalized(Space(-1, -0.13, 0))
    let right = normalized(Space(1, 0.02, 0))
    canvas.shine(whole) { x, y in
      let offset = SIMD2(x - lamp.x, y - lamp.y) / width
      let away = length(offset)
      var light = Light(1.0, 0.62, 0.24) * (0.0016 / (away * away + 0.0012)) * 0.55
      for (beam, strength) in [(left, Float(0.30)), (right, 0.22)] {
        let along = offset.x * beam.x + offset.y * beam.y
        guard along > 0 else { continue }
        let across = abs(offset.x * beam.y - offset.y * beam.x)
        let wide = 0.006 + along * 0.085
        let cone = expf(-(across / wide) * (across / wide) * 1.6)
        light +=
          Light(1.0, 0.80, 0.48) * cone * strength * expf(-along * 1.5) * 0.010
          / (0.010 + wide * 0.25)
      }
      return light
    }
  }
}
