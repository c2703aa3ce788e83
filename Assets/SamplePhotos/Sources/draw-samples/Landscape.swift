import Glibc

/// Ground that can be walked, lit and photographed.
protocol Landscape {
  var camera: Camera { get }
  /// The direction to the sun (or moon), one long.
  var sun: Space { get }

  /// The height at a place; `octaves` is how fine it has to be, 0 for the coarsest.
  func height(at place: Ground, octaves: Int) -> Float
  /// The light of the sky along a ray.
  func sky(_ ray: Ray) -> Light
  /// The light of the ground where a ray meets it.
  func ground(at point: Space, depth: Float, _ ray: Ray) -> Light
}

extension Landscape {
  /// The photo: every pixel its own ray, and four where near and far meet in one.
  func photographed(_ map: DepthMap) -> Canvas {
    var canvas = Canvas(width: camera.width, height: camera.height)
    canvas.fill { x, y in
      let depths = map.inside(x, y)
      let near = depths.min()
      let far = depths.max()
      if far < near * 1.03 + 0.5 || near == .infinity {
        let depth = near == .infinity ? near : depths.sum() / 4
        return light(camera.ray(Float(x) + 0.5, Float(y) + 0.5), depth: depth)
      }
      var sum = Light.zero
      for corner in 0..<4 {
        let ray = camera.ray(
          Float(x) + (corner & 1 == 0 ? 0.25 : 0.75), Float(y) + (corner & 2 == 0 ? 0.25 : 0.75))
        // A glint in one corner would outshine the other three.
        let light = light(ray, depth: depths[corner])
        sum += light.clamped(lowerBound: .zero, upperBound: Light(repeating: 4))
      }
      return sum / 4
    }
    return canvas
  }

  /// The light along a ray that meets the ground at a depth, or the sky at infinity.
  @inline(__always)
  func light(_ ray: Ray, depth: Float) -> Light {
    guard depth < .infinity else { return sky(ray) }
    let place = camera.place + Ground(ray.slope.x, ray.slope.y) * depth
    let point = Space(place.x, place.y, camera.eye + ray.slope.z * depth)
    return ground(at: point, depth: depth, ray)
  }

  /// The width of a pixel on the ground at a depth, in metres.
  @inline(__always)
  func footprint(_ depth: Float) -> Float { depth / camera.focalLength }

  /// The ground's normal, taken over a width of `width` metres.
  @inline(__always)
  func normal(at place: Ground, width: Float, octaves: Int) -> Space {
    let here = height(at: place, octaves: octaves)
    let right = height(at: place + Ground(width, 0), octaves: octaves)
    let away = height(at: place + Ground(0, width), octaves: octaves)
    return normalized(Space(here - right, here - away, width))
  }
}

/// Air that veils what is far: thin everywhere, thicker towards the ground.
struct Haze {
  /// How much is veiled in one metre at height 0.
  var density: Float
  /// The height in metres in which the density falls to a third.
  var depth: Float
  /// The veil's light away from the sun.
  var light: Light
  /// The veil's light towards the sun.
  var sunward: Light
  /// How narrow the sunward light is.
  var focus: Float = 6

  /// The light that reaches the eye from a point through the air.
  @inline(__always)
  func veiled(
    _ seen: Light, eye: Float, point: Float, distance: Float, towardSun: Float
  ) -> Light {
    let low = expf(-max(eye, -depth) / depth)
    let high = expf(-max(point, -depth) / depth)
    let drop = (point - eye) / depth
    // The mean density along the way; where the way is level both ends are the same.
    let mean = abs(drop) > 1e-3 ? (low - high) / drop : low
    let share = 1 - expf(-density * distance * max(0, mean))
    let warm = powf(max(0, towardSun), focus)
    return mix(seen, mix(light, sunward, warm), share)
  }
}
