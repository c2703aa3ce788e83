import Glibc

/// A lagoon at noon, seen from under a palm.
func palmBeach(width: Int, height: Int) -> Canvas {
  let scene = PalmBeach(width: width, height: height)
  let map = DepthMap(scene.camera, .init(near: 3, far: 30_000, step: 0.004)) {
    scene.surface(at: $0)
  }
  var canvas = scene.photographed(map)
  scene.drawPalms(on: &canvas)
  canvas.bloom(above: 1.3, radius: 0.03, strength: 0.15)
  return canvas
}

private struct PalmBeach: Landscape {
  let camera: Camera
  let sun: Space
  private let waves = Noise(131)
  private let relief = Noise(132)
  private let jungle = Woods(
    noise: Noise(133), crown: .round, spacing: 8, reach: 0.75, height: 11)
  private let clouds = Noise(134)
  private let heaven = Gradient([
    (0.0, Light(hex: 0xCBE9F2)), (0.1, Light(hex: 0x8FD0EC)), (0.3, Light(hex: 0x3F9EE0)),
    (0.8, Light(hex: 0x1560B8)),
  ])
  private let water = Gradient([
    (0, Light(hex: 0xB9EBDD)), (3, Light(hex: 0x6FDDD2)), (14, Light(hex: 0x25BFC6)),
    (60, Light(hex: 0x0A93B8)), (200, Light(hex: 0x0A5C9C)), (900, Light(hex: 0x0B3F82)),
  ])

  init(width: Int, height: Int) {
    camera = Camera(width: width, height: height, eye: 3.4, focalLength: 0.85, horizon: 0.52)
    sun = normalized(Space(-0.35, -0.40, 0.85))
  }

  /// Metres out to sea; negative on the beach.
  @inline(__always)
  private func offshore(_ place: Ground) -> Float {
    let beyond = max(0, place.y - 150)
    let bay = 1.5 + 40 * smoothstep(4, 150, place.y) - 0.00042 * beyond * beyond
    let shore = bay - place.x + waves.fbm(place / 30, octaves: 2) * 2.2
    // The headland ends, and far out lies an island.
    let headland = max(shore, (place.y - 1150) * 0.7 + waves.fbm(place / 190, octaves: 3) * 130)
    let island =
      length((place - Ground(-1330, 3300)) / Ground(1.5, 0.8)) - 330 + waves.fbm(
        place / 260, octaves: 3) * 120
    return min(headland, island)
  }

  func height(at place: Ground, octaves: Int) -> Float {
    let inland = -offshore(place)
    guard inland > 0 else { return 0 }
    let dunes = relief.fbm(place / 6, octaves: min(octaves, 4)) * 0.12 * min(1, inland / 3)
    let hill =
      smoothstep(26, 260, inland)
      * (46 + 80 * (relief.fbm(place / 240 + Ground(3, 1), octaves: octaves) + 0.3))
    return min(inland * 0.07, 1.8) + dunes + hill * smoothstep(40, 240, place.y)
  }

  @inline(__always)
  private func wooded(_ place: Ground) -> Float {
    smoothstep(19, 27, -offshore(place) + relief.fbm(place / 18, octaves: 2) * 5)
      * smoothstep(20, 70, place.y)
  }

  func surface(at place: Ground) -> Float {
    height(at: place, octaves: 5) + jungle.canopy(at: place, density: wooded).height
  }

  func sky(_ ray: Ray) -> Light { heavens(ray.direction) }

  /// Fair-weather cumulus: flat below, heaped above, whiter towards the sun.
  private func heavens(_ along: Space) -> Light {
    let light = heaven[along.z]
    guard along.z > 0.005 else { return light }
    let turn = along.x / max(0.2, along.y)
    let p = Ground(turn * 3.1, along.z * 5.4)
    let heap = clouds.fbm(p + Ground(1.4, 3.1), octaves: 7, gain: 0.52)
    let cells = clouds.fbm(Ground(turn * 2.2 + 0.7, 4.2), octaves: 3)
    let low = 0.045 + 0.03 * cells
    let body = heap + cells * 1.1 - smoothstep(low + 0.04, low + 0.34, along.z) * 0.85 + 0.20
    let base = smoothstep(low - 0.02, low + 0.015, along.z)
    let thick = smoothstep(0.02, 0.26, body) * base
    let above = clouds.fbm(p + Ground(1.4 - 0.10, 3.1 + 0.22), octaves: 5, gain: 0.52)
    let lit = unit(0.60 + (heap - above) * 0.9 + (along.z - low) * 1.3)
    let wisps =
      smoothstep(0.1, 0.7, clouds.fbm(Ground(turn * 1.2, along.z * 7) + Ground(9, 2), octaves: 5))
      * smoothstep(0.18, 0.4, along.z)
    let cloud = mix(Light(hex: 0x9DB4CC), Light(1.35, 1.33, 1.28), lit)
    return mix(mix(light, Light(1.1, 1.12, 1.15), wisps * 0.4), cloud, thick * 0.97)
  }

  func ground(at point: Space, depth: Float, _ ray: Ray) -> Light {
    let place = Ground(point.x, point.y)
    let sea = offshore(place)
    let light = sea > 0 ? lagoon(place, sea, depth, ray) : shore(point, -sea, depth)
    return mix(
      light, Light(hex: 0xBFE2EE), 1 - expf(-depth * ray.stretch * (sea > 0 ? 0.00012 : 0.0004)))
  }

  private func lagoon(_ place: Ground, _ sea: Float, _ depth: Float, _ ray: Ray) -> Light {
    let width = footprint(depth) * (1 + depth / 40)
    let fine = smoothstep(3, 0.2, width)
    let patch = waves.fbm(place / Ground(34, 20), octaves: 4)
    var light = water[max(0, sea * (1 + patch * 0.9) + patch * 6)]
    // Dark reefs under the clear water, and the net of light on the sand.
    let reef =
      smoothstep(0.18, 0.42, waves.fbm(place / Ground(60, 26) + Ground(4, 7), octaves: 4))
      * smoothstep(14, 40, sea)
    light = mix(light, Light(hex: 0x0D6E86), reef * 0.6)
    let net = waves.ridged(place / 1.9 + Ground(2, 2), octaves: 2)
    light *= 1 + (net - 0.42) * 0.9 * smoothstep(24, 2, sea) * fine
    let slope = Ground(
      waves.fbm(place / Ground(3.2, 1.4), octaves: 3),
      waves.fbm(place / Ground(3.2, 1.4) + 20, octaves: 3))
    let tilt = 0.07 * fine + 0.012
    let normal = normalized(Space(slope.x * tilt, slope.y * tilt, 1))
    var bounced = ray.direction - normal * (2 * dot(normal, ray.direction))
    bounced.z = abs(bounced.z) + 0.01
    let facing = max(0, -dot(normal, ray.direction))
    let fresnel = 0.02 + 0.75 * powf(1 - facing, 5)
    light = mix(light * 1.0, heavens(normalized(bounced)), min(0.55, fresnel))
    let swash = 1.1 + waves.fbm(Ground(place.y / 7, 1), octaves: 3) * 1.6
    let lace = waves.ridged(place / 0.9, octaves: 3)
    let edge = bump(sea, center: swash, width: 0.55) + smoothstep(swash, 0, sea) * 0.35
    let second =
      bump(sea, center: 6.5 + swash, width: 0.5)
      * smoothstep(0, 0.4, waves.fbm(Ground(place.y / 16, 8), octaves: 2))
    let foam = unit(edge * (0.55 + lace * 0.7) + second * 0.8 * lace)
    return mix(light, Light(1.15, 1.17, 1.15), foam)
  }

  private func shore(_ point: Space, _ inland: Float, _ depth: Float) -> Light {
    let place = Ground(point.x, point.y)
    let width = max(0.03, footprint(depth) * 1.3)
    // A little further in than the crown's side, which stands upright.
    let inside = place * (1 + 0.4 / max(1, depth))
    let (canopy, slope) = jungle.crowns(at: inside, width: width, density: wooded)
    if canopy.height > 0.3 || inland > 40 {
      let rough = waves.fbm(Woods.foliage(point) / 1.6, octaves: 4) * smoothstep(2.5, 0.3, width)
      let normal = normalized(
        Space(
          slope.x * 0.7 + rough * 1.5, slope.y * 0.7 + rough, 1.1
        ))
      let color = mix(
        Light(hex: 0x1D5A28), Light(hex: 0x6FA033), unit(canopy.tree * 0.7 + rough * 0.5 + 0.1))
      let lit = unit(dot(normal, sun) * 0.8 + 0.2) * (0.3 + 0.7 * unit(canopy.height / 9))
      return color * (Light(2.1, 2.0, 1.7) * lit + Light(0.20, 0.28, 0.34))
    }
    let normal = normal(at: place, width: width, octaves: 6)
    let grain = relief.fbm(place / 1.4, octaves: 5)
    let wet = smoothstep(3.2, 0.2, inland + grain)
    var color = mix(Light(hex: 0xF3E3C3), Light(hex: 0xE5CFA6), unit(grain + 0.4))
    color = mix(color, Light(hex: 0xB79D74), wet * 0.8)
    // The palm overhead throws its shade on the sand.
    let shade =
      smoothstep(0.05, 0.35, relief.fbm(place / Ground(1.6, 0.7) + Ground(5, 5), octaves: 3) + 0.22)
      * bump(place.x, center: 5.8, width: 3.0) * bump(place.y, center: 9.0, width: 2.6)
    let lit = max(0, dot(normal, sun)) * (1 - shade * 0.9)
    return color * (Light(1.35, 1.28, 1.12) * lit + Light(0.26, 0.34, 0.44))
  }

  /// A leaning palm at the right and two smaller ones further along the beach.
  func drawPalms(on canvas: inout Canvas) {
    let size = Float(canvas.width)
    let tall = Float(canvas.height)
    func at(_ x: Float, _ y: Float) -> SIMD2<Float> { SIMD2(x * size, y * tall) }
    Palm(foot: at(0.835, 0.64), crown: at(0.765, 0.37), size: size * 0.11, seed: 2).draw(
      on: &canvas)
    Palm(foot: at(0.90, 0.70), crown: at(0.905, 0.30), size: size * 0.13, seed: 5).draw(on: &canvas)
    Palm(foot: at(1.04, 0.93), crown: at(0.70, 0.155), size: size * 0.24, seed: 9).draw(on: &canvas)
  }
}
