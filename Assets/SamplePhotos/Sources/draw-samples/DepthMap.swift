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
    /// How steep the ground is at most, as rise over run; hidden ground is walked in leaps that
    /// cannot miss a summit.
    var steepest: Float = .infinity
    /// How far trees and boulders rise above ground of that steepness, in metres.
    var clutter: Float = 0
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

  /// The next depth to look at, from ground that lies `gap` metres under the lowest ray not yet
  /// stopped, which rises by `rise` for a metre of depth.
  @inline(__always)
  private static func advance(_ depth: Float, _ walk: Walk, gap: Float, rise: Float) -> Float {
    var step = depth * walk.step
    if depth < walk.carefulUntil { step = min(step, walk.careful) }
    let clear = gap - walk.clutter
    guard clear > 0 else { return depth + step }
    let closing = walk.steepest - rise
    return depth + max(step, closing > 0 ? min(clear / closing, depth * 0.3) : depth * 0.3)
  }

  @inline(__always)
  private mutating func walkColumn(
    _ camera: Camera, _ walk: Walk, _ column: Int, _ ground: (Float) -> Float
  ) {
    var depth = walk.near
    var previousDepth = depth
    var previous = ground(depth)
    var previousRow = camera.row(of: previous, depth: depth) * 2
    var top = height
    while depth < walk.far, top > 0 {
      let here = ground(depth)
      let row = camera.row(of: here, depth: depth) * 2
      let first = max(0, Int((row - 0.5).rounded(.up)))
      if first < top {
        // On a cliff or a crown's side all rows belong to what rises there.
        let isCliff = here - previous > 4 * (depth - previousDepth)
        for y in first..<top {
          let span = previousRow - row
          let share = span > 1e-3 && !isCliff ? unit((previousRow - Float(y) - 0.5) / span) : 1
          depths[y * width + column] = mix(previousDepth, depth, share)
        }
        top = first
      }
      previousDepth = depth
      previous = here
      previousRow = row
      let rise = camera.rise(row: Float(top) / 2)
      depth = Self.advance(depth, walk, gap: camera.eye + rise * depth - here, rise: rise)
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
        for y in first..<end where depths[y * width + column] == .infinity {
          depths[y * width + column] = depth
        }
        if filled.isEmpty {
          filled = first..<end
        } else {
          filled = min(filled.lowerBound, first)..<max(filled.upperBound, end)
        }
      }
      let rise = filled.isEmpty ? 0 : (horizon - Float(filled.lowerBound)) / focalLength
      depth = Self.advance(depth, walk, gap: rise * depth - eye - above, rise: rise)
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
