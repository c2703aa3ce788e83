import Glibc

/// Linear-light RGB with the sRGB primaries; 1 is a sunlit white sheet before the film's curve.
typealias Light = SIMD3<Float>

/// A point or direction on the ground: x to the right, y away from the camera, in metres.
typealias Ground = SIMD2<Float>

/// A point or direction in space: x right, y away, z up, in metres.
typealias Space = SIMD3<Float>

extension SIMD3<Float> {
  /// The light of an sRGB color written 0xRRGGBB.
  init(hex: UInt32) {
    func channel(_ shift: UInt32) -> Float {
      let value = Float((hex >> shift) & 0xFF) / 255
      return value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
    }
    self.init(channel(16), channel(8), channel(0))
  }

  /// The brightness the eye gives to this light, with the weights of ITU-R BT.709.
  var luminance: Float { x * 0.2126 + y * 0.7152 + z * 0.0722 }
}

/// The value `share` of the way from `a` to `b`.
@inline(__always)
func mix(_ a: Float, _ b: Float, _ share: Float) -> Float { a + (b - a) * share }

/// The light `share` of the way from `a` to `b`.
@inline(__always)
func mix(_ a: Light, _ b: Light, _ share: Float) -> Light { a + (b - a) * share }

/// `value` limited to 0...1.
@inline(__always)
func unit(_ value: Float) -> Float { max(0, min(1, value)) }

/// 0 below `low`, 1 above `high` and a soft S between; the limits may be given in either order.
@inline(__always)
func smoothstep(_ low: Float, _ high: Float, _ value: Float) -> Float {
  guard low != high else { return value < low ? 0 : 1 }
  let t = unit((value - low) / (high - low))
  return t * t * (3 - 2 * t)
}

/// The scalar product.
@inline(__always)
func dot(_ a: Space, _ b: Space) -> Float { (a * b).sum() }

/// The scalar product.
@inline(__always)
func dot(_ a: Ground, _ b: Ground) -> Float { (a * b).sum() }

/// The vector's length.
@inline(__always)
func length(_ a: Space) -> Float { dot(a, a).squareRoot() }

/// The vector's length.
@inline(__always)
func length(_ a: Ground) -> Float { dot(a, a).squareRoot() }

/// The vector made one long; the zero vector stays what it is.
@inline(__always)
func normalized(_ a: Space) -> Space {
  let long = length(a)
  return long > 0 ? a / long : a
}

/// A bump: 1 at `center`, falling as a Gaussian of the given width.
@inline(__always)
func bump(_ value: Float, center: Float, width: Float) -> Float {
  guard width != 0 else { return 0 }
  let distance = (value - center) / width
  return expf(-distance * distance)
}

/// Colors at rising positions, blended softly between.
struct Gradient {
  private let stops: [(position: Float, light: Light)]

  /// The stops, by rising position; there is at least one.
  init(_ stops: [(position: Float, light: Light)]) {
    precondition(!stops.isEmpty, "a gradient needs a stop")
    self.stops = stops
  }

  /// The light at a position; the first and last stop reach on for ever.
  subscript(position: Float) -> Light {
    var below = stops[0]
    for above in stops {
      if position < above.position {
        return mix(below.light, above.light, smoothstep(below.position, above.position, position))
      }
      below = above
    }
    return below.light
  }
}
