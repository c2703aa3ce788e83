import Glibc

/// The sun or moon in the sky.
struct Sun {
  /// The direction to it, one long.
  var direction: Space
  /// The light of its glow.
  var light: Light

  /// The glow around it along a direction: a bright core, a halo and a wide shine.
  @inline(__always)
  func glow(_ along: Space, core: Float = 3000, halo: Float = 200, shine: Float = 10) -> Light {
    let near = max(0, dot(along, direction))
    return light * (powf(near, core) * 5 + powf(near, halo) * 0.6 + powf(near, shine) * 0.22)
  }

  /// Its disc, 1 inside and 0 outside; `radius` is an angle in radians.
  @inline(__always)
  func disc(_ along: Space, radius: Float, edge: Float = 0.03) -> Float {
    let offset = length(along - direction)
    return 1 - smoothstep(radius * (1 - edge), radius * (1 + edge), offset)
  }
}

/// A sheet of clouds at one height.
struct Clouds {
  var noise: Noise
  /// The size of a cloud, as a part of its height above the eye.
  var size: Float
  /// How much of the sky is covered, -1 to 1.
  var cover: Float
  /// How soft the edges are.
  var softness: Float = 0.45
  /// How stretched clouds are from left to right.
  var stretch: Float = 1
  var octaves: Int = 6

  /// How thick the clouds are along a direction, 0 to 1, and how much light reaches them.
  @inline(__always)
  func seen(along direction: Space, sun: Space) -> (thickness: Float, light: Float) {
    let rise = max(direction.z + 0.04, 0.012)
    let place = Ground(direction.x / stretch, direction.y) / (rise * size)
    let density = thickness(place)
    guard density > 0 else { return (0, 1) }
    let towardSun = Ground(sun.x, sun.y) * 0.35
    let shade = thickness(place + towardSun)
    // Far clouds lose their edges in the air.
    let fade = smoothstep(0, 0.1, direction.z)
    return (density * fade, unit(0.5 + (density - shade) * 0.9 + 0.5 * (1 - density)))
  }

  @inline(__always)
  private func thickness(_ place: Ground) -> Float {
    let warp = Ground(
      noise.fbm(place * 0.5 + Ground(3.1, 7.7), octaves: 2),
      noise.fbm(place * 0.5 + Ground(9.4, 1.2), octaves: 2))
    let density = noise.fbm(place + warp * 0.8, octaves: octaves)
    return smoothstep(-cover, -cover + softness * 2, density)
  }
}

/// Stars: small points of light, more faint ones than bright ones.
struct Stars {
  var noise: Noise
  /// The share of cells with a star, 0 to 1.
  var amount: Float

  /// The light at a point of the picture, with `cell` pixels to a star's cell and stars about
  /// `radius` pixels wide.
  @inline(__always)
  func light(_ x: Float, _ y: Float, cell: Float, radius: Float) -> Light {
    let column = Int32((x / cell).rounded(.down))
    let row = Int32((y / cell).rounded(.down))
    let chance = noise.random(column, row)
    guard chance < amount else { return .zero }
    let size = noise.random(column &+ 5000, row)
    let inset = min(0.5, radius * 2 / cell)
    let place = SIMD2(
      (Float(column) + mix(inset, 1 - inset, noise.random(column, row &+ 9000))) * cell,
      (Float(row) + mix(inset, 1 - inset, noise.random(column &+ 3000, row &+ 700))) * cell)
    let offset = SIMD2(x, y) - place
    let bright = 0.06 + powf(size, 9) * 2.2
    let wide = radius * (0.75 + powf(size, 12) * 1.2)
    let warmth = noise.random(column &+ 123, row &+ 456)
    let tint = mix(Light(0.7, 0.82, 1.0), Light(1.0, 0.86, 0.68), warmth * warmth)
    return tint * bright * expf(-dot(offset, offset) / (wide * wide))
  }
}
