/// The position and opacity of a tile or photo at an instant.
package struct Pose: VectorValue {
  private var parts: SIMD8<Double>

  /// Creates a pose.
  package init(frame: PixelRect, backdrop: Double, opacity: Double = 1, margin: Double = 0) {
    parts = SIMD8(frame.minX, frame.minY, frame.maxX, frame.maxY, backdrop, opacity, margin, 0)
  }

  /// The photo's frame; animations interpolate its edges, not its size.
  package var frame: PixelRect {
    get {
      PixelRect(
        x: parts[0], y: parts[1],
        width: max(parts[2] - parts[0], 1), height: max(parts[3] - parts[1], 1))
    }
    set {
      self = Pose(frame: newValue, backdrop: parts[4], opacity: parts[5], margin: parts[6])
    }
  }

  /// The opacity of the grid behind the photo, clamped to 0 to 1.
  package var backdrop: Double { min(max(parts[4], 0), 1) }

  /// The opacity of the photo, clamped to 0 to 1.
  package var opacity: Double {
    get { min(max(parts[5], 0), 1) }
    set { parts[5] = newValue }
  }

  /// The width at the right of the picture area that a photo longer than the rest leaves free, in
  /// pixels.
  package var margin: Double { max(parts[6], 0) }

  /// Whether every edge differs by at most `tolerance`, in pixels, and no opacity differs visibly.
  package func isClose(to other: Pose, tolerance: PixelSize) -> Bool {
    let difference = parts - other.parts
    return abs(difference[0]) <= tolerance.width && abs(difference[2]) <= tolerance.width
      && abs(difference[1]) <= tolerance.height && abs(difference[3]) <= tolerance.height
      && abs(difference[4]) <= 1 / 64 && abs(difference[5]) <= 1 / 64
  }

  /// Returns the offset that moves a pose down by a distance, in pixels.
  package static func moved(by distance: Double) -> Pose {
    Pose(SIMD8(0, distance, 0, distance, 0, 0, 0, 0))
  }

  package static let zero = Pose(SIMD8(repeating: 0))

  /// The offset that makes a pose invisible.
  package static let unseen = Pose(SIMD8(0, 0, 0, 0, 0, -1, 0, 0))

  /// Returns the pose scaled about its center and faded out, with the grid fully opaque behind it.
  package func vanished(to scale: Double) -> Pose {
    Pose(frame: frame.scaledAboutCenter(by: scale), backdrop: 1, opacity: 0)
  }

  package static func + (left: Pose, right: Pose) -> Pose { Pose(left.parts + right.parts) }

  package static func - (left: Pose, right: Pose) -> Pose { Pose(left.parts - right.parts) }

  /// Scales edges and opacities; opacities only by 0 to 1, so that a photo that is thrown away from
  /// its target, or beyond it, does not make the grid flicker.
  package static func * (pose: Pose, factor: Double) -> Pose {
    let fade = min(max(factor, 0), 1)
    return Pose(pose.parts * SIMD8(factor, factor, factor, factor, fade, fade, factor, 0))
  }

  private init(_ parts: SIMD8<Double>) { self.parts = parts }
}
