import Glibc

/// The Milky Way standing in a desert arch, with someone below looking up.
func milkyWay(width: Int, height: Int) -> Canvas {
  let scene = MilkyWay(width: width, height: height)
  var canvas = Canvas(width: width, height: height)
  canvas.fill { x, y in
    // Rock edges against the stars want more than one ray.
    let centre = scene.camera.ray(Float(x) + 0.5, Float(y) + 0.5)
    guard let point = scene.rock(along: centre) else { return scene.sky(centre) }
    return scene.rockLight(point, centre)
  }
  scene.drawWatcher(on: &canvas)
  canvas.bloom(above: 0.8, radius: 0.012, strength: 0.25)
  return canvas
}

private struct MilkyWay {
  let camera: Camera
  private let dust = Noise(121)
  private let stone = Noise(122)
  private let faint = Stars(noise: Noise(123), amount: 0.55)
  private let bright = Stars(noise: Noise(124), amount: 0.16)
  private let heaven = Gradient([
    (0.0, Light(hex: 0x4A5A5C)), (0.12, Light(hex: 0x2A3E58)), (0.35, Light(hex: 0x16264A)),
    (0.8, Light(hex: 0x0B1436)), (1.6, Light(hex: 0x070C26)),
  ])

  init(width: Int, height: Int) {
    camera = Camera(width: width, height: height, eye: 2.2, focalLength: 0.86, horizon: 0.775)
  }

  func sky(_ ray: Ray) -> Light {
    let scale = Float(camera.width) / 1400
    var light = heaven[ray.slope.z]
    // The band leans through the arch; the picture's own plane is its map.
    let x = (ray.x / Float(camera.width) - 0.50) * 1.4
    let y = (ray.y / Float(camera.width)) - 0.56
    let across = x * 0.86 + y * 0.51 + 0.02 + 0.05 * sinf(y * 2.4)
    let along = y * 0.86 - x * 0.51
    let p = Ground(x, y) * 2.1 + Ground(3.3, 7.9)
    let warp = Ground(dust.fbm(p, octaves: 4), dust.fbm(p + Ground(5.2, 1.3), octaves: 4))
    let cloud = dust.fbm(p * 1.5 + warp * 1.2, octaves: 7)
    let core = bump(along, center: 0.18, width: 0.62)
    let wide = 0.16 + 0.13 * core
    let band = bump(across + warp.x * 0.05, center: 0, width: wide)
    let lane = dust.fbm(Ground(across * 5.5, along * 2.0) + warp * 1.5 + Ground(8, 2), octaves: 6)
    let rift =
      bump(across + warp.y * 0.09 - 0.015, center: 0, width: 0.075) * smoothstep(-0.35, 0.22, lane)
    let glow = band * (0.55 + 0.9 * (cloud + 0.35)) * (0.45 + 0.85 * core)
    let tint = mix(Light(0.46, 0.52, 0.86), Light(1.0, 0.68, 0.56), unit(core * band * 1.3))
    light += tint * max(0, glow) * 0.40 * (1 - 0.86 * rift)
    let nebula = smoothstep(0.25, 0.62, dust.fbm(p * 2.7 + Ground(1, 4), octaves: 5)) * band * core
    light += Light(0.55, 0.10, 0.24) * nebula * 0.30
    let crowd: Float = 0.16 + 1.1 * max(0, glow) * (1 - 0.7 * rift)
    let stars: Light = faint.light(
      ray.x, ray.y, cell: 5.5 * scale, radius: max(0.55, 0.62 * scale))
    light += stars * crowd * 0.6
    light += bright.light(ray.x, ray.y, cell: 24 * scale, radius: max(0.8, 1.05 * scale)) * 0.75
    let low = smoothstep(0.35, 0, ray.slope.z)
    light += Light(0.30, 0.19, 0.07) * low * low * bump(x, center: 0.35, width: 0.6)
    // Buttes on the horizon, black against the last glow.
    let steps = dust(Ground(x * 3.1, 3)) + 0.3 * dust(Ground(x * 17, 8))
    let butte =
      0.010 + 0.030 * smoothstep(-0.08, 0.0, steps)
    let rim = butte + 0.003 * dust.fbm(Ground(x * 60, 1), octaves: 2)
    return mix(light, Light(0.008, 0.011, 0.020), smoothstep(0.0008, -0.0008, ray.slope.z - rim))
  }

  /// The ground's height; the arch stands on two mounds.
  @inline(__always)
  private func floor(_ place: Ground) -> Float {
    let mounds =
      3.2 * expf(-length(place - Ground(-13.5, 40)) / 7) + 3.6
      * expf(-length(place - Ground(14, 41)) / 8)
    return mounds + dust.fbm(place / 9, octaves: 3) * 0.55
  }

  /// The distance to the nearest rock, a little underestimated.
  @inline(__always)
  private func distance(_ p: Space, fine: Bool) -> Float {
    let ground = p.z > 11 ? p.z - 6 : (p.z - floor(Ground(p.x, p.y))) * 0.75
    let lean = p.x + 0.10 * p.z
    let ring = Ground(lean * 1.02, max(p.z - 2, (p.z - 2) * 0.3) * 0.74)
    let middle = length(ring) - 15.5
    let tube = 3.1 + 2.6 * smoothstep(14, 0, p.z) + 0.9 * smoothstep(-9, 9, lean)
    var arch = length(Ground(middle, (p.y - 40) * 0.8)) - tube
    if fine, arch < 3.5 {
      let rough = stone.fbmInSpace(p * Space(0.22, 0.22, 0.34), octaves: 5) - 0.48
      arch -= rough * 3.0
      let layer = sinf(p.z * 2.6 + stone.inSpace(p * 0.3) * 6)
      arch += layer * 0.16
    }
    let blend = unit(0.5 + 0.5 * (ground - arch) / 2.2)
    return (mix(ground, arch, blend) - 2.2 * blend * (1 - blend)) * 0.72
  }

  /// The first rock along a ray.
  func rock(along ray: Ray) -> Space? {
    var way: Float = 2
    for _ in 0..<120 {
      let point = Space(0, 0, camera.eye) + ray.direction * way
      if point.z > 34 || way > 900 { return nil }
      let clear = distance(point, fine: true)
      if clear < way * 0.0006 { return point }
      way += max(clear, way * 0.0008)
    }
    return way < 500 ? Space(0, 0, camera.eye) + ray.direction * way : nil
  }

  func rockLight(_ point: Space, _ ray: Ray) -> Light {
    let way = length(point - Space(0, 0, camera.eye))
    let step = max(0.03, way / camera.focalLength)
    let here = distance(point, fine: true)
    let normal = normalized(
      Space(
        distance(point + Space(step, 0, 0), fine: true) - here,
        distance(point + Space(0, step, 0), fine: true) - here,
        distance(point + Space(0, 0, step), fine: true) - here))
    let grain = stone.fbmInSpace(point * Space(0.8, 0.8, 3.2), octaves: 4) - 0.48
    var color = mix(Light(hex: 0xB8744C), Light(hex: 0x8F5236), unit(0.5 + grain * 2.2))
    let isFloor = smoothstep(0.8, 0.95, normal.z) * smoothstep(4, 1.5, point.z)
    color = mix(color, Light(hex: 0x8F6A4A), isFloor * 0.6)
    // A warm lamp stands out of sight on the left, a weaker one behind the right leg.
    var light = Light(0.050, 0.070, 0.125) * (0.45 + 0.55 * normal.z)
    for (lamp, strength) in [
      (Space(-20, 17, 4), Light(1.0, 0.58, 0.27) * 560),
      (Space(3, 44, 2.0), Light(1.0, 0.64, 0.32) * 130),
    ] {
      let toward = lamp - point
      let square = dot(toward, toward) + 14
      let facing = max(0, dot(normal, toward / square.squareRoot()))
      light += strength * facing / square
    }
    let haze = 1 - expf(-way * 0.0035)
    return mix(color * light, Light(0.010, 0.013, 0.022), haze * smoothstep(60, 200, way))
  }

  /// Someone with a headlamp, small under the arch.
  func drawWatcher(on canvas: inout Canvas) {
    guard let foot = camera.pixel(of: Space(0.9, 24, floor(Ground(0.9, 24)) - 0.1)) else { return }
    let size = camera.focalLength / 24 * 1.9
    let dark = Light(0.010, 0.010, 0.014)
    func at(_ x: Float, _ y: Float) -> SIMD2<Float> { foot + SIMD2(x, -y) * size }
    let lamp = at(0.03, 0.93)
    let beam = normalized(Space(0.17, -1, 0))
    let fade = Float(canvas.height) * 0.24
    canvas.shine(
      .init(left: 0, top: 0, right: Float(canvas.width), bottom: lamp.y)
    ) { x, y in
      let offset = SIMD2(x - lamp.x, y - lamp.y)
      let along = offset.x * beam.x + offset.y * beam.y
      guard along > 0 else { return .zero }
      let across = abs(offset.x * beam.y - offset.y * beam.x)
      let wide = size * 0.05 + along * 0.035
      let cone = expf(-(across / wide) * (across / wide))
      return Light(0.72, 0.82, 1.0) * cone * 0.20 * expf(-along / fade) * min(1, size * 0.5 / wide)
    }
    canvas.stroke(from: at(-0.09, 0), to: at(-0.04, 0.5), radius: size * 0.05, size * 0.07) {
      _, _ in dark
    }
    canvas.stroke(from: at(0.10, 0), to: at(0.04, 0.5), radius: size * 0.05, size * 0.07) { _, _ in
      dark
    }
    canvas.stroke(from: at(0, 0.45), to: at(0, 0.76), radius: size * 0.10, size * 0.12) { _, _ in
      dark
    }
    canvas.stroke(from: at(-0.10, 0.76), to: at(-0.17, 0.45), radius: size * 0.045, size * 0.035) {
      _, _ in dark
    }
    canvas.stroke(from: at(0.10, 0.76), to: at(0.16, 0.45), radius: size * 0.045, size * 0.035) {
      _, _ in dark
    }
    canvas.stroke(from: at(0, 0.90), to: at(0.01, 0.93), radius: size * 0.085, size * 0.085) {
      _, _ in dark
    }
    canvas.stroke(from: lamp, to: lamp + SIMD2(0.5, 0), radius: size * 0.03, size * 0.03) { _, _ in
      Light(4, 4.4, 5)
    }
  }
}
