import Glibc

/// How deep in the picture the ground is at every point, at twice the picture's resolution.
struct DepthMap {
  private let width: Int
  private let height: Int
  private var depths: [Float]

  /// How the ground is walked.
  struct Walk {
    /// Where the walk begins, in metres of depth.
    var near: Float
    /// Where it ends.
    var far: Float
    /// The length of a step as a part of the depth.
    var step: Float
    /// No step is longer than this while it is nearer than `carefulUntil`.
    var careful: Float = .infinity
    /// See `careful`.
    var carefulUntil: Float = 0
  }

  /// Walks every column of the picture from near to far and notes what rises above all before it.
  ///
  /// A `mirror` is the level of a calm water surface: the map then holds what the water shows,
  /// upside down, in the rows mirrored about the horizon.
  @inline(__always)
  init(
    _ camera: Camera, _ walk: Walk, mirror: Float? = nil, height ground: (Ground) -> Float
  ) {
    width = camera.width * 2
    height = camera.height * 2
    depths = Array(repeating: .infinity, count: width * height)
    for column in 0..<width {
      let heading = camera.heading(column: (Float(column) + 0.5) / 2)
      if let level = mirror {
        walkMirrored(camera, walk, column, level) { ground(camera.place + heading * $0) }
      } else {
        walkColumn(camera, walk, column) { ground(camera.place + heading * $0) }
      }
    }
  }

  @inline(__always)
  private static func advance(_ depth: Float, _ walk: Walk) -> Float {
    let step = depth * walk.step
    return depth + (depth < walk.carefulUntil ? min(step, walk.careful) : step)
  }

  @inline(__always)
  private mutating func walkColumn(
    _ camera: Camera, _ walk: Walk, _ column: Int, _ ground: (Float) -> Float
  ) {
    var depth = walk.near
    var previousDepth = depth
    var previousRow = camera.row(of: ground(depth), depth: depth) * 2
    var top = height
    while depth < walk.far, top > 0 {
      let row = camera.row(of: ground(depth), depth: depth) * 2
      let first = max(0, Int((row - 0.5).rounded(.up)))
      if first < top {
        for y in first..<top {
          let span = previousRow - row
          let share = span > 1e-3 ? unit((previousRow - Float(y) - 0.5) / span) : 1
          depths[y * width + column] = mix(previousDepth, depth, share)
        }
        top = first
      }
      previousDepth = depth
      previousRow = row
      depth = Self.advance(depth, walk)
    }
  }

  /// Walks as seen by an eye as deep below the water as the true one is above it.
  ///
  /// What lies nearer than the point where a row's ray meets the water is not mirrored in it.
  @inline(__always)
  private mutating func walkMirrored(
    _ camera: Camera, _ walk: Walk, _ column: Int, _ level: Float, _ ground: (Float) -> Float
  ) {
    let eye = camera.eye - level
    let horizon = camera.horizon * 2
    let focalLength = camera.focalLength * 2
    var depth = walk.near
    var filled = height..<height
    while depth < walk.far {
      let above = ground(depth) - level
      if above > 0 {
        let top = horizon - focalLength * (above + eye) / depth
        let bottom = horizon - focalLength * eye / depth
        let first = max(0, min(height, Int((top - 0.5).rounded(.up))))
        let end = max(first, min(height, Int((bottom - 0.5).rounded(.up))))
        for y in first..<end where !filled.contains(y) { depths[y * width + column] = depth }
        if filled.isEmpty {
          filled = first..<end
        } else {
          filled = min(filled.lowerBound, first)..<max(filled.upperBound, end)
        }
      }
      depth = Self.advance(depth, walk)
    }
  }

  /// The depth at a point of the picture; beyond its edges that of the nearest one.
  @inline(__always)
  func at(_ x: Float, _ y: Float) -> Float {
    let column = Int(max(0, min(Float(width - 1), x * 2)))
    let row = Int(max(0, min(Float(height - 1), y * 2)))
    return depths[row * width + column]
  }

  /// The four depths inside a pixel.
  @inline(__always)
  func inside(_ x: Int, _ y: Int) -> SIMD4<Float> {
    let start = y * 2 * width + x * 2
    return SIMD4(depths[start], depths[start + 1], depths[start + width], depths[start + width + 1])
  }
}
