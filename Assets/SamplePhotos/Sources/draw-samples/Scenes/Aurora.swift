import Glibc

/// Northern lights over a snowed-in cabin among spruces.
func aurora(width: Int, height: Int) -> Canvas {
  let scene = Aurora(width: width, height: height)
  let map = DepthMap(scene.camera, .init(near: 4, far: 9000, step: 0.004, steepest: 2, clutter: 18))
  {
    scene.surface(at: $0)
  }
  var canvas = scene.photographed(map)
  scene.drawForeground(on: &canvas)
  canvas.bloom(above: 0.5, radius: 0.03, strength: 0.35)
  return canvas
}

private struct Aurora: Landscape {
  let camera: Camera
  let sun: Space
  private let relief = Noise(61)
  private let curtain = Noise(62)
  private let stars = Stars(noise: Noise(63), amount: 0.22)
  private let trees = Woods(noise: Noise(64), crown: .pointed, spacing: 7, height: 14)
  private let heaven = Gradient([
    (0.0, Light(hex: 0x1B4A55)), (0.15, Light(hex: 0x12344F)), (0.4, Light(hex: 0x0A1C3C)),
    (0.8, Light(hex: 0x060F28)),
  ])

  init(width: Int, height: Int) {
    camera = Camera(width: width, height: height, eye: 9, focalLength: 0.78, horizon: 0.675)
    sun = normalized(Space(0.25, 0.55, 0.8))
  }

  func height(at place: Ground, octaves: Int) -> Float {
    let hills = relief.fbm(place / 1400 + Ground(1.3, 6.2), octaves: octaves) + 0.35
    let mountain = relief.ridged(place / 2600 + Ground(2.1, 0.8), octaves: octaves)
    let far = smoothstep(900, 3800, place.y)
    let drifts =
      relief.ridged(place / Ground(46, 21) + Ground(0, 4), octaves: max(2, octaves - 4)) * 1.3
    // The trodden path to the cabin's door.
    let path = place.x - 4.6 + 5.2 * sinf((place.y - 58) / 17)
    let trodden = place.y < 64 ? bump(path, center: 0, width: 0.55) * -0.30 : 0
    return drifts - 0.6 + trodden + smoothstep(120, 1500, place.y) * hills * 90 + far * mountain
      * 780
  }

  @inline(__always)
  private func wooded(_ place: Ground) -> Float {
    let patch = relief.fbm(place / 160 + Ground(4, 9), octaves: 3)
    return smoothstep(190, 260, place.y + patch * 60)
      * smoothstep(2400, 1500, place.y + patch * 900) * 0.9
  }

  func surface(at place: Ground) -> Float {
    height(at: place, octaves: 7) + trees.canopy(at: place, density: wooded).height
  }

  func sky(_ ray: Ray) -> Light {
    let along = ray.direction
    let scale = Float(camera.width) / 1400
    var light = heaven[along.z]
    light += stars.light(ray.x, ray.y, cell: 17 * scale, radius: max(0.7, 0.85 * scale)) * 0.6
    return light + curtains(along)
  }

  /// The curtains: three folded sheets of rays over each other, bright at their lower edge.
  ///
  /// Every layer of height is a plan of the folds; going up through them smears it into rays.
  private func curtains(_ along: Space) -> Light {
    let rise = max(0.03, along.z)
    var sum = Light.zero
    let layers = 46
    for layer in 0..<layers {
      let up = Float(layer) / Float(layers)
      let place = Ground(along.x, along.y) * ((1 + up * 1.05) / rise)
      let sway = 0.62 * sinf(place.x * 0.85 + 0.4) + 0.95 * curtain(place * 0.42 + Ground(2.3, 0.6))
      let across = place.y + sway - place.x * 0.55
      let sheets =
        bump(across, center: 1.75, width: 0.10) * 0.75 + bump(across, center: 3.1, width: 0.13)
        + bump(across, center: 6.4, width: 0.30) * 0.6
      guard sheets > 0.01 else { continue }
      let rays =
        0.16 + 1.0 * unit(0.5 + 0.8 * curtain(Ground(place.x * 4.2 + sway * 2, across * 0.5)))
      let tint = mix(
        mix(Light(0.10, 1.0, 0.40), Light(0.10, 0.72, 0.66), smoothstep(0.10, 0.45, up)),
        Light(0.66, 0.16, 0.85), smoothstep(0.35, 0.95, up))
      sum += tint * (sheets * rays * expf(-up * 2.7) * smoothstep(0, 0.05, up + 0.01))
    }
    let wide = Light(0.006, 0.05, 0.04) * bump(along.z, center: 0.36, width: 0.4)
    return sum * 0.15 * smoothstep(0.02, 0.14, along.z) + wide
  }

  func ground(at point: Space, depth: Float, _ ray: Ray) -> Light {
    let place = Ground(point.x, point.y)
    let width = max(0.12, footprint(depth) * 1.4)
    let base = height(at: place, octaves: 7)
    let (canopy, slope) = trees.crowns(at: place, width: width, density: wooded)
    var normal = normal(at: place, width: width, octaves: 9)
    var color = Light(0.80, 0.88, 1.0)
    if canopy.height > 0.3 {
      normal = normalized(
        Space(slope.x, slope.y, 1.2))
      let dusted = smoothstep(-0.2, 0.7, relief.fbm(place / 2.2, octaves: 2) + normal.z * 0.7)
      color = mix(Light(0.05, 0.09, 0.10), color * 0.8, dusted * 0.75)
    } else {
      let steep = smoothstep(0.75, 0.55, normal.z) * smoothstep(150, 300, base)
      color = mix(color, Light(0.12, 0.14, 0.18), steep * 0.85)
    }
    let overhead = Light(0.034, 0.085, 0.090) * (0.25 + 0.75 * max(0, normal.z))
    let moonlit =
      Light(0.055, 0.085, 0.17) * max(0, dot(normal, normalized(Space(-0.8, -0.25, 0.35))))
    let beyond = Light(0.03, 0.17, 0.11) * max(0, dot(normal, sun))
    let light = color * (overhead + moonlit + beyond)
    let veil = 1 - expf(-depth * ray.stretch * 0.00013)
    return mix(light, heaven[0.02] * 0.9, veil)
  }

  /// The cabin and the nearer spruces.
  func drawForeground(on canvas: inout Canvas) {
    let size = Float(canvas.width)
    func at(_ x: Float, _ y: Float) -> SIMD2<Float> {
      SIMD2(x * size, y * Float(canvas.height))
    }
    var dice = Dice(65)
    func spruce(_ x: Float, _ y: Float, _ tall: Float, _ seed: UInt32, _ bright: Float = 1) {
      Spruce(
        foot: at(x, y), height: tall * size, spread: dice.next(0.19...0.24), seed: seed,
        shade: Light(0.004, 0.010, 0.015) * bright, needles: Light(0.010, 0.040, 0.040) * bright,
        snow: Light(0.060, 0.165, 0.165) * bright
      ).draw(on: &canvas)
    }
    for index in 0..<34 {
      let x = Float(index) / 33 + dice.next(-0.02...0.02)
      spruce(
        x, 0.712 + dice.next(-0.006...0.006), dice.next(0.07...0.15), 700 + UInt32(index), 0.75)
    }
    for index in 0..<13 {
      let x = Float(index) / 12 + dice.next(-0.04...0.04)
      guard abs(x - 0.56) > 0.13 else { continue }
      spruce(x, 0.738 + dice.next(-0.008...0.008), dice.next(0.14...0.24), 750 + UInt32(index))
    }
    drawCabin(on: &canvas, foot: at(0.56, 0.772), size: size * 0.165)
    let near: [(x: Float, y: Float, tall: Float)] = [
      (0.27, 0.785, 0.30), (0.80, 0.780, 0.28), (0.13, 0.805, 0.45), (0.93, 0.81, 0.50),
      (0.01, 0.86, 0.62), (1.03, 0.885, 0.60),
    ]
    for (index, tree) in near.enumerated() {
      spruce(tree.x, tree.y, tree.tall, 770 + UInt32(index), 1.1)
    }
  }

  /// A log cabin with snow on its roof and light in its windows.
  private func drawCabin(on canvas: inout Canvas, foot: SIMD2<Float>, size: Float) {
    let lamp = Light(3.0, 1.35, 0.38)
    let reach = size * 2.2
    // The lamp's light on the snow before the cabin.
    canvas.shine(
      .init(
        left: foot.x - reach, top: foot.y - size * 0.1, right: foot.x + reach,
        bottom: foot.y + size * 1.2)
    ) { x, y in
      let offset = SIMD2((x - foot.x) / (size * 0.75), (y - foot.y - size * 0.08) / (size * 0.26))
      return lamp * 0.075 * expf(-dot(offset, offset))
        * smoothstep(foot.y - size * 0.1, foot.y + size * 0.04, y)
    }
    let half = size * 0.5
    let wall = size * 0.34
    let peak = size * 0.72
    canvas.paint(
      .init(left: foot.x - size, top: foot.y - size * 1.1, right: foot.x + size, bottom: foot.y + 2)
    ) { x, y in
      let across = (x - foot.x) / half
      let up = foot.y - y
      let eaves = wall + (peak - wall) * (1 - abs(across) / 1.18)
      let inWall = min(half - abs(x - foot.x), up, eaves - up - size * 0.02)
      let roof = min(
        eaves + size * 0.10 - up, up - eaves + size * 0.02, (1.22 - abs(across)) * half)
      if roof > -0.5 {
        let bright = across < 0 ? Light(0.17, 0.36, 0.34) : Light(0.09, 0.20, 0.22)
        return (bright, unit(roof + 0.5))
      }
      guard inWall > -0.5 else { return (.zero, 0) }
      let log = 0.75 + 0.25 * sinf(up / size * 62)
      var light = Light(0.045, 0.030, 0.022) * log
      for (centre, bottom, wide, tall) in [
        (Float(-0.48), Float(0.12), Float(0.085), Float(0.13)), (0.48, 0.12, 0.085, 0.13),
        (0, 0.36, 0.05, 0.09),
      ] {
        let dx = abs(across - centre) * half - wide * size
        let dy = abs(up - (bottom + tall / 2) * size) - tall * size / 2
        let inside = -max(dx, dy)
        let bars = min(abs(across - centre) * half, abs(up - (bottom + tall / 2) * size))
        let pane = lamp * (bars < size * 0.008 ? 0.15 : 1)
        light = mix(light, pane, unit(inside + 0.5))
      }
      if abs(across) < 0.17, up < size * 0.27 {
        light = Light(0.06, 0.028, 0.016) * (0.8 + 0.2 * log)
      }
      return (light, unit(inWall + 0.5))
    }
    drawSmoke(on: &canvas, from: SIMD2(foot.x + size * 0.22, foot.y - size * 0.80), size: size)
  }

  private func drawSmoke(on canvas: inout Canvas, from start: SIMD2<Float>, size: Float) {
    let chimney = SIMD2(size * 0.035, 0)
    canvas.stroke(
      from: start + SIMD2(0, size * 0.26), to: start, radius: chimney.x, chimney.x
    ) { _, _ in Light(0.03, 0.03, 0.035) }
    canvas.paint(
      .init(left: start.x - size, top: start.y - size * 1.6, right: start.x + size, bottom: start.y)
    ) { x, y in
      let up = (start.y - y) / size
      let sway = 0.10 * sinf(up * 4) * up + curtain.fbm(SIMD2(up * 2.2, 5), octaves: 2) * 0.12 * up
      let wide = 0.03 + up * 0.11
      let across = ((x - start.x) / size - sway) / wide
      let cloud = curtain.fbm(SIMD2((x - start.x) / size * 7, up * 5), octaves: 4)
      let thick = expf(-across * across) * (0.42 + cloud * 0.5) * smoothstep(1.6, 0.3, up)
      return (Light(0.20, 0.30, 0.30), max(0, thick) * 0.7)
    }
  }
}
