import Glibc

/// Three hot-air balloons cut out of their sky.
func balloons(width: Int, height: Int) -> Canvas {
  var canvas = Canvas(width: width, height: height, clear: true)
  let size = Float(height)
  func at(_ x: Float, _ y: Float) -> SIMD2<Float> { SIMD2(x * Float(width), y * size) }
  Balloon(
    top: at(0.845, 0.10), height: size * 0.30, turn: 0.9, pattern: .zigzag,
    colors: [Light(hex: 0x1E6FB8), Light(hex: 0xF4F1E6), Light(hex: 0x35B0C9)]
  ).draw(on: &canvas)
  Balloon(
    top: at(0.13, 0.56), height: size * 0.24, turn: 0.35, pattern: .spiral,
    colors: [Light(hex: 0x5B2C91), Light(hex: 0xF2B632), Light(hex: 0xC93A78)]
  ).draw(on: &canvas)
  Balloon(
    top: at(0.46, 0.03), height: size * 0.92, turn: 0.18, pattern: .bands,
    colors: [
      Light(hex: 0xD8281E), Light(hex: 0xF28C1C), Light(hex: 0xF8D030), Light(hex: 0x2E9E4A),
      Light(hex: 0x1F66C0), Light(hex: 0x6A2FA0),
    ]
  ).draw(on: &canvas)
  return canvas
}

/// A balloon with its basket.
private struct Balloon {
  enum Pattern { case bands, zigzag, spiral }

  /// The crown's highest point, in pixels.
  var top: SIMD2<Float>
  /// From the crown to the basket's floor, in pixels.
  var height: Float
  /// How far it is turned about its axis, in radians.
  var turn: Float
  var pattern: Pattern
  var colors: [Light]

  private static let mouth: Float = 0.80
  private static let gores: Float = 24

  /// The envelope's radius at a height below the crown, as parts of the balloon's height.
  private func radius(_ down: Float) -> Float {
    guard down > 0, down < Self.mouth else { return 0 }
    let t = down / Self.mouth
    // A sphere above, drawn out into a cone below.
    let widest: Float = 0.44
    if t < widest {
      let u = 1 - t / widest
      return 0.355 * max(0, 1 - u * u).squareRoot()
    }
    let u = (t - widest) / (1 - widest)
    return mix(0.355 * (1 - u * u * 0.55 - u * 0.05), 0.075, smoothstep(0.25, 1.12, u))
  }

  func draw(on canvas: inout Canvas) {
    drawRigging(on: &canvas)
    let reach = height * 0.38
    canvas.paint(
      .init(
        left: top.x - reach, top: top.y - 1, right: top.x + reach,
        bottom: top.y + height * Self.mouth + 1)
    ) { x, y in
      // The pattern's edges want more than one look at a pixel.
      var sum = SIMD4<Float>.zero
      for corner in 0..<4 {
        sum += envelope(
          x + (corner & 1 == 0 ? -0.25 : 0.25), y + (corner & 2 == 0 ? -0.25 : 0.25))
      }
      guard sum.w > 0 else { return (.zero, 0) }
      return (Light(sum.x, sum.y, sum.z) / sum.w, sum.w / 4)
    }
    drawBasket(on: &canvas)
  }

  /// The envelope at a point of the picture: its light times its cover, and the cover.
  private func envelope(_ x: Float, _ y: Float) -> SIMD4<Float> {
    let down = (y - top.y) / height
    let radius = radius(down)
    let side = (x - top.x) / height
    guard radius > 0 else { return .zero }
    // The edge's slope turns the horizontal distance into the true one.
    let slope = (self.radius(down + 0.002) - self.radius(down - 0.002)) / 0.004
    let inside = (radius - abs(side)) / (1 + slope * slope).squareRoot() * height
    guard inside > -0.5 else { return .zero }
    let across = max(-0.999, min(0.999, side / radius))
    return SIMD4(cloth(down, across, slope), 1) * unit(inside + 0.5)
  }

  /// The cloth's light at a height and -1...1 across.
  private func cloth(_ down: Float, _ across: Float, _ slope: Float) -> Light {
    let angle = asinf(across)
    let gore = (angle + turn) / (2 * .pi) * Self.gores
    let part = gore - gore.rounded(.down) - 0.5
    let t = down / Self.mouth
    let color: Light
    switch pattern {
    case .bands:
      let wave = abs(gore / 2 - (gore / 2).rounded()) * 2
      let band = (t * 9.4 + wave * 0.9).rounded(.down)
      let isRing = band == 0 || band >= 9
      color = isRing ? colors[0] : colors[Int(band - 1) % colors.count]
    case .zigzag:
      let wave = abs(gore / 4 - (gore / 4).rounded()) * 4
      color = colors[Int((t * 6.5 + wave).rounded(.down)) % colors.count]
    case .spiral:
      let number = Int((gore / 2 + t * 5 + 40).rounded(.down))
      color = colors[number % colors.count]
    }
    // Each gore bulges between its seams.
    let bulge = angle + part * 0.55 / Self.gores * 6.2
    let normal = normalized(Space(sinf(bulge), -cosf(bulge), slope * 0.75))
    let sun = normalized(Space(-0.60, -0.62, 0.52))
    let lit = unit(dot(normal, sun) * 0.78 + 0.22)
    let seam = 1 - 0.30 * smoothstep(0.40, 0.5, abs(part)) * smoothstep(0.02, 0.15, t)
    let ambient = Light(0.34, 0.40, 0.52) * (0.65 + 0.35 * normal.z)
    let flame = Light(1.3, 0.62, 0.20) * smoothstep(0.62, 1.0, t) * (1 - across * across) * 0.8
    let sheen = powf(max(0, dot(normal, normalized(Space(-0.38, -0.80, 0.46)))), 18) * 0.20
    return color * (Light(1.75, 1.6, 1.35) * lit + ambient + flame) * seam + sheen
  }

  private func drawRigging(on canvas: inout Canvas) {
    let rope = Light(0.10, 0.07, 0.05)
    let rim = top + SIMD2(0, height * (Self.mouth - 0.005))
    let basket = top + SIMD2(0, height * 0.925)
    for side: Float in [-1, -0.4, 0.4, 1] {
      canvas.stroke(
        from: rim + SIMD2(side * height * 0.072, 0), to: basket + SIMD2(side * height * 0.043, 0),
        radius: height * 0.0016, height * 0.0016
      ) { _, _ in rope }
    }
    canvas.stroke(
      from: rim + SIMD2(0, height * 0.075), to: rim + SIMD2(0, height * 0.005),
      radius: height * 0.011, height * 0.003
    ) { along, across in
      mix(Light(2.2, 1.7, 0.9), Light(1.6, 0.7, 0.18), unit(along + abs(across) * 0.5))
    }
  }

  private func drawBasket(on canvas: inout Canvas) {
    let middle = top.x
    let rim = top.y + height * 0.92
    let half = height * 0.046
    let tall = height * 0.075
    canvas.paint(
      .init(
        left: middle - half * 1.3, top: rim - height * 0.035, right: middle + half * 1.3,
        bottom: rim + tall + 1)
    ) { x, y in
      let down = (y - rim) / tall
      let across = (x - middle) / half
      let person = people(across, down)
      guard down > 0 || person > 0 else { return (.zero, 0) }
      if down < 0 { return (Light(0.05, 0.045, 0.06), person) }
      let taper = 1.0 - 0.12 * down
      let edge = unit((taper - abs(across)) * half + 0.5) * unit((1 - down) * tall + 0.5)
      let weave = sinf(across * 26 + (Int(down * 9) % 2 == 0 ? 0 : .pi)) * 0.18
      let leather: Bool = down < 0.13 || down > 0.9
      let wicker = leather ? Light(hex: 0x5A3418) : Light(hex: 0xB47A3C) * (0.85 + weave)
      let lit = unit(0.62 - across * 0.42)
      return (wicker * (Light(1.3, 1.15, 0.95) * lit + Light(0.22, 0.26, 0.34)), edge)
    }
  }

  /// Two heads and shoulders over the basket's rim.
  private func people(_ across: Float, _ down: Float) -> Float {
    var cover: Float = 0
    for centre: Float in [-0.38, 0.36] {
      let head = SIMD2((across - centre) * 0.62, down + 0.36)
      let shoulders = SIMD2((across - centre) * 0.62, (down + 0.02) * 0.8)
      let inside = max(0.10 - length(head), 0.20 - length(shoulders))
      cover = max(cover, unit(inside * height * 0.075 + 0.5))
    }
    return down > -0.5 ? cover : 0
  }
}
