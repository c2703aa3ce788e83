import Glibc

/// Northern lights over a snowed-in cabin among spruces.
func aurora(width: Int, height: Int) -> Canvas {
  let scene = Aurora(width: width, height: height)
  let map = DepthMap(scene.camera, .init(near: 4, far: 9000, step: 0.004)) {
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
  private let trees = Woods(noise: Noise(64), crown: .pointed, spacing: 8, height: 17)
  private let heaven = Gradient([
    (0.0, Light(hex: 0x1B4A55)), (0.15, Light(hex: 0x12344F)), (0.4, Light(hex: 0x0A1C3C)),
    (0.8, Light(hex: 0x060F28)),
  ])

  init(width: Int, height: Int) {
    camera = Camera(width: width, height: height, eye: 9, focalLength: 0.78, horizon: 0.76)
    sun = normalized(Space(0.25, 0.55, 0.8))
  }

  func height(at place: Ground, octaves: Int) -> Float {
    let hills = relief.fbm(place / 1400 + Ground(1.3, 6.2), octaves: octaves) + 0.35
    let mountain = relief.ridged(place / 2600 + Ground(2.1, 0.8), octaves: octaves)
    let far = smoothstep(900, 3800, place.y)
    let drifts = relief.fbm(place / 26, octaves: max(1, octaves - 4)) * 0.5
    return drifts + smoothstep(120, 1500, place.y) * hills * 90 + far * mountain * 780
  }

  @inline(__always)
  private func wooded(_ place: Ground, _ ground: Float) -> Float {
    let patch = relief.fbm(place / 160 + Ground(4, 9), octaves: 3)
    return smoothstep(110, 210, place.y + patch * 90) * smoothstep(330, 170, ground) * 0.85
  }

  func surface(at place: Ground) -> Float {
    let ground = height(at: place, octaves: 7)
    return ground + trees.canopy(at: place, density: wooded(place, ground)).height
  }

  func sky(_ ray: Ray) -> Light {
    let along = ray.direction
    let scale = Float(camera.width) / 1400
    var light = heaven[along.z]
    light += stars.light(ray.x, ray.y, cell: 15 * scale, radius: max(0.75, 0.95 * scale)) * 0.55
    return light + curtains(along)
  }

  /// The curtains: sheets hanging at many heights, each as bright as the fold it passes through.
  private func curtains(_ along: Space) -> Light {
    let rise = max(0.02, along.z)
    var sum = Light.zero
    var trail: Float = 0
    let layers = 44
    for layer in 0..<layers {
      let up = Float(layer) / Float(layers)
      let altitude = 0.82 + powf(up, 1.35) * 0.85
      let place = Ground(along.x, along.y) * (altitude / (rise * 1.25 + 0.22))
      let fold =
        place * 0.62 + Ground(
          curtain(place * 0.55 + Ground(1.7, 9.2)), curtain(place * 0.55 + Ground(8.3, 2.8))) * 0.95
      let sheet = 1 - min(1, abs(curtain(fold * 0.9 + Ground(0.2, 3.4))) * 5.2)
      let rays = 0.55 + 0.45 * curtain(fold * 9)
      let here = max(0, sheet) * max(0, sheet) * max(0, rays)
      trail = mix(trail, here, 0.55)
      let tint = mix(
        mix(Light(0.10, 1.0, 0.42), Light(0.12, 0.75, 0.72), smoothstep(0.15, 0.5, up)),
        Light(0.62, 0.16, 0.80), smoothstep(0.42, 0.95, up))
      sum += tint * trail * expf(-up * 2.4) * smoothstep(0, 0.08, up + 0.02)
    }
    let low = smoothstep(0.01, 0.16, along.z)
    return sum * 0.16 * low
  }

  func ground(at point: Space, depth: Float, _ ray: Ray) -> Light {
    let place = Ground(point.x, point.y)
    let width = max(0.12, footprint(depth) * 1.4)
    let base = height(at: place, octaves: 7)
    let density = wooded(place, base)
    let canopy = trees.canopy(at: place, density: density)
    var normal = normal(at: place, width: width, octaves: 9)
    var color = Light(0.80, 0.88, 1.0)
    if canopy.height > 0.3 {
      let right = trees.canopy(at: place + Ground(width, 0), density: density).height
      let away = trees.canopy(at: place + Ground(0, width), density: density).height
      normal = normalized(
        Space((canopy.height - right) / width, (canopy.height - away) / width, 1.2))
      let dusted = smoothstep(-0.2, 0.7, relief.fbm(place / 2.2, octaves: 2) + normal.z * 0.7)
      color = mix(Light(0.05, 0.09, 0.10), color * 0.8, dusted * 0.75)
    } else {
      let steep = smoothstep(0.75, 0.55, normal.z) * smoothstep(150, 300, base)
      color = mix(color, Light(0.12, 0.14, 0.18), steep * 0.85)
    }
    let overhead = Light(0.06, 0.22, 0.17) * (0.35 + 0.65 * max(0, normal.z))
    let moonlit = Light(0.10, 0.16, 0.24) * max(0, dot(normal, normalized(Space(-0.7, -0.3, 0.5))))
    let beyond = Light(0.03, 0.16, 0.10) * max(0, dot(normal, sun))
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
    let shade = Light(0.006, 0.014, 0.020)
    let needles = Light(0.014, 0.045, 0.045)
    let snow = Light(0.10, 0.24, 0.24)
    func spruce(_ x: Float, _ y: Float, _ tall: Float, _ seed: UInt64) {
      Spruce(
        foot: at(x, y), height: tall * size, spread: 0.17 + dice.next(0...0.05), seed: seed,
        shade: shade, needles: needles, snow: snow
      ).draw(on: &canvas)
    }
    for index in 0..<16 {
      let x = Float(index) / 15 + dice.next(-0.03...0.03)
      let middle = bump(x, center: 0.52, width: 0.2)
      spruce(
        x, 0.822 + dice.next(-0.006...0.006), 0.13 + dice.next(0...0.09) - middle * 0.06,
        700 + UInt64(index))
    }
    drawCabin(on: &canvas, foot: at(0.56, 0.862), size: size * 0.15)
    for (index, tree) in [
      (0.10, 0.875, 0.42), (0.235, 0.868, 0.30), (0.90, 0.88, 0.46), (0.775, 0.868, 0.27),
      (0.34, 0.862, 0.18), (-0.02, 0.91, 0.58), (1.01, 0.92, 0.52),
    ].enumerated() {
      spruce(Float(tree.0), Float(tree.1), Float(tree.2), 730 + UInt64(index))
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
