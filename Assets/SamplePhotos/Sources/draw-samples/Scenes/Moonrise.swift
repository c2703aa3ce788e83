import Glibc

/// The full moon over a quiet sea, with one sail.
func moonrise(width: Int, height: Int) -> Canvas {
  let scene = Moonrise(width: width, height: height)
  var canvas = Canvas(width: width, height: height)
  canvas.fill { x, y in
    let ray = scene.camera.ray(Float(x) + 0.5, Float(y) + 0.5)
    return ray.slope.z > 0 ? scene.sky(ray.direction) : scene.sea(ray)
  }
  scene.drawSail(on: &canvas)
  canvas.bloom(above: 0.75, radius: 0.03, strength: 0.4)
  return canvas
}

private struct Moonrise {
  let camera: Camera
  private let moon: Sun
  private let waves = Noise(101)
  private let face = Noise(102)
  private let clouds = Clouds(
    noise: Noise(103), size: 1.3, cover: 0.16, softness: 0.4, stretch: 3.2)
  private let stars = Stars(noise: Noise(104), amount: 0.12)
  private let heaven = Gradient([
    (0.0, Light(hex: 0xC79AA8)), (0.06, Light(hex: 0x9C86B4)), (0.2, Light(hex: 0x4F62A6)),
    (0.5, Light(hex: 0x1F3A7E)), (1.0, Light(hex: 0x0C1B4C)),
  ])
  private static let radius: Float = 0.15

  init(width: Int, height: Int) {
    camera = Camera(width: width, height: height, eye: 5, focalLength: 1.35, horizon: 0.70)
    let direction = camera.direction(0.54, 0.46)
    moon = Sun(direction: direction, light: Light(1.0, 0.80, 0.52))
  }

  func sky(_ along: Space) -> Light {
    // On the picture's plane, where the lens leaves the disc round.
    let offset =
      (Ground(along.x, along.z) / along.y
        - Ground(moon.direction.x, moon.direction.z) / moon.direction.y) / Self.radius
    let scale = Float(camera.width) / 1080
    var light = heaven[along.z]
    let inside = along.y > 0 ? smoothstep(1.006, 0.994, length(offset)) : 0
    if inside < 1 {
      let x = along.x / along.y * camera.focalLength
      let y = along.z / along.y * camera.focalLength
      let star = stars.light(x + 5000 * scale, y, cell: 26 * scale, radius: max(0.7, scale))
      light += star * smoothstep(0.25, 0.7, along.z) * 0.8
    }
    light +=
      moon.light
      * (powf(max(0, dot(along, moon.direction)), 26) * 0.30
        + powf(max(0, dot(along, moon.direction)), 150) * 0.22)
    if inside > 0 {
      light = mix(light, disc(offset), inside)
    }
    let veil = clouds.seen(along: along, sun: moon.direction)
    let near = powf(max(0, dot(along, moon.direction)), 14)
    let lit = mix(Light(hex: 0x3E4C86), Light(1.15, 0.85, 0.62), near * (0.35 + 0.65 * veil.light))
    return mix(light, lit, veil.thickness * (0.75 - 0.35 * inside))
  }

  /// The moon's face at a place on its disc, -1...1 both ways.
  private func disc(_ place: Ground) -> Light {
    let rim = min(1, dot(place, place))
    // Towards the rim the sphere turns away and its seas crowd together.
    let p = place * (1 + rim * 0.25)
    let seas = smoothstep(
      0.02, 0.42, face.fbm(p * 1.35 + Ground(2.6, 1.1), octaves: 6) + (0.10 - p.x * 0.16))
    let fine = face.fbm(p * 7, octaves: 4)
    var bright = 0.92 - seas * 0.50 + fine * 0.10
    // Two young craters with their rays.
    for (centre, size) in [(Ground(0.10, -0.70), Float(0.06)), (Ground(-0.36, 0.06), 0.045)] {
      let offset = p - centre
      let away = length(offset)
      let turn = atan2f(offset.y, offset.x)
      let rays = max(0, face(Ground(turn * 3.2, size * 90))) * expf(-away * 3.2)
      bright += rays * 0.28 + bump(away, center: size, width: size * 0.35) * 0.14
    }
    let light = mix(Light(1.0, 0.76, 0.46), Light(1.0, 0.90, 0.72), unit(place.y * 0.5 + 0.5))
    return light * bright * (1.02 - 0.22 * rim)
  }

  func sea(_ ray: Ray) -> Light {
    let depth = camera.eye / max(1e-4, -ray.slope.z)
    let place = Ground(ray.slope.x, ray.slope.y) * depth
    let width = depth / camera.focalLength * (depth / camera.eye).squareRoot()
    var slope = Ground(0, 0)
    for (size, steep) in [(Float(34), Float(0.040)), (9, 0.055), (2.6, 0.065), (0.8, 0.06)] {
      let seen = smoothstep(size * 0.9, size * 0.12, width)
      guard seen > 0 else { continue }
      let p = place / Ground(size * 1.7, size)
      slope +=
        Ground(
          waves.fbm(p + Ground(size, 3), octaves: 2) * 0.6,
          waves.fbm(p + Ground(7, size), octaves: 2))
        * (steep * seen * 1.6)
    }
    let normal = normalized(Space(-slope.x, -slope.y, 1))
    var bounced = ray.direction - normal * (2 * dot(normal, ray.direction))
    bounced.z = abs(bounced.z) + 0.004
    bounced = normalized(bounced)
    let facing = max(0, -dot(normal, ray.direction))
    let fresnel = 0.04 + 0.96 * powf(1 - facing, 5)
    var light = mix(Light(hex: 0x061A3C) * 0.8, heaven[bounced.z] * 0.85, fresnel)
    // Waves too small to see spread the moon's image into a path.
    let rough = 0.05 + 0.05 * smoothstep(0, 400, depth)
    let miss = Ground(bounced.x - moon.direction.x, (bounced.z - moon.direction.z) * 0.34)
    let path = expf(-dot(miss, miss) / (rough * rough) * 0.5)
    let glitter = smoothstep(
      -0.25, 0.55,
      waves.fbm(place / Ground(max(0.5, width * 5), max(0.35, width * 2.2)), octaves: 2))
    light += Light(1.9, 1.35, 0.78) * path * glitter * 0.75
    let haze = 1 - expf(-depth * 0.0006)
    return mix(
      light,
      heaven[0.01] * 0.85 + Light(0.9, 0.6, 0.4)
        * bump(ray.direction.x, center: moon.direction.x, width: 0.12) * 0.35, haze * 0.8)
  }

  /// A small sloop crossing the moon's path.
  func drawSail(on canvas: inout Canvas) {
    let size = Float(canvas.width) * 0.075
    let foot = SIMD2(Float(canvas.width) * 0.33, camera.horizon + size * 0.16)
    let dark = Light(0.016, 0.018, 0.040)
    canvas.paint(
      .init(
        left: foot.x - size, top: foot.y - size * 2.4, right: foot.x + size,
        bottom: foot.y + size * 1.8)
    ) { x, y in
      let side = (x - foot.x) / size
      let up = (foot.y - y) / size
      if up < 0 {
        let wobble = waves(SIMD2(side * 1.5, up * 16)) * 0.16
        let down = -up
        let hull = 0.52 - down * 0.1 - abs(side + wobble)
        let shade =
          smoothstep(0, 0.2, hull) * smoothstep(1.5, 0.1, down)
          * (0.55 + waves(SIMD2(3, down * 26)) * 0.5)
        return (dark, max(0, shade) * 0.75)
      }
      let hull = min(0.20 - up, up, 0.60 - abs(side - 0.02) - (0.20 - up) * 0.7)
      let main = min(
        side + 0.46 - max(0, up - 0.28) * 0.02, 0.04 - side, 2.1 - up - (-side + 0.04) * 3.7,
        up - 0.28)
      let jib = min(side - 0.09, 1.75 - up - (side - 0.09) * 2.9, up - 0.26)
      let mast = min(0.012 - abs(side - 0.06), 2.2 - up, up)
      let inside = max(max(hull, main), max(jib, mast))
      let light =
        main > 0 || jib > 0 ? mix(dark, Light(0.30, 0.23, 0.22), unit(side + 0.55) * 0.7) : dark
      return (light, unit(inside * size + 0.5))
    }
  }
}
