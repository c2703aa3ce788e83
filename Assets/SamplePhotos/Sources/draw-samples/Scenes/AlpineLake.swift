import Glibc

/// A still lake under a snowy peak, early on a clear day.
func alpineLake(width: Int, height: Int) -> Canvas {
  let scene = AlpineLake(width: width, height: height)
  let map = DepthMap(
    scene.camera, .init(near: 2, far: 14_000, step: 0.0035, steepest: 2.2, clutter: 30)
  ) {
    scene.surface(at: $0)
  }
  return scene.photographed(map)
}

private struct AlpineLake: Landscape {
  let camera: Camera
  let sun: Space
  private var shadows = ReliefMap.empty
  private var mirror: DepthMap?
  private let relief = Noise(31)
  private let detail = Noise(32)
  private let trees = Woods(noise: Noise(33), crown: .pointed, spacing: 10, height: 27)
  private let clouds = Clouds(
    noise: Noise(34), size: 1.5, cover: -0.02, softness: 0.3, stretch: 1.6)
  private let heaven = Gradient([
    (0.0, Light(hex: 0xCFE0EA)), (0.12, Light(hex: 0x9CC4E4)), (0.32, Light(hex: 0x4E93D2)),
    (0.7, Light(hex: 0x1F5FB0)),
  ])
  private let haze = Haze(
    density: 0.00007, depth: 1500, light: Light(hex: 0x9DBEDD), sunward: Light(hex: 0xFFE9C8))
  /// The mountains: where they stand, how high, and which way their ridges run.
  private static let peaks: [(place: Ground, height: Float, turn: Ground)] = [
    (Ground(520, 5200), 1500, Ground(0.86, 0.5)),
    (Ground(-1900, 4700), 950, Ground(0.94, -0.34)),
    (Ground(2500, 4300), 1020, Ground(0.6, 0.8)),
    (Ground(-700, 7400), 1350, Ground(0.7, 0.7)),
    (Ground(-3600, 5600), 1250, Ground(0.8, 0.6)),
  ]
  private let rock = Light(hex: 0x857C76)
  private let snow = Light(hex: 0xF6F8FC)
  private let meadow = Light(hex: 0x66783A)
  private let needles = Light(hex: 0x27452F)

  init(width: Int, height: Int) {
    camera = Camera(width: width, height: height, eye: 7, focalLength: 0.95, horizon: 0.58)
    sun = normalized(Space(-0.75, -0.18, 0.52))
    shadows = ReliefMap(from: Ground(-6500, -600), to: Ground(5500, 11_000), cell: 12) {
      [self] in self.height(at: $0, octaves: 6)
    }
    let walk = DepthMap.Walk(near: 20, far: 14_000, step: 0.005, steepest: 2.2, clutter: 30)
    mirror = DepthMap(camera, walk, mirror: 0) { [self] in surface(at: $0) }
  }

  /// Metres beyond the shore; negative on the lake.
  @inline(__always)
  private func inland(_ place: Ground) -> Float {
    let p = place - Ground(-30, 760)
    let turn = Ground(p.x / 470, p.y / 790)
    let ring = length(turn)
    return (ring - 1) * 470 + relief.fbm(place / 240, octaves: 4) * 130
  }

  func height(at place: Ground, octaves: Int) -> Float {
    let shore = inland(place)
    guard shore > 0 else { return shore * 0.08 }
    let rise = shore
    let mountain = relief.eroded(place / 2300 + Ground(4.3, 1.7), octaves: octaves - 1)
    let ridge = relief.ridged(place / 1700 + Ground(1.9, 5.1), octaves: octaves)
    let valley = smoothstep(30, 3800, rise)
    let foot = 260 * valley * (0.5 + ridge)
    var height = shore * 0.08 + min(rise, 900) * 0.16 * (0.4 + ridge)
    let bend = Ground(
      detail.fbm(place / 1300, octaves: 3), detail.fbm(place / 1300 + Ground(31, 17), octaves: 3))
    let rock = (ridge - 0.45) * 560 + (mountain - 0.35) * 500
    var rocks: Float = 0
    for peak in Self.peaks {
      let p = place - peak.place + bend * 330
      let side = Ground(
        p.x * peak.turn.x - p.y * peak.turn.y, p.x * peak.turn.y + p.y * peak.turn.x)
      let face = max(abs(side.x) * 1.05 + abs(side.y) * 0.35, abs(side.y) * 1.0)
      rocks = max(rocks, peak.height - face * 0.92)
    }
    height += foot + smoothstep(100, 2200, rise) * max(0, rocks + rock * unit(rocks / 700 + 0.15))
    return height
  }

  /// The ground with its trees.
  func surface(at place: Ground) -> Float {
    let ground = height(at: place, octaves: 8)
    guard ground > 0 else { return min(ground, 0) }
    return ground + trees.canopy(at: place, density: wooded).height
  }

  @inline(__always)
  private func wooded(_ place: Ground) -> Float {
    let ground = shadows.height(at: place)
    let patch = relief.fbm(place / 420 + Ground(8, 3), octaves: 3)
    let line = 480 + patch * 300
    let clear = smoothstep(-0.12, 0.25, patch + 0.18)
    return smoothstep(2, 9, ground) * smoothstep(line, line - 260, ground) * clear
  }

  func sky(_ ray: Ray) -> Light { heavens(ray.direction) }

  private func heavens(_ along: Space) -> Light {
    var light = heaven[along.z]
    let veil = clouds.seen(along: along, sun: sun)
    light = mix(
      light, mix(Light(hex: 0xB9C6D6), Light(1.25, 1.2, 1.15), veil.light), veil.thickness)
    return light
  }

  func ground(at point: Space, depth: Float, _ ray: Ray) -> Light {
    let place = Ground(point.x, point.y)
    return inland(place) <= 0 && point.z < 0.5
      ? water(place, depth, ray) : land(point, depth, ray)
  }

  private func land(_ point: Space, _ depth: Float, _ ray: Ray) -> Light {
    let place = Ground(point.x, point.y)
    let width = max(0.3, footprint(depth) * 1.3)
    let (canopy, slope) = trees.crowns(at: place, width: width, density: wooded)
    let bare = normal(at: place, width: width * 1.6, octaves: 9)
    var normal = bare
    let grain = detail.fbm(place / 14, octaves: 4)
    var color = mix(rock, rock * 0.75, smoothstep(-0.3, 0.4, grain))
    let grass = smoothstep(0.62, 0.85, bare.z) * smoothstep(900, 300, point.z + grain * 200)
    color = mix(color, mix(meadow, meadow * 0.7, unit(grain + 0.5)), grass)
    let line = 720 + relief.fbm(place / 300, octaves: 3) * 320
    let white =
      smoothstep(line, line + 260, point.z) * smoothstep(0.36, 0.56, bare.z + grain * 0.05)
    color = mix(color, snow, white)
    var open: Float = 1
    if canopy.height > 0.5 {
      normal = normalized(Space(slope.x, slope.y, 0.9))
      // Far trees melt into the wood's own color and slope.
      let melted = smoothstep(0.6, 3.2, width)
      normal = normalized(mix(normal, bare, melted * 0.85))
      color = mix(needles, Light(hex: 0x4A6136), mix(canopy.tree, 0.45, melted) * 0.7)
      open = mix(0.35 + 0.65 * unit(canopy.height / 16), 0.62, melted)
    }
    let facing = max(0, dot(normal, sun))
    let lit =
      facing > 0
      ? facing * shadows.sunlight(at: point + Space(0, 0, 1), toward: sun, reach: 3500, steps: 20)
      : 0
    let ambient = Light(0.26, 0.36, 0.52) * (0.55 + 0.45 * normal.z) * open
    let light = color * (Light(1.75, 1.55, 1.25) * lit * (0.4 + 0.6 * open) + ambient)
    return haze.veiled(
      light, eye: camera.eye, point: point.z, distance: depth * ray.stretch,
      towardSun: dot(ray.direction, sun))
  }

  private func water(_ place: Ground, _ depth: Float, _ ray: Ray) -> Light {
    let ripple = Ground(
      detail.fbm(Ground(place.x / 3, place.y / 0.8), octaves: 4),
      detail.fbm(Ground(place.x / 3 + 40, place.y / 0.8), octaves: 4))
    let breeze = 0.25 + 0.9 * smoothstep(0.05, 0.4, detail.fbm(place / Ground(160, 50), octaves: 3))
    let tilt = ripple * 0.007 * breeze
    let x = ray.x + tilt.x * camera.focalLength
    let y = 2 * camera.horizon - ray.y + tilt.y * camera.focalLength * 2.2
    let bounced = camera.ray(x, min(y, camera.horizon - 1))
    var image = heavens(bounced.direction)
    if let mirror {
      let seen = mirror.at(x, min(y, camera.horizon - 1))
      if seen < .infinity {
        let far = camera.place + Ground(bounced.slope.x, bounced.slope.y) * seen
        let rise = (seen * bounced.slope.z) - camera.eye
        image = land(Space(far.x, far.y, max(0.6, rise)), seen, bounced)
      }
    }
    let grazing = 1 - abs(ray.direction.z)
    let fresnel = 0.42 + 0.58 * powf(grazing, 3)
    let shallow = smoothstep(-4.2, -0.2, height(at: place, octaves: 6))
    let stones = 0.75 + 0.5 * detail.fbm(place / 1.4, octaves: 4)
    let body = mix(Light(hex: 0x07404E), Light(hex: 0x3F9488) * stones, shallow * 0.85)
    return mix(body, image * Light(0.92, 0.97, 1), fresnel)
  }
}
