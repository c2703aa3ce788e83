import Glibc

/// Wooded hills in October, with a river winding away into the mist.
func autumnValley(width: Int, height: Int) -> Canvas {
  let scene = AutumnValley(width: width, height: height)
  let map = DepthMap(
    scene.camera, .init(near: 30, far: 16_000, step: 0.0028, steepest: 1.5, clutter: 12)
  ) {
    scene.surface(at: $0)
  }
  var canvas = scene.photographed(map)
  canvas.bloom(above: 1.4, radius: 0.04, strength: 0.2)
  return canvas
}

private struct AutumnValley: Landscape {
  let camera: Camera
  let sun: Space
  private var shadows = ReliefMap.empty
  private let relief = Noise(41)
  private let patches = Noise(42)
  private let trees = Woods(noise: Noise(43), crown: .round, spacing: 8, reach: 0.75, height: 10)
  private let clouds = Clouds(
    noise: Noise(44), size: 1.8, cover: 0.0, softness: 0.4, stretch: 2)
  private let heaven = Gradient([
    (0.0, Light(hex: 0xF9DDB0)), (0.1, Light(hex: 0xA9CFE8)), (0.3, Light(hex: 0x4F97D8)),
    (0.7, Light(hex: 0x2C6FB8)),
  ])
  private let haze = Haze(
    density: 0.00009, depth: 700, light: Light(hex: 0xA9BCD2), sunward: Light(hex: 0xFFE2B4))
  private let mist = Haze(
    density: 0.0005, depth: 55, light: Light(hex: 0xD9DDE2), sunward: Light(hex: 0xFFEBCB))
  private let leaves: [Light] = [
    Light(hex: 0xB3261A), Light(hex: 0xD9541A), Light(hex: 0xEE8E1E), Light(hex: 0xE9A32A),
    Light(hex: 0xD0701F), Light(hex: 0x7D8A2C), Light(hex: 0x8E2A1E), Light(hex: 0xE2701C),
  ]
  private let grass = Light(hex: 0x9AA045)

  init(width: Int, height: Int) {
    camera = Camera(width: width, height: height, eye: 290, focalLength: 1.1, horizon: 0.27)
    sun = normalized(Space(-0.80, 0.40, 0.33))
    shadows = ReliefMap(from: Ground(-2600, 100), to: Ground(2600, 6500), cell: 6) {
      [self] in self.height(at: $0, octaves: 4)
    }
  }

  @inline(__always)
  private func river(_ y: Float) -> Float {
    60 + 150 * sinf(y / 330 + 0.6) * smoothstep(0, 500, y) + 220 * sinf(y / 1150) - y * 0.02
  }

  @inline(__always)
  private func bank(_ place: Ground) -> Float {
    abs(place.x - river(place.y)) - 17 - place.y * 0.006
  }

  func height(at place: Ground, octaves: Int) -> Float {
    let bank = bank(place)
    let valley = smoothstep(0, 900, bank)
    let hills = relief.fbm(place / 950 + Ground(2.2, 0.4), octaves: octaves)
    let ridges = relief.ridged(place / 3300 + Ground(0.7, 0.2), octaves: octaves)
    let far = smoothstep(2500, 9000, place.y)
    var height = bank * 0.03 + smoothstep(0, 240, bank) * (22 + hills * 60)
    height += valley * (90 + hills * 150 + ridges * mix(150, 620, far))
    return max(height, bank < 0 ? -1 : 0.3)
  }

  @inline(__always)
  private func wooded(_ place: Ground) -> Float {
    let open = patches.fbm(place / 330, octaves: 4)
    return smoothstep(-0.20, -0.06, open) * smoothstep(6, 26, bank(place)) * 0.96
  }

  func surface(at place: Ground) -> Float {
    let ground = height(at: place, octaves: 6)
    guard ground > 0 else { return 0 }
    let crown = trees.canopy(at: place, density: wooded).height
    // Leaves make the outline of a crown rough.
    return ground + crown + min(crown, 3) * 0.6 * patches.fbm(place / 1.9, octaves: 3)
  }

  func sky(_ ray: Ray) -> Light { heavens(ray.direction) }

  private func heavens(_ along: Space) -> Light {
    let veil = clouds.seen(along: along, sun: sun)
    let lit = mix(Light(hex: 0xB5BCC8), Light(1.2, 1.1, 0.98), veil.light)
    let warm = powf(max(0, dot(along, sun)), 5)
    return mix(heaven[along.z], lit, veil.thickness * 0.85) + Light(0.6, 0.42, 0.2) * warm
  }

  func ground(at point: Space, depth: Float, _ ray: Ray) -> Light {
    let place = Ground(point.x, point.y)
    let distance = depth * ray.stretch
    let towardSun = dot(ray.direction, sun)
    var light: Light
    if bank(place) < 0, point.z < 1 {
      let ripple = patches.fbm(place / Ground(16, 5), octaves: 3) * 0.05
      let bounced = normalized(
        Space(ray.direction.x, ray.direction.y, abs(ray.direction.z) + ripple))
      let mirrored = heavens(bounced)
      let side = smoothstep(-5, 0, bank(place) + ripple * 40)
      light = mix(
        mix(mirrored, Light(hex: 0xE9E2D2), 0.35) * 0.9, Light(hex: 0x6A4A22) * 0.5, side * 0.8)
    } else {
      light = land(point, depth)
    }
    light = mist.veiled(
      light, eye: camera.eye, point: point.z, distance: max(0, distance - 500), towardSun: towardSun
    )
    return haze.veiled(
      light, eye: camera.eye, point: point.z, distance: distance, towardSun: towardSun)
  }

  private func land(_ point: Space, _ depth: Float) -> Light {
    let place = Ground(point.x, point.y)
    let width = max(0.5, footprint(depth) * 1.2)
    // A little further in than the crown's side, which stands upright.
    let inside = place * (1 + 0.4 / max(1, depth))
    let (canopy, slope) = trees.crowns(at: inside, width: width, density: wooded)
    let bare = normal(at: place, width: max(4, width), octaves: 6)
    var normal = bare
    var color = mix(grass, Light(hex: 0xC2A858), unit(patches.fbm(place / 60, octaves: 4) + 0.4))
    var open: Float = 1
    if canopy.height > 0.3 {
      let rough =
        patches.fbm(Woods.foliage(point) / 1.5, octaves: 4) * 1.6
        * smoothstep(2.5, 0.4, footprint(depth))
      normal = normalized(
        Space(slope.x * 0.8 + rough * 1.3, slope.y * 0.8 + rough * 0.9, 1.0))
      normal = normalized(normal + bare * mix(0.4, 3, smoothstep(1.2, 5, width)))
      let stand = patches.fbm(place / 190 + Ground(5, 5), octaves: 3) * 0.9 + 0.42
      let pick = unit(stand * 0.75 + (canopy.tree - 0.5) * 0.55 + 0.12) * Float(leaves.count - 1)
      color = mix(
        leaves[Int(pick)], leaves[min(leaves.count - 1, Int(pick) + 1)], pick - pick.rounded(.down))
      color *= 0.85 + 0.3 * canopy.tree + rough * 0.5
      open = 0.3 + 0.7 * unit(canopy.height / 8)
    }
    let facing = unit(dot(normal, sun) * 0.85 + 0.15)
    let lit =
      facing * shadows.sunlight(at: point + Space(0, 0, 6), toward: sun, reach: 1400, steps: 14)
    let ambient = Light(0.30, 0.36, 0.46) * (0.5 + 0.5 * normal.z) * open
    return color * (Light(2.5, 1.85, 1.1) * lit * (0.35 + 0.65 * open) + ambient)
  }
}
