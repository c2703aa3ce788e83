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
  private let spikes = Woods(
    noise: Noise(75), crown: .pointed, spacing: 0.13, reach: 0.7, height: 0.34)
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
    return max(0, 1 - powf(abs(across) / (0.72 + clump), 2.4))
  }

  func height(at place: Ground, octaves: Int) -> Float {
    let field = smoothstep(620, 540, place.y)
    let roll = relief.fbm(place / 170, octaves: 2) * 3.2 * smoothstep(20, 220, place.y)
    let hills = relief.ridged(place / Ground(5200, 3200) + Ground(0.4, 0.1), octaves: octaves)
    let far = smoothstep(1500, 7500, place.y)
    var height = roll + far * (60 + hills * 560)
    if place.y < 620 {
      let bush = bush(place)
      height += bush.squareRoot() * 0.62 * field * smoothstep(300, 90, place.y)
      if place.y < 45, bush > 0.05 {
        height +=
          spikes.canopy(at: place) { _ in 1 }.height * smoothstep(45, 20, place.y)
          * bush.squareRoot()
      }
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
    var normal = normal(at: place, width: width, octaves: 7)
    let distance = depth * ray.stretch
    let field = smoothstep(620, 540, place.y)
    // Where rows are narrower than a few pixels only their mean is seen.
    let merged = smoothstep(0.05, 0.15, width)
    let bush = mix(bush(place), 0.62, merged)
    let fine = smoothstep(0.5, 0.03, width)
    let speck = flowers.fbm(place * Ground(11, 7), octaves: 3) * fine
    let spike =
      place.y < 45 ? spikes.canopy(at: place) { _ in 1 } : Woods.Canopy(tree: 0.5, middle: 0.5)
    let near = smoothstep(45, 25, place.y)
    let bloom = mix(0.5 + speck * 0.9, 0.15 + 0.5 * spike.tree + 0.55 * spike.middle, near)
    let violet = mix(Light(hex: 0x4E2796), Light(hex: 0xA578E6), unit(bloom + (bush - 0.6) * 0.3))
    let stems = mix(Light(hex: 0x3E4A2A), violet, smoothstep(0.06, 0.42, bush + speck * 0.25))
    let soil = Light(hex: 0x6A4632) * (0.8 + 0.5 * speck)
    var color = mix(soil, stems, max(smoothstep(0.0, 0.08, bush), merged))
    color = mix(color, violet * 0.72, merged * 0.85 * field)
    normal = normalized(mix(normal, Space(0, 0, 1), merged * 0.8 * field))
    let meadow = mix(
      Light(hex: 0x5F6B34), Light(hex: 0x3C4A30), unit(relief.fbm(place / 300, octaves: 4) + 0.4))
    color = mix(meadow, color, field)
    let facing = unit(dot(normal, sun) * 0.8 + 0.2 * field * bush)
    let low = mix(
      1, mix(0.35 + 0.65 * bush, 0.75, merged) * mix(1, 0.55 + 0.75 * spike.middle, near), field)
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
    let tall = Float(canvas.height) * 0.22
    let foot = SIMD2(Float(canvas.width) * 0.30, Float(canvas.height) * 0.4615)
    let dark = Light(0.026, 0.018, 0.026)
    var dice = Dice(74)
    canvas.curve(
      [foot, foot + SIMD2(0.012, -0.16) * tall, foot + SIMD2(-0.004, -0.34) * tall],
      radius: tall * 0.040, tall * 0.022
    ) { _, _ in dark }
    // Boughs and the clusters of leaves they carry: a broad crown, fuller to the right.
    let clusters: [(place: SIMD2<Float>, size: Float)] = [
      (SIMD2(-0.30, -0.50), 0.17), (SIMD2(0.30, -0.48), 0.18), (SIMD2(-0.17, -0.68), 0.19),
      (SIMD2(0.17, -0.70), 0.20), (SIMD2(0, -0.55), 0.22), (SIMD2(0.01, -0.84), 0.16),
      (SIMD2(-0.40, -0.40), 0.10), (SIMD2(0.42, -0.40), 0.12), (SIMD2(0.13, -0.46), 0.16),
      (SIMD2(-0.13, -0.45), 0.15),
    ]
    for cluster in clusters {
      canvas.stroke(
        from: foot + SIMD2(0, -0.26) * tall, to: foot + cluster.place * tall,
        radius: tall * 0.017, tall * 0.005
      ) { _, _ in dark }
    }
    for cluster in clusters {
      for _ in 0..<420 {
        let turn = dice.next(0...6.2832)
        let out = SIMD2(cosf(turn), sinf(turn) * 0.8) * dice.next(0...1).squareRoot()
        let place = foot + (cluster.place + out * cluster.size) * tall
        let sunny = smoothstep(-0.1, 0.6, cluster.place.x + out.x * cluster.size * 2 - out.y * 0.12)
        let leaf = mix(dark, Light(0.50, 0.22, 0.10), sunny * dice.next(0...0.55))
        let size = tall * dice.next(0.006...0.014)
        canvas.stroke(
          from: place, to: place + SIMD2(dice.next(-1...1), dice.next(-0.6...0.6)) * size,
          radius: size * 0.8, size * 0.4, cover: 0.9
        ) { _, _ in leaf }
      }
    }
  }
}
