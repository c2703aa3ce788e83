import Glibc

/// Smooth randomness over the plane and in space, the same for the same seed.
struct Noise {
  private let seed: UInt32

  /// The noise of a seed.
  init(_ seed: UInt32) { self.seed = seed &* 0x9E37_79B1 ^ 0x5BD1_E995 }

  /// Turns and doubles between octaves, so that their lattices never line up.
  @inline(__always)
  private static func next(_ p: Ground) -> Ground {
    Ground(1.62 * p.x + 1.21 * p.y, -1.21 * p.x + 1.62 * p.y)
  }

  @inline(__always)
  private func hash(_ x: Int32, _ y: Int32, _ z: Int32 = 0) -> UInt32 {
    var h = UInt32(bitPattern: x) &* 0x9E37_79B1
    h ^= UInt32(bitPattern: y) &* 0x85EB_CA77
    h ^= UInt32(bitPattern: z) &* 0xC2B2_AE3D
    h ^= seed
    h ^= h >> 15
    h = h &* 0x2C1B_3C6D
    h ^= h >> 12
    h = h &* 0x297A_2D39
    return h ^ (h >> 15)
  }

  /// 0 to 1, one value for every whole point of the plane.
  @inline(__always)
  func random(_ x: Int32, _ y: Int32) -> Float { Float(hash(x, y) >> 8) / 16_777_216 }

  @inline(__always)
  private func slope(_ x: Int32, _ y: Int32, _ offset: Ground) -> Float {
    let h = hash(x, y)
    let gradient = Ground(Float(h & 0xFFFF), Float(h >> 16)) / 32767.5 - 1
    return dot(gradient, offset)
  }

  /// Gradient noise about -1 to 1, with features about one unit wide.
  @inline(__always)
  func callAsFunction(_ p: Ground) -> Float {
    let corner = p.rounded(.down)
    let f = p - corner
    let x = Int32(corner.x)
    let y = Int32(corner.y)
    let s = f * f * f * (f * (f * 6 - 15) + 10)
    let low = mix(slope(x, y, f), slope(x &+ 1, y, f - Ground(1, 0)), s.x)
    let high = mix(
      slope(x, y &+ 1, f - Ground(0, 1)), slope(x &+ 1, y &+ 1, f - Ground(1, 1)), s.x)
    return mix(low, high, s.y) * 1.5
  }

  /// A sum of octaves, each half as wide and `gain` times as strong, about -1 to 1.
  @inline(__always)
  func fbm(_ p: Ground, octaves: Int, gain: Float = 0.5) -> Float {
    var p = p
    var strength: Float = 0.55
    var sum: Float = 0
    for _ in 0..<octaves {
      sum += strength * self(p)
      strength *= gain
      p = Self.next(p)
    }
    return sum
  }

  /// Octaves folded into sharp crests, 0 in the valleys to about 1 on the crests.
  @inline(__always)
  func ridged(_ p: Ground, octaves: Int, gain: Float = 0.5) -> Float {
    var p = p
    var strength: Float = 0.5
    var weight: Float = 1
    var sum: Float = 0
    for _ in 0..<octaves {
      var crest = 1 - abs(self(p))
      crest *= crest
      sum += strength * crest * weight
      // Detail gathers on the crests and leaves the valleys smooth, as erosion does.
      weight = unit(crest * 1.6)
      strength *= gain
      p = Self.next(p)
    }
    return sum
  }

  /// Value noise in 0...1 with its slope along x and y.
  @inline(__always)
  private func sloped(_ p: Ground) -> (value: Float, slope: Ground) {
    let corner = p.rounded(.down)
    let f = p - corner
    let x = Int32(corner.x)
    let y = Int32(corner.y)
    let a = random(x, y)
    let b = random(x &+ 1, y)
    let c = random(x, y &+ 1)
    let d = random(x &+ 1, y &+ 1)
    let s = f * f * (3 - 2 * f)
    let k = a - b - c + d
    let rise = 6 * f * (1 - f)
    return (
      a + (b - a) * s.x + (c - a) * s.y + k * s.x * s.y,
      rise * Ground(b - a + k * s.y, c - a + k * s.x)
    )
  }

  /// Mountains whose steep flanks are smooth and whose gentle ground is rough, about 0 to 1.
  ///
  /// Every octave is weakened by the slope of those before it.
  @inline(__always)
  func eroded(_ p: Ground, octaves: Int) -> Float {
    var p = p
    var strength: Float = 0.5
    var sum: Float = 0
    var slope = Ground(0, 0)
    for _ in 0..<octaves {
      let octave = sloped(p)
      slope += octave.slope
      sum += strength * octave.value / (1 + dot(slope, slope))
      strength *= 0.5
      p = Self.next(p)
    }
    return sum
  }

  /// Value noise in space, 0 to 1.
  @inline(__always)
  func inSpace(_ p: Space) -> Float {
    let corner = p.rounded(.down)
    let f = p - corner
    let x = Int32(corner.x)
    let y = Int32(corner.y)
    let z = Int32(corner.z)
    let s = f * f * (3 - 2 * f)
    @inline(__always) func at(_ i: Int32, _ j: Int32, _ k: Int32) -> Float {
      Float(hash(x &+ i, y &+ j, z &+ k) >> 8) / 16_777_216
    }
    let low = mix(
      mix(at(0, 0, 0), at(1, 0, 0), s.x), mix(at(0, 1, 0), at(1, 1, 0), s.x), s.y)
    let high = mix(
      mix(at(0, 0, 1), at(1, 0, 1), s.x), mix(at(0, 1, 1), at(1, 1, 1), s.x), s.y)
    return mix(low, high, s.z)
  }

  /// Octaves of noise in space, about 0 to 1.
  @inline(__always)
  func fbmInSpace(_ p: Space, octaves: Int) -> Float {
    var p = p
    var strength: Float = 0.5
    var sum: Float = 0
    for _ in 0..<octaves {
      sum += strength * inSpace(p)
      strength *= 0.5
      p = Space(1.62 * p.x + 1.21 * p.y, -1.21 * p.x + 1.62 * p.y, p.z * 2.03 + 7.1)
    }
    return sum
  }
}

/// Dice for placing things, the same throws for the same seed (SplitMix64).
struct Dice {
  private var state: UInt64

  /// The dice of a seed.
  init(_ seed: UInt64) { state = seed }

  /// The next throw, evenly spread over the range.
  mutating func next(_ range: ClosedRange<Float>) -> Float {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    z ^= z >> 31
    return mix(range.lowerBound, range.upperBound, Float(z >> 40) / 16_777_216)
  }
}
