import Glibc

/// Rows of lavender at dusk, and one tree where they meet.
func lavender(width: Int, height: Int) -> Canvas {
  let scene = Lavender(width: width, height: height)
  let map = DepthMap(scene.camera, .init(near: 1.6, far: 20_000, step: 0.003)) {
    scene.height(at: $0, octaves: 6)
  }
  var canvas = scene.photographed(map)
  scene.drawTree(on: &canvas)
  canvas.bloom(above: 1.1, radius: 0.05, strength: 0.3)
  return canvas
}

private struct Lavender: Landscape {
  let camera: Camera
  let sun: Space
  private let disc: Sun
  private let relief = Noise(71)
  private let flowers = Noise(72)
  private let clouds = Clouds(
    noise: Noise(73), size: 1.3, cover: 0.12, softness: 0.35, stretch: 2.4)
  private let heaven = Gradient([
    (-0.02, Light(hex: 0xFFB56B)), (0.05, Light(hex: 0xFF9A72)), (0.13, Light(hex: 0xE87F92)),
    (0.27, Light(hex: 0x9C74B8)), (0.5, Light(hex: 0x4E5BA8)), (0.8, Light(hex: 0x2E4590)),
  ])
  private let haze = Haze(
    density: 0.00022, depth: 400, light: Light(hex: 0x8E7FC0), sunward: Light(hex: 0xFFA878))

  init(width: Int, height: Int) {
    camera = Camera(width: width, height: height, eye: 3.1, focalLength: 0.85, horizon: 0.45)
    sun = camera.direction(0.66, 0.415)
    disc = Sun(direction: sun, light: Light(1.0, 0.50, 0.20))
  }

  private static let spacing: Float = 1.75

  @inline(__always)
  private func row(_ place: Ground) -> Float {
    (place.x - 2 + 0.12 * sinf(place.y / 9)) / Self.spacing
  }

  /// How much of a bush stands at a place: 0 in the furrow, 1 in the middle of a row.
  @inline(__always)
  private func bush(_ place: Ground) -> Float {
    let row = row(place)
    let across = (row - row.rounded()) * 2
    let clump = flowers.fbm(Ground(row.rounded() * 17, place.y / 1.1), octaves: 2) * 0.22
    return max(0, 1 - powf(abs(across) / (0.74 + clump), 2.4))
  }

  func height(at place: Ground, octaves: Int) -> Float {
    let field = smoothstep(620, 540, place.y)
    let roll = relief.fbm(place / 170, octaves: 2) * 3.2 * smoothstep(20, 220, place.y)
    let hills = relief.ridged(place / Ground(5200, 3200) + Ground(0.4, 0.1), octaves: octaves)
    let far = smoothstep(1500, 7500, place.y)
    var height = roll + far * (60 + hills * 560)
    if place.y < 620 {
      let spikes = place.y < 60 ? flowers.fbm(place * 9, octaves: 2) * 0.16 : 0
      height += bush(place).squareRoot() * (0.72 + spikes) * field
    }
    return height
  }

  func sky(_ ray: Ray) -> Light {
    let along = ray.direction
    let veil = clouds.seen(along: along, sun: sun)
    let near = powf(max(0, dot(along, sun)), 5)
    let lit = mix(
      Light(hex: 0x7C6AA8), mix(Light(hex: 0xF58FA0), Light(1.9, 0.95, 0.45), near), veil.light)
    var light = mix(heaven[along.z], lit, veil.thickness * 0.85)
    light += disc.glow(along, core: 4000, halo: 260, shine: 9) * 1.1
    return light + disc.disc(along, radius: 0.016) * Light(14, 8, 3)
  }

  func ground(at point: Space, depth: Float, _ ray: Ray) -> Light {
    let place = Ground(point.x, point.y)
    let width = max(0.02, footprint(depth) * 1.4)
    let normal = normal(at: place, width: width, octaves: 7)
    let distance = depth * ray.stretch
    let field = smoothstep(620, 540, place.y)
    let bush = bush(place)
    let fine = smoothstep(0.5, 0.03, width)
    let speck = flowers.fbm(place * Ground(11, 7), octaves: 3) * fine
    let violet = mix(
      Light(hex: 0x5A2FA0), Light(hex: 0x9A6BE0), unit(0.45 + speck * 1.1 + (bush - 0.6) * 0.5))
    let stems = mix(Light(hex: 0x3E4A2A), violet, smoothstep(0.06, 0.42, bush + speck * 0.25))
    let soil = Light(hex: 0x6A4632) * (0.8 + 0.5 * speck)
    var color = mix(soil, stems, smoothstep(0.0, 0.08, bush))
    let meadow = mix(
      Light(hex: 0x5F6B34), Light(hex: 0x3C4A30), unit(relief.fbm(place / 300, octaves: 4) + 0.4))
    color = mix(meadow, color, field)
    let facing = unit(dot(normal, sun) * 0.8 + 0.2 * field * bush)
    let low = mix(1, 0.35 + 0.65 * bush, field)
    let towardSun = max(0, dot(ray.direction, sun))
    // Blossoms let the low sun through.
    let through = Light(1.5, 0.65, 0.75) * powf(towardSun, 6) * bush * field * 0.6
    var light =
      color * (Light(2.4, 1.35, 0.75) * facing * low + Light(0.46, 0.44, 0.66) * low + through)
    light = haze.veiled(
      light, eye: camera.eye, point: point.z, distance: distance, towardSun: towardSun)
    return light + disc.glow(ray.direction, core: 4000, halo: 200, shine: 9)
      * smoothstep(60, 3000, distance) * 0.8
  }

  /// The tree on the field's far edge, as clusters of leaves against the light.
  func drawTree(on canvas: inout Canvas) {
    let tall = Float(canvas.height) * 0.20
    let foot = SIMD2(Float(canvas.width) * 0.30, Float(canvas.height) * 0.468)
    let dark = Light(0.030, 0.022, 0.030)
    var dice = Dice(74)
    let crown = foot - SIMD2(0, tall * 0.62)
    canvas.stroke(from: foot, to: foot - SIMD2(0, tall * 0.5), radius: tall * 0.04, tall * 0.025) {
      _, _ in dark
    }
    for _ in 0..<9 {
      let end = crown + SIMD2(dice.next(-0.36...0.36), dice.next(-0.28...0.16)) * tall
      canvas.stroke(from: foot - SIMD2(0, tall * 0.24), to: end, radius: tall * 0.016, tall * 0.004)
      { _, _ in dark }
    }
    for _ in 0..<1500 {
      let turn = dice.next(0...6.2832)
      let out = dice.next(0...1).squareRoot()
      let lobes = 0.84 + 0.16 * sinf(turn * 5 + 1)
      let place = crown + SIMD2(cosf(turn) * 0.47, sinf(turn) * 0.37) * (tall * out * lobes)
      let lit = smoothstep(-0.2, 0.5, cosf(turn) * out) * dice.next(0.1...1)
      let leaf = mix(dark, Light(0.42, 0.20, 0.10), lit * 0.5)
      let size = tall * dice.next(0.008...0.024)
      canvas.stroke(
        from: place, to: place + SIMD2(dice.next(-1...1), dice.next(-0.6...0.6)) * size,
        radius: size * 0.8, size * 0.4, cover: 0.9
      ) { _, _ in leaf }
    }
  }
}
