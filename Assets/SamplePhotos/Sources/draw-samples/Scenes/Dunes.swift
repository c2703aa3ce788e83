import Glibc

/// A desert late in the day: one long crest between light and shadow.
func dunes(width: Int, height: Int) -> Canvas {
  let scene = Dunes(width: width, height: height)
  let map = DepthMap(
    scene.camera, .init(near: 3, far: 30_000, step: 0.004, careful: 0.6, carefulUntil: 500)
  ) { scene.height(at: $0, octaves: 2) }
  return scene.photographed(map)
}

private struct Dunes: Landscape {
  private(set) var camera: Camera
  let sun: Space
  private var shadows = ReliefMap.empty
  private let wind = Noise(21)
  private let ripples = Noise(22)
  private let clouds = Clouds(
    noise: Noise(23), size: 2.2, cover: -0.12, softness: 0.5, stretch: 2.2, octaves: 5)
  private let heaven = Gradient([
    (-0.02, Light(hex: 0xF6D3A6)), (0.06, Light(hex: 0xE9C9A8)), (0.18, Light(hex: 0x9DBBC8)),
    (0.42, Light(hex: 0x3F86B8)), (0.8, Light(hex: 0x175A9A)),
  ])
  private let haze = Haze(
    density: 0.00022, depth: 300, light: Light(hex: 0xE8C8A4), sunward: Light(hex: 0xFFDDB0))
  private let sand = Light(hex: 0xE0955A)

  init(width: Int, height: Int) {
    camera = Camera(width: width, height: height, eye: 21, focalLength: 1.2, horizon: 0.36)
    camera.place = Ground(16, 0)
    sun = normalized(Space(-0.90, 0.30, 0.27))
    shadows = ReliefMap(from: Ground(-500, 0), to: Ground(500, 900), cell: 0.9) {
      [self] in self.height(at: $0, octaves: 2)
    }
  }

  /// A dune's profile over 0...1: a long windward rise and a short slip face.
  @inline(__always)
  private func profile(_ phase: Float) -> Float {
    let t = phase - phase.rounded(.down)
    return t < 0.68 ? smoothstep(0, 1.25, t / 0.68) / 0.896 : powf(1 - (t - 0.68) / 0.32, 1.25)
  }

  func height(at place: Ground, octaves: Int) -> Float {
    let warp = wind.fbm(place / 260, octaves: 2) * 90
    let far = smoothstep(120, 700, place.y)
    var height = profile((place.x * 0.72 + place.y * 0.55 + warp) / 210) * 26 * mix(0.25, 1, far)
    height += profile((place.x * 0.5 + place.y * 0.9 + warp * 0.7 + 40) / 74) * 6
    height *= mix(1, 1.9, smoothstep(900, 5000, place.y))
    // The long crest that leads into the picture.
    let crest = 15 * sinf(place.y / 38 + 0.4) + 20 * sinf(place.y / 92 - 0.6) + 6
    let summit = 10 + 38 * bump(place.y, center: 260, width: 130) + 2 * sinf(place.y / 21)
    let side = place.x - crest
    let flank = side < 0 ? -side * 0.30 + side * side * 0.0006 : side * 0.56
    let ridge = summit - flank
    let blend = smoothstep(-4, 4, ridge - height)
    height = mix(height, max(ridge, height), blend)
    if octaves > 3 {
      let waves = sinf(
        (place.x * 0.8 + place.y * 0.9 + ripples.fbm(place / 5, octaves: 3) * 3.2) * 6.0)
      height += waves * 0.022 * smoothstep(140, 10, place.y)
      height += ripples.fbm(place / 1.3, octaves: 2) * 0.03
    }
    return height
  }

  func sky(_ ray: Ray) -> Light {
    let along = ray.direction
    var light = heaven[along.z]
    let veil = clouds.seen(along: along, sun: sun)
    light = mix(light, Light(hex: 0xFFE9D2) * (0.8 + 0.4 * veil.light), veil.thickness * 0.55)
    let warm = powf(max(0, dot(along, sun)), 4)
    return light + Light(0.5, 0.3, 0.12) * warm * 0.5
  }

  func ground(at point: Space, depth: Float, _ ray: Ray) -> Light {
    let place = Ground(point.x, point.y)
    let normal = normal(at: place, width: max(0.06, footprint(depth) * 1.4), octaves: 4)
    let facing = max(0, dot(normal, sun))
    let lit =
      facing > 0
      ? facing
        * shadows.sunlight(
          at: point + Space(0, 0, 0.25), toward: sun, reach: 260, steps: 70, softness: 0.05) : 0
    let tone = 1 + 0.12 * wind.fbm(place / 37, octaves: 3)
    let bounce = Light(0.20, 0.10, 0.06) * (0.6 - 0.4 * normal.x)
    let open = Light(0.16, 0.20, 0.40) * (0.5 + 0.5 * normal.z)
    let light = sand * tone * (Light(2.05, 1.45, 0.92) * lit + open + bounce)
    let distance = depth * ray.stretch
    return haze.veiled(
      light, eye: camera.eye, point: point.z, distance: distance, towardSun: dot(ray.direction, sun)
    )
  }
}
