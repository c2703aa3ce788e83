import Glibc

/// Sunrise over ridge behind ridge, with mist in the valleys.
func firstLight(width: Int, height: Int) -> Canvas {
  let scene = FirstLight(width: width, height: height)
  let map = DepthMap(
    scene.camera, .init(near: 60, far: 38_000, step: 0.004, steepest: 2.2, clutter: 30)
  ) {
    scene.height(at: $0, octaves: 7)
  }
  var canvas = scene.photographed(map)
  canvas.bloom(above: 1.2, radius: 0.05, strength: 0.25)
  return canvas
}

private struct FirstLight: Landscape {
  let camera: Camera
  let sun: Space
  private var shadows = ReliefMap.empty
  private let disc: Sun
  private let relief = Noise(11)
  private let trees = Woods(noise: Noise(12), crown: .pointed, spacing: 9, height: 26)
  private let clouds = Clouds(noise: Noise(13), size: 1.1, cover: 0.12, stretch: 2.6)
  private let zenith = Gradient([
    (-0.02, Light(hex: 0xF6B28A)), (0.05, Light(hex: 0xF0A58E)), (0.13, Light(hex: 0xB883A6)),
    (0.24, Light(hex: 0x5570B4)), (0.5, Light(hex: 0x234A92)),
  ])
  private let haze: Haze
  private let mist: Haze
  private let forest = Light(hex: 0x2A3A2C)
  private let rock = Light(hex: 0x59504A)

  init(width: Int, height: Int) {
    camera = Camera(width: width, height: height, eye: 1500, focalLength: 1.15, horizon: 0.40)
    sun = camera.direction(0.36, 0.325)
    disc = Sun(direction: sun, light: Light(1.0, 0.62, 0.30))
    haze = Haze(
      density: 0.00009, depth: 2600, light: Light(hex: 0x6474C4), sunward: Light(hex: 0xFFB27C),
      focus: 22)
    mist = Haze(
      density: 0.0013, depth: 210, light: Light(hex: 0x8C90C8), sunward: Light(hex: 0xFFC894),
      focus: 26)
    shadows = ReliefMap(from: Ground(-9000, 0), to: Ground(9000, 14_000), cell: 18) {
      [self] in self.height(at: $0, octaves: 5)
    }
  }

  func height(at place: Ground, octaves: Int) -> Float {
    let wide = Ground(place.x / 3600, place.y / 2100)
    let ridges = relief.ridged(wide + Ground(0.3, 0.15), octaves: octaves)
    let far = smoothstep(3000, 22_000, place.y)
    var height = -250 + ridges * mix(1750, 2300, far)
    // A spur at the right of the foreground, for the eye to stand on.
    let spur =
      smoothstep(-350, 700, place.x + place.y * 0.18) * bump(place.y, center: 500, width: 900)
    height = max(height, 900 + spur * 480 + relief.fbm(place / 420, octaves: octaves) * 110)
    if place.y < 4200, octaves > 6 {
      height += trees.canopy(at: place) { _ in 0.85 }.height
    }
    return height
  }

  func sky(_ ray: Ray) -> Light {
    let along = ray.direction
    var light = zenith[along.z]
    let veil = clouds.seen(along: along, sun: sun)
    let lit = mix(Light(hex: 0xC68FA0), Light(hex: 0xFFC7A0) * 1.3, veil.light)
    light = mix(light, lit, veil.thickness * 0.7)
    light += disc.glow(along, core: 6000, halo: 400, shine: 14)
    return light + disc.disc(along, radius: 0.011) * Light(14, 10, 5)
  }

  func ground(at point: Space, depth: Float, _ ray: Ray) -> Light {
    let place = Ground(point.x, point.y)
    let normal = normal(at: place, width: max(1, footprint(depth) * 1.5), octaves: 8)
    let direct = max(0, dot(normal, sun)) * 1.6
    let shaded =
      direct > 0 ? direct * shadows.sunlight(at: point, toward: sun, reach: 3000, steps: 14) : 0
    let base = mix(rock, forest, smoothstep(0.45, 0.8, normal.z))
    var light =
      base
      * (Light(1.1, 0.6, 0.35) * shaded * (depth < 4200 ? 0.45 : 1) + Light(0.16, 0.2, 0.32)
        * (0.4 + 0.6 * normal.z))
    let distance = depth * ray.stretch
    let towardSun = dot(ray.direction, sun)
    light = mist.veiled(
      light, eye: camera.eye - 650, point: point.z - 650, distance: distance, towardSun: towardSun)
    light = haze.veiled(
      light, eye: camera.eye, point: point.z, distance: distance, towardSun: towardSun)
    return light + disc.glow(ray.direction, core: 6000, halo: 300, shine: 14)
      * smoothstep(500, 12_000, distance) * 0.7
  }
}
