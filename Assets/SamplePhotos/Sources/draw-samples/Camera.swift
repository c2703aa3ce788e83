import Glibc

/// Where a photo is taken from and how directions map to its pixels.
///
/// The picture plane stands upright, so every column of pixels is one vertical plane through the
/// eye; the horizon is moved instead of tilting the camera, as a shift lens does.
struct Camera {
  /// Where the eye stands.
  var place = Ground(0, 0)
  /// The eye's height in metres.
  var eye: Float
  /// In pixels; the wider the picture for its focal length, the wider the view.
  let focalLength: Float
  /// The row of the horizon, in pixels from the top.
  let horizon: Float
  /// In pixels.
  let width: Int
  /// In pixels.
  let height: Int
  /// A panorama turns with the columns, other pictures lie on a plane.
  let isPanorama: Bool

  /// A camera for a picture of the given size.
  ///
  /// The focal length is a part of the width, the horizon a part of the height from the top.
  init(
    width: Int, height: Int, eye: Float, focalLength: Float, horizon: Float,
    isPanorama: Bool = false
  ) {
    self.width = width
    self.height = height
    self.eye = eye
    self.focalLength = focalLength * Float(width)
    self.horizon = horizon * Float(height)
    self.isPanorama = isPanorama
  }

  /// The way along the ground for one metre of depth in a column.
  @inline(__always)
  func heading(column: Float) -> Ground {
    let turn = (column - Float(width) / 2) / focalLength
    return isPanorama ? Ground(sinf(turn), cosf(turn)) : Ground(turn, 1)
  }

  /// How far a row's rays rise for one metre of depth.
  @inline(__always)
  func rise(row: Float) -> Float { (horizon - row) / focalLength }

  /// The row in which a height at a depth is seen.
  @inline(__always)
  func row(of height: Float, depth: Float) -> Float {
    horizon - focalLength * (height - eye) / max(depth, 1e-3)
  }

  /// The ray through a point of the picture.
  @inline(__always)
  func ray(_ x: Float, _ y: Float) -> Ray {
    let heading = heading(column: x)
    let slope = Space(heading.x, heading.y, rise(row: y))
    let long = length(slope)
    return Ray(x: x, y: y, slope: slope, direction: slope / long, stretch: long)
  }

  /// The column and row in which a point is seen; nil behind the eye.
  func pixel(of point: Space) -> SIMD2<Float>? {
    let x = point.x - place.x
    let depth = point.y - place.y
    guard depth > 0, !isPanorama else { return nil }
    return SIMD2(Float(width) / 2 + focalLength * x / depth, row(of: point.z, depth: depth))
  }

  /// The direction of a point of the picture given in parts of its width and height.
  func direction(_ across: Float, _ down: Float) -> Space {
    ray(across * Float(width), down * Float(height)).direction
  }
}

/// A line of sight.
struct Ray {
  /// The column, in pixels.
  var x: Float
  /// The row, in pixels.
  var y: Float
  /// The way for one metre of depth.
  var slope: Space
  /// The same way, one long.
  var direction: Space
  /// Metres along the ray for one metre of depth.
  var stretch: Float
}
