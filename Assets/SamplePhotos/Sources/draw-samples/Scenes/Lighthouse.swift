import Glibc

/// A lighthouse on its rock in a heavy sea, the lamp just lit.
func lighthouse(width: Int, height: Int) -> Canvas {
  let scene = Lighthouse(width: width, height: height)
  let map = DepthMap(
    scene.camera, .init(near: 8, far: 12_000, step: 0.003, careful: 0.5, carefulUntil: 320)
  ) { scene.height(at: $0, octaves: 4) }
  var canvas = scene.photographed(map)
  scene.drawTower(on: &canvas)
  scene.drawSpray(on: &canvas)
  canvas.bloom(above: 0.95, radius: 0.035, strength: 0.5)
  return canvas
}

private struct Lighthouse: Landscape {
  let camera: Camera
  let sun: Space
  private let swell = Noise(91)
  private let stone = Noise(92)
  private let clouds = Noise(93)
  private let heaven = Gradient([
    (0.0, Light(hex: 0xE9C79A)), (0.05, Light(hex: 0xC9BCA8)), (0.13, Light(hex: 0x8A9CA6)),
    (0.3, Light(hex: 0x566F80)), (0.8, Light(hex: 0x33475A)),
  ])
  private static let rock = Ground(34, 205)
  private static let rockTop: Float = 17

  init(width: Int, height: Int) {
    camera = Camera(width: width, height: height, eye: 11, focalLength: 1.25, horizon: 0.63)
    sun = normalized(Space(-0.75, 0.55, 0.28))
  }

  /// One train of waves with sharp crests.
  @inline(__always)
  private func waves(_ place: Ground, choppy: Float) -> Float {
    let bend = Ground(swell(place), swell(place + Ground(17, 5)))
    let p = place + bend
    let crest = Ground(1 - abs(sinf(p.x)), 1 - abs(sinf(p.y)))
    return powf(max(0, 1 - (1 - crest.x) * (1 - crest.y * 0.9)), choppy)
  }

  @inline(__always)
  private func sea(_ place: Ground, octaves: Int) -> Float {
    var p = Ground(place.x * 0.75 + place.y * 0.22, place.y - place.x * 0.12) / 19
    var strength: Float = 2.3
    var choppy: Float = 3.6
    var sum: Float = 0
    for _ in 0..<octaves {
      sum +=
        (waves(p, choppy: choppy) + waves(p * 1.05 + Ground(5.2, 1.3), choppy: choppy)) * 0.5
        * strength
      p = Ground(1.6 * p.x + 1.2 * p.y, -1.2 * p.x + 1.6 * p.y)
      strength *= 0.27
      choppy = mix(choppy, 1, 0.2)
    }
    return sum + 0.9 * swell(place / Ground(70, 34))
  }

  @inline(__always)
  private func island(_ place: Ground) -> Float {
    let offset = (place - Self.rock) / Ground(1.35, 1)
    let away = length(offset) + stone.fbm(place / 14, octaves: 3) * 9
    let cliff = smoothstep(44, 9, away)
    let crags = stone.ridged(place / 13, octaves: 5) * 7 * smoothstep(5, 16, away)
    let second = length(place - Ground(-48, 250)) + stone.fbm(place / 9, octaves: 3) * 7
    let skerry =
      smoothstep(17, 0, second) * 9 + smoothstep(20, 4, second)
      * stone.ridged(place / 7, octaves: 4) * 3
    return max(cliff * (Self.rockTop - 3 + crags * 0.55) - 1.5, skerry - 1.5)
  }

  func height(at place: Ground, octaves: Int) -> Float {
    let water = sea(place, octaves: octaves)
    guard abs(place.x) < 110, place.y > 130, place.y < 300 else { return water }
    return max(water, island(place))
  }

  func sky(_ ray: Ray) -> Light { heavens(ray.direction) }

  private func heavens(_ along: Space) -> Light {
    var light = heaven[along.z]
    let rise = max(0.05, along.z + 0.06)
    let place = Ground(along.x, along.y) / rise * 0.42 + Ground(2.2, 0.7)
    let warp = Ground(clouds.fbm(place * 0.7, octaves: 3), clouds.fbm(place * 0.7 + 9, octaves: 3))
    let body = clouds.fbm(place * 1.5 + warp * 0.55, octaves: 8, gain: 0.54)
    let shaded = clouds.fbm(place * 1.5 + warp * 0.55 + Ground(-0.20, 0.12), octaves: 6, gain: 0.54)
    let thick = smoothstep(-0.32, 0.30, body)
    let lit = unit(0.42 + (body - shaded) * 1.5)
    let dark = mix(Light(hex: 0x1C2A38), Light(hex: 0x9FB0B8), lit * lit)
    light = mix(light, dark, thick * smoothstep(0.015, 0.14, along.z) * 0.95)
    let warm = powf(max(0, dot(along, sun)), 7)
    return light + Light(0.55, 0.36, 0.16) * warm * (1 - thick * 0.6)
  }

  func ground(at point: Space, depth: Float, _ ray: Ray) -> Light {
    let place = Ground(point.x, point.y)
    let inIsland = abs(place.x) < 110 && place.y > 130 && place.y < 300
    let land = inIsland ? island(place) : -10
    let wave = sea(place, octaves: 5)
    let light = land > wave ? rocks(point, depth, wave) : water(point, depth, ray, wave - land)
    let share = 1 - expf(-depth * 0.00055)
    return mix(light, heaven[0.04] * Light(0.72, 0.80, 0.86), share)
  }

  private func rocks(_ point: Space, _ depth: Float, _ wave: Float) -> Light {
    let place = Ground(point.x, point.y)
    let normal = normal(at: place, width: max(0.15, footprint(depth)), octaves: 3)
    let grain = stone.fbm(Ground(place.x, point.z * 1.6) / 1.7, octaves: 4)
    var color = mix(Light(hex: 0x4B4540), Light(hex: 0x2B2A2C), unit(grain + 0.5))
    let moss = smoothstep(0.72, 0.95, normal.z) * smoothstep(9, 13, point.z)
    color = mix(color, Light(hex: 0x5E6B33), moss * 0.8)
    let wet = smoothstep(5, 1, point.z - wave + grain * 3)
    color *= 1 - wet * 0.55
    let foam = smoothstep(1.6, 0.1, point.z - wave + grain * 1.2)
    let light =
      color
      * (Light(1.3, 1.05, 0.78) * max(0, dot(normal, sun)) * 1.2 + Light(0.38, 0.46, 0.55)
        * (0.5 + 0.5 * normal.z))
    return mix(light, Light(0.75, 0.80, 0.82), foam * 0.85)
  }

  private func water(_ point: Space, _ depth: Float, _ ray: Ray, _ clearance: Float) -> Light {
    let place = Ground(point.x, point.y)
    let width = max(0.05, footprint(depth) * 1.5)
    var normal = normal(at: place, width: width, octaves: depth < 400 ? 6 : 4)
    // Far waves are smaller than a pixel and only roughen the surface.
    normal = normalized(mix(normal, Space(0, 0, 1), smoothstep(300, 4000, depth) * 0.8))
    let facing = max(0, -dot(normal, ray.direction))
    let fresnel = 0.03 + 0.85 * powf(1 - facing, 4)
    var bounced = ray.direction - normal * (2 * dot(normal, ray.direction))
    bounced.z = abs(bounced.z) + 0.10
    let mirrored = heavens(normalized(bounced))
    let crest = smoothstep(1.2, 4.4, point.z)
    let body = mix(
      Light(hex: 0x0A2A33), Light(hex: 0x2E8A84), crest * 0.85 + 0.15 * unit(normal.y * -0.5 + 0.2))
    var light = mix(body, mirrored, fresnel)
    let glint = powf(max(0, dot(normalized(bounced), sun)), 40)
    light += Light(1.0, 0.75, 0.45) * glint * 0.5
    let lace = swell.ridged(place / Ground(5.5, 3.4), octaves: 4)
    let breaking = smoothstep(2.7, 4.6, point.z + lace * 1.1)
    let streaks =
      smoothstep(0.62, 0.88, swell.ridged(place / Ground(13, 6) + Ground(3, 8), octaves: 4)) * 0.35
    let surf = smoothstep(4.5, 0.3, clearance + lace * 1.5)
    let foam = unit(
      breaking * (0.35 + lace) + streaks * smoothstep(600, 60, depth) + surf * (0.4 + 0.7 * lace))
    return mix(light, Light(0.74, 0.80, 0.82) * (0.6 + 0.4 * normal.z), foam)
  }

  /// The tower on its rock.
  func drawTower(on canvas: inout Canvas) {
    let place = Space(Self.rock.x, Self.rock.y - 6, Self.rockTop - 4.5)
    guard let foot = camera.pixel(of: place) else { return }
    LighthouseTower(foot: foot, size: camera.focalLength / 200).draw(on: &canvas)
  }

  /// Spray thrown up where the sea breaks on the rock.
  func drawSpray(on canvas: inout Canvas) {
    for (x, wide, tall, seed) in [
      (Float(-4), Float(11), Float(15), Float(1)), (12, 8, 8, 4), (62, 9, 11, 7),
    ] {
      guard let foot = camera.pixel(of: Space(x, 172, 0)) else { continue }
      let size = camera.focalLength / 172
      canvas.paint(
        .init(
          left: foot.x - wide * 1.6 * size, top: foot.y - tall * 1.5 * size,
          right: foot.x + wide * 1.6 * size, bottom: foot.y + 3 * size)
      ) { px, py in
        let side = (px - foot.x) / (wide * size)
        let up = (foot.y - py) / (tall * size)
        let plume = clouds.fbm(SIMD2(side * 2.6 + seed, up * 2.1 + seed), octaves: 6)
        let shape =
          (1 - abs(side) * (0.75 + up * 0.35)) * smoothstep(1.35, 0.05, up + abs(side) * 0.5)
          * smoothstep(-0.18, 0.06, up)
        let thick = smoothstep(0.18, 0.85, shape + plume * 0.75) * smoothstep(0, 0.12, shape)
        return (
          mix(Light(0.50, 0.58, 0.62), Light(0.92, 0.90, 0.84), unit(0.5 - side * 0.4 + plume)),
          thick * 0.9
        )
      }
    }
  }
}
