import Glibc

/// Flooded rice terraces on a morning hillside.
func riceTerraces(width: Int, height: Int) -> Canvas {
  let scene = RiceTerraces(width: width, height: height)
  let map = DepthMap(
    scene.camera, .init(near: 20, far: 9000, step: 0.0018, steepest: 3, clutter: 12)
  ) {
    scene.surface(at: $0)
  }
  var canvas = scene.photographed(map)
  canvas.bloom(above: 1.3, radius: 0.03, strength: 0.2)
  return canvas
}

private struct RiceTerraces: Landscape {
  let camera: Camera
  let sun: Space
  private var shadows = ReliefMap.empty
  private let relief = Noise(81)
  private let plants = Noise(82)
  private let trees = Woods(noise: Noise(83), crown: .round, spacing: 7, reach: 0.75, height: 9)
  private let clouds = Clouds(
    noise: Noise(84), size: 1.2, cover: 0.15, softness: 0.4, stretch: 1.6)
  private let heaven = Gradient([
    (0.0, Light(hex: 0xFFE3B4)), (0.1, Light(hex: 0xF3DDC4)), (0.3, Light(hex: 0x7FB4E0)),
    (0.8, Light(hex: 0x3E80C4)),
  ])
  private let haze = Haze(
    density: 0.00042, depth: 300, light: Light(hex: 0xA8C4CC), sunward: Light(hex: 0xFFE7B8))

  init(width: Int, height: Int) {
    camera = Camera(width: width, height: height, eye: 112, focalLength: 1.15, horizon: 0.20)
    sun = normalized(Space(-0.62, 0.66, 0.34))
    shadows = ReliefMap(from: Ground(-420, 20), to: Ground(420, 1500), cell: 1.2) {
      [self] in self.height(at: $0, octaves: 4)
    }
  }

  /// The hillside before it was terraced.
  @inline(__always)
  private func slope(_ place: Ground, octaves: Int) -> Float {
    let bowl = place.x - 30
    let sweep = relief.fbm(place / 190 + Ground(2.7, 4.4), octaves: min(3, octaves)) * 26
    let fine = relief.fbm(place / 36, octaves: 2) * 2.2
    let rise = smoothstep(260, 900, place.y) * 105
    return 10 + bowl * bowl * 0.0010 + rise + sweep + fine - (place.y - 120) * 0.10
  }

  private static let step: Float = 3.4
  /// What grows in the fields: seedlings, young rice, rice in ear.
  private static let fields = Gradient([
    (0.0, Light(hex: 0x4F8E2C)), (0.25, Light(hex: 0x7DAE38)), (0.42, Light(hex: 0xA8BC45)),
    (0.6, Light(hex: 0xC7B04C)),
  ])

  /// A terrace: which one, how far across it (0 at its lip, 1 at the next wall), and its height.
  @inline(__always)
  private func terrace(_ place: Ground) -> (number: Float, part: Float, height: Float) {
    let level = slope(place, octaves: 3) / Self.step
    let number = level.rounded(.down)
    let part = level - number
    let wall = smoothstep(0.84, 0.97, part)
    let lip = bump(part, center: 0.04, width: 0.045) * 0.14
    return (number, part, (number + wall + lip) * Self.step)
  }

  func height(at place: Ground, octaves: Int) -> Float {
    let terraced = smoothstep(760, 640, place.y)
    let steps = terraced > 0 ? terrace(place).height : 0
    guard terraced < 1 else { return steps }
    let ridge = relief.ridged(place / 1900 + Ground(0.2, 0.9), octaves: octaves)
    let wild = slope(place, octaves: 3) * 0.4 + 34 + ridge * 330 * smoothstep(700, 3500, place.y)
    return mix(wild, steps, terraced)
  }

  @inline(__always)
  private func wooded(_ place: Ground) -> Float {
    let patch = plants.fbm(place / 75 + Ground(1, 8), octaves: 3)
    return smoothstep(0.24, 0.34, patch) * 0.95 + smoothstep(650, 760, place.y)
  }

  func surface(at place: Ground) -> Float {
    let ground = height(at: place, octaves: 6)
    return ground + trees.canopy(at: place, density: wooded).height
  }

  func sky(_ ray: Ray) -> Light { heavens(ray.direction) }

  private func heavens(_ along: Space) -> Light {
    let veil = clouds.seen(along: along, sun: sun)
    let lit = mix(Light(hex: 0xB4B6C4), Light(1.35, 1.12, 0.88), veil.light)
    let warm = powf(max(0, dot(along, sun)), 6)
    return mix(heaven[along.z], lit, veil.thickness * 0.8) + Light(1.0, 0.6, 0.22) * warm
  }

  func ground(at point: Space, depth: Float, _ ray: Ray) -> Light {
    let place = Ground(point.x, point.y)
    let width = max(0.12, footprint(depth) * 1.3)
    // A little further in than the crown's side, which stands upright.
    let inside = place * (1 + 0.4 / max(1, depth))
    let (canopy, slope) = trees.crowns(at: inside, width: width, density: wooded)
    var normal = normal(at: place, width: width, octaves: 8)
    let lit: Float
    var color: Light
    if canopy.height > 0.3 {
      let rough = plants.fbm(Woods.foliage(point) / 1.3, octaves: 4) * smoothstep(1.5, 0.2, width)
      normal = normalized(
        Space(slope.x * 0.8 + rough * 1.6, slope.y * 0.8 + rough, 1.1))
      // Far trees melt into the wood.
      let melted = smoothstep(0.7, 3, width)
      normal = normalized(mix(normal, Space(0, -0.2, 1), melted * 0.8))
      color =
        mix(Light(hex: 0x1F4A1E), Light(hex: 0x4F7A2A), canopy.tree) * max(0.3, 1 + rough * 1.1)
      color *= mix(0.35 + 0.65 * unit(canopy.height / 7), 0.7, melted)
      lit = unit(dot(normal, sun) * 0.85 + 0.15)
    } else {
      let terrace = terrace(place)
      let kind =
        plants.random(Int32(terrace.number), 3) * 0.75
        + plants.random(
          Int32((place.x / 55 + place.y / 90 + terrace.number * 0.37).rounded(.down)), 9) * 0.4
      let flat =
        (place.y < 700 ? 1 : 0) * smoothstep(0.86, 0.80, terrace.part)
        * smoothstep(0.05, 0.12, terrace.part)
      let rows = plants.fbm(Ground(terrace.part * 30, place.x / 3), octaves: 2)
      let young = Self.fields[unit(kind + rows * 0.12)]
      let grass = mix(
        Light(hex: 0x3F7F22), Light(hex: 0x6E9A34), unit(plants.fbm(place / 4, octaves: 3) + 0.5))
      let flooded = (kind > 0.74 ? 1 : 0) * flat
      color = mix(grass, young, flat)
      lit =
        unit(dot(normal, sun) * 0.8 + 0.2)
        * shadows.sunlight(at: point + Space(0, 0, 0.3), toward: sun, reach: 500, steps: 12)
      if flooded > 0 {
        let ripple = plants.fbm(place / 2.2, octaves: 2) * 0.02
        let bounced = normalized(
          Space(ray.direction.x + ripple, ray.direction.y, abs(ray.direction.z) + ripple))
        let shoots = smoothstep(0.15, 0.4, plants.fbm(place * 1.3, octaves: 2)) * 0.4
        let mirrored = mix(
          heavens(bounced) * 0.9, young * 0.6, shoots * smoothstep(0.9, 0.2, width))
        color = mix(color, mirrored / 1.6, flooded)
        let flatLight = mix(color * litLight(lit, normal), mirrored, flooded)
        return veiled(flatLight, point, depth, ray)
      }
    }
    return veiled(color * litLight(lit, normal), point, depth, ray)
  }

  private func litLight(_ lit: Float, _ normal: Space) -> Light {
    Light(2.2, 1.75, 1.05) * lit + Light(0.32, 0.40, 0.46) * (0.5 + 0.5 * normal.z)
  }

  private func veiled(_ light: Light, _ point: Space, _ depth: Float, _ ray: Ray) -> Light {
    haze.veiled(
      light, eye: camera.eye, point: point.z, distance: max(0, depth * ray.stretch - 120),
      towardSun: dot(ray.direction, sun))
  }
}
