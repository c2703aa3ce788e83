import Glibc

/// A red canyon from its rim, half way around the horizon.
func canyon(width: Int, height: Int) -> Canvas {
  let scene = Canyon(width: width, height: height)
  let map = DepthMap(scene.camera, .init(near: 30, far: 40_000, step: 0.0025, steepest: 8)) {
    scene.height(at: $0, octaves: 7)
  }
  return scene.photographed(map)
}

private struct Canyon: Landscape {
  let camera: Camera
  let sun: Space
  private var shadows = ReliefMap.empty
  private let relief = Noise(51)
  private let strata = Noise(52)
  private let clouds = Clouds(
    noise: Noise(53), size: 1.1, cover: 0.0, softness: 0.25, stretch: 1.5)
  private let heaven = Gradient([
    (0.0, Light(hex: 0xDCE6EA)), (0.1, Light(hex: 0xA4CBE6)), (0.26, Light(hex: 0x4C97D8)),
    (0.6, Light(hex: 0x1C5FB4)),
  ])
  private let haze = Haze(
    density: 0.00004, depth: 2500, light: Light(hex: 0xA8BFE0), sunward: Light(hex: 0xF3D9BC))
  private let bands = Gradient([
    (0.0, Light(hex: 0x8A3B22)), (0.18, Light(hex: 0xB4532B)), (0.34, Light(hex: 0xD98448)),
    (0.46, Light(hex: 0xA2452A)), (0.60, Light(hex: 0xC9763F)), (0.74, Light(hex: 0xB85A34)),
    (0.88, Light(hex: 0xE3A878)), (1.0, Light(hex: 0x8A3B22)),
  ])

  init(width: Int, height: Int) {
    camera = Camera(
      width: width, height: height, eye: 250, focalLength: 0.40, horizon: 0.30, isPanorama: true)
    sun = normalized(Space(-0.86, -0.10, 0.36))
    shadows = ReliefMap(from: Ground(-7000, -1500), to: Ground(7000, 9000), cell: 9) {
      [self] in self.height(at: $0, octaves: 6)
    }
  }

  /// Metres from the nearest of the two streams: one across the picture, one away through it.
  @inline(__always)
  private func toStream(_ place: Ground) -> Float {
    let bend = relief.fbm(place / 1500, octaves: 3) * 300
    let across = abs(
      place.y - 1050 - 300 * sinf(place.x / 1350 + 0.9) - 150 * sinf(place.x / 530) + bend)
    guard place.y > 900 else { return across }
    let course = 300 * sinf(place.y / 620 - 2.2) + (place.y - 1000) * 0.10
    return min(across, abs(place.x - course + bend * 0.4) * 0.9)
  }

  func height(at place: Ground, octaves: Int) -> Float {
    let gullies = relief.ridged(place / 880 + Ground(3, 1), octaves: max(2, octaves - 1))
    let stream = toStream(place)
    let open = smoothstep(180, 2000, stream + (gullies - 0.58) * 1350 * smoothstep(0, 260, stream))
    let mesas = smoothstep(
      0.48, 0.56, relief.fbm(place / 2600 + Ground(7.3, 2.2), octaves: 4) + 0.32)
    var level =
      open * 600 + mesas * 260 * smoothstep(2600, 4200, place.y) * smoothstep(500, 900, stream)
    // Hard and soft layers by turns: cliffs over slopes.
    let layer: Float = 100
    let fine = relief.fbm(place / 90, octaves: max(1, octaves - 3)) * 10
    let count = ((level + fine) / layer).rounded(.down)
    let part = (level + fine) / layer - count
    level = (count + 0.42 * part + 0.58 * smoothstep(0.62, 0.86, part)) * layer
    return level - 600 + relief.fbm(place / 30, octaves: max(1, octaves - 4)) * 3
  }

  func sky(_ ray: Ray) -> Light {
    let along = ray.direction
    let veil = clouds.seen(along: along, sun: sun)
    let lit = mix(Light(hex: 0xA9B4C6), Light(1.3, 1.25, 1.18), veil.light)
    return mix(heaven[along.z], lit, veil.thickness)
  }

  func ground(at point: Space, depth: Float, _ ray: Ray) -> Light {
    let place = Ground(point.x, point.y)
    let width = max(0.6, footprint(depth) * 1.3)
    let normal = normal(at: place, width: width, octaves: 9)
    let position = (point.z + 600 + strata.fbm(place / 300, octaves: 3) * 22) / 300
    let thin = strata.fbm(Ground(point.z / 7, place.x / 900), octaves: 3)
    let wave = position - position.rounded(.down)
    var color = bands[wave] * (1 + thin * 0.22)
    let flat = smoothstep(0.80, 0.95, normal.z)
    let scrub = smoothstep(-0.1, 0.35, strata.fbm(place / 24, octaves: 4))
    let soil = mix(Light(hex: 0xC58A56), Light(hex: 0x6F7A44), scrub * 0.75)
    color = mix(color, soil, flat * 0.8)
    let floor = point.z + 600
    let stream = toStream(place)
    if floor < 40, stream < 120 {
      let bank = smoothstep(62, 66, stream + strata.fbm(place / 70, octaves: 3) * 18)
      let green = mix(Light(hex: 0x6E7F3A), color, smoothstep(70, 115, stream))
      color = mix(Light(hex: 0x3A9A9C), green, bank)
    }
    let facing = max(0, dot(normal, sun))
    let lit =
      facing > 0
      ? facing * shadows.sunlight(at: point + Space(0, 0, 1), toward: sun, reach: 1800, steps: 20)
      : 0
    let open = Light(0.24, 0.30, 0.42) * (0.5 + 0.5 * normal.z)
    let bounce = Light(0.26, 0.13, 0.07) * smoothstep(0, -500, point.z)
    let light = color * (Light(2.3, 1.70, 1.15) * lit + open + bounce)
    return haze.veiled(
      light, eye: camera.eye, point: point.z, distance: depth * ray.stretch,
      towardSun: dot(ray.direction, sun))
  }
}
