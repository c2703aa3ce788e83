import Glibc

/// An iceberg drifting in still water under a pink evening sky.
func iceberg(width: Int, height: Int) -> Canvas {
  let scene = Iceberg(width: width, height: height)
  let map = DepthMap(
    scene.camera, .init(near: 6, far: 25_000, step: 0.004, careful: 0.22, carefulUntil: 420)
  ) { max(0, scene.height(at: $0, octaves: 5)) }
  var canvas = scene.photographed(map)
  canvas.bloom(above: 1.1, radius: 0.03, strength: 0.2)
  return canvas
}

private struct Iceberg: Landscape {
  let camera: Camera
  let sun: Space
  private var shadows = ReliefMap.empty
  private var mirror: DepthMap?
  private let ice = Noise(111)
  private let water = Noise(112)
  private let relief = Noise(113)
  private let clouds = Clouds(
    noise: Noise(114), size: 1.4, cover: 0.02, softness: 0.45, stretch: 3)
  private let heaven = Gradient([
    (0.0, Light(hex: 0xFFC9B4)), (0.07, Light(hex: 0xF6AFB8)), (0.18, Light(hex: 0xBFA2CC)),
    (0.36, Light(hex: 0x7F9BD2)), (0.8, Light(hex: 0x4474BC)),
  ])

  init(width: Int, height: Int) {
    camera = Camera(width: width, height: height, eye: 9, focalLength: 1.1, horizon: 0.55)
    sun = normalized(Space(-0.80, -0.30, 0.30))
    mirror = DepthMap(
      camera, .init(near: 60, far: 20_000, step: 0.005, careful: 0.3, carefulUntil: 420), mirror: 0
    ) { [self] in self.height(at: $0, octaves: 5) }
    shadows = ReliefMap(from: Ground(-170, 200), to: Ground(130, 430), cell: 0.35) {
      [self] in self.height(at: $0, octaves: 4)
    }
  }

  /// A tilted slab of ice: the lowest of its top plane and its broken sides.
  @inline(__always)
  private func slab(
    _ place: Ground, _ middle: Ground, _ half: Ground, _ turn: Float, _ top: Float, _ tilt: Ground
  ) -> Float {
    let p = place - middle
    let q = Ground(p.x * cosf(turn) - p.y * sinf(turn), p.x * sinf(turn) + p.y * cosf(turn))
    let wall = min(half.x - abs(q.x), half.y - abs(q.y))
    let corner = (half.x + half.y) * 0.72 - (abs(q.x) + abs(q.y)) * 0.8
    return min(top + dot(q, tilt), min(wall, corner) * 2.6 + 1)
  }

  func height(at place: Ground, octaves: Int) -> Float {
    let distant = ridge(place, octaves)
    guard place.y < 480 else { return distant }
    let bend = Ground(ice.fbm(place / 24, octaves: 3), ice.fbm(place / 24 + 40, octaves: 3)) * 7
    let p = place + bend
    var height: Float = -3
    height = max(height, slab(p, Ground(14, 262), Ground(30, 28), 0.5, 50, Ground(0.62, -0.22)))
    height = max(height, slab(p, Ground(-24, 262), Ground(30, 26), -0.3, 27, Ground(-0.20, -0.16)))
    height = max(height, slab(p, Ground(46, 285), Ground(22, 22), 0.2, 24, Ground(-0.35, 0.1)))
    height = max(height, slab(p, Ground(-58, 280), Ground(17, 17), 0.9, 14, Ground(0.35, -0.1)))
    height = max(height, slab(p, Ground(98, 330), Ground(14, 12), 0.4, 11, Ground(0.3, 0)))
    height = max(height, slab(p, Ground(-128, 390), Ground(22, 14), 0.1, 15, Ground(-0.25, 0)))
    if height > 0 {
      let cracks = ice.ridged(place / 11, octaves: octaves)
      let steps = ice.fbm(place / 7 + Ground(9, 1), octaves: max(2, octaves - 1))
      height += (cracks - 0.5) * min(6, height * 0.5) + steps * min(2.2, height * 0.3)
    }
    return max(height, floes(place))
  }

  /// Flat pieces of drift ice.
  @inline(__always)
  private func floes(_ place: Ground) -> Float {
    guard place.y > 90, place.y < 260 else { return -3 }
    let piece = ice.fbm(place / Ground(17, 13) + Ground(5, 3), octaves: 3)
    let away = smoothstep(90, 130, place.y)
    let edge = piece - 0.36 - 0.10 * smoothstep(120, 20, abs(place.x + 10))
    return edge > 0 ? min(0.9, 0.2 + edge * 8) * away - 0.1 : -3
  }

  @inline(__always)
  private func ridge(_ place: Ground, _ octaves: Int) -> Float {
    guard place.y > 5000 else { return -3 }
    let peaks = relief.ridged(place / Ground(4200, 3000) + Ground(1.3, 0.6), octaves: octaves + 1)
    return smoothstep(5500, 10_500, place.y) * (peaks * 1250 - 260)
  }

  func sky(_ ray: Ray) -> Light { heavens(ray.direction) }

  private func heavens(_ along: Space) -> Light {
    let veil = clouds.seen(along: along, sun: sun)
    let lit = mix(Light(hex: 0xB78FB8), Light(1.25, 0.80, 0.72), veil.light)
    return mix(heaven[along.z], lit, veil.thickness * 0.75)
  }

  func ground(at point: Space, depth: Float, _ ray: Ray) -> Light {
    let place = Ground(point.x, point.y)
    return height(at: place, octaves: 5) <= 0 ? sea(place, depth, ray) : berg(point, depth, ray)
  }

  private func berg(_ point: Space, _ depth: Float, _ ray: Ray) -> Light {
    let place = Ground(point.x, point.y)
    let distance = depth * ray.stretch
    let normal = normal(at: place, width: max(0.12, footprint(depth) * 1.2), octaves: 7)
    let facing = max(0, dot(normal, sun))
    if depth > 4000 {
      let steep = smoothstep(0.85, 0.6, normal.z)
      let color = mix(Light(hex: 0xF2F2F8), Light(hex: 0x6A6E80), steep * 0.7)
      let light = color * (Light(1.5, 0.85, 0.66) * facing + Light(0.34, 0.42, 0.66))
      return mix(light, Light(hex: 0xD3A8BC), 1 - expf(-distance * 0.00007))
    }
    let lit =
      facing > 0
      ? facing * shadows.sunlight(at: point, toward: sun, reach: 160, steps: 22, softness: 0.05) : 0
    let steep = smoothstep(0.75, 0.25, normal.z)
    let layers = ice.fbm(Ground(point.z * 0.55 + place.x * 0.10, place.x * 0.02), octaves: 4)
    let blue = mix(Light(hex: 0x7CC6E6), Light(hex: 0x2E93C8), unit(0.4 + layers * 1.2))
    var color = mix(Light(hex: 0xF4F8FC), blue, steep * 0.72)
    // Near the water the ice is washed clear and shows its deepest blue.
    color = mix(
      color, Light(hex: 0x36B4CC),
      smoothstep(3.4, 0.2, point.z + layers) * 0.75 * smoothstep(0.85, 0.6, normal.z))
    let within = blue * Light(0.25, 0.42, 0.50) * steep
    let ambient = Light(0.40, 0.50, 0.74) * (0.45 + 0.55 * normal.z)
    let light = color * (Light(1.75, 1.15, 0.90) * lit + ambient) + within * 0.45
    return mix(light, Light(hex: 0xD9B2C4), 1 - expf(-distance * 0.00022))
  }

  private func sea(_ place: Ground, _ depth: Float, _ ray: Ray) -> Light {
    let width = footprint(depth) * 3
    let calm = 0.35 + 0.9 * smoothstep(-0.1, 0.4, water.fbm(place / Ground(110, 36), octaves: 3))
    let ripple = Ground(
      water.fbm(place / Ground(4, 1.5), octaves: 3),
      water.fbm(place / Ground(4, 1.5) + 30, octaves: 3))
    let tilt = ripple * 0.014 * calm * smoothstep(6, 0.8, width)
    let x = ray.x + tilt.x * camera.focalLength
    let y = min(
      camera.horizon - 1, 2 * camera.horizon - ray.y + tilt.y * camera.focalLength * 2)
    let bounced = camera.ray(x, y)
    var image = heavens(bounced.direction)
    let seen = mirror?.at(x, y) ?? .infinity
    if seen < .infinity {
      let far = Ground(bounced.slope.x, bounced.slope.y) * seen
      image = berg(
        Space(far.x, far.y, max(0.1, seen * bounced.slope.z - camera.eye)), seen, bounced)
    }
    let fresnel = 0.28 + 0.72 * powf(1 - abs(ray.direction.z), 6)
    // The foot of the ice glows through the water around it.
    let foot =
      smoothstep(-10, 12, slab(place, Ground(0, 262), Ground(62, 44), 0.1, 20, .zero)) * 0.9
    let body = mix(
      Light(hex: 0x0B3550), Light(hex: 0x2FB7BE), foot * smoothstep(0.9, 0.3, abs(ripple.x)))
    let light = mix(body, image * Light(0.90, 0.95, 1.0), fresnel)
    return mix(light, Light(hex: 0xE4B4BE), 1 - expf(-depth * 0.00012))
  }
}
