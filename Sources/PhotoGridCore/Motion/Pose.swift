/// How a photo that left its tile is seen at one instant.
package struct Pose: VectorValue {
  private var parts: SIMD8<Double>

  /// A pose of the given parts.
  ///
  /// - Parameters:
  ///   - frame: Where the photo is, in pixels of the picture area.
  ///   - backdrop: Opacity of the grid behind it.
  ///   - opacity: Opacity of the photo itself; below 1 only with reduced motion.
  package init(frame: PixelRect, backdrop: Double, opacity: Double = 1) {
    parts = SIMD8(
      frame.minX, frame.minY, frame.maxX, frame.maxY, backdrop, opacity, 0, 0)
  }

  /// Where the photo is; its edges, not its size, are what travels.
  package var frame: PixelRect {
    get {
      PixelRect(
        x: parts[0], y: parts[1],
        width: max(parts[2] - parts[0], 1), height: max(parts[3] - parts[1], 1))
    }
    set { self = Pose(frame: newValue, backdrop: parts[4], opacity: parts[5]) }
  }

  /// Opacity of the grid behind, clamped to 0 to 1.
  package var backdrop: Double { min(max(parts[4], 0), 1) }

  /// Opacity of the photo, clamped to 0 to 1.
  package var opacity: Double {
    get { min(max(parts[5], 0), 1) }
    set { parts[5] = newValue }
  }

  /// Whether no edge is more than `tolerance` pixels from the other's, and no opacity visibly off.
  package func isClose(to other: Pose, tolerance: PixelSize) -> Bool {
    let difference = parts - other.parts
    return abs(difference[0]) <= tolerance.width && abs(difference[2]) <= tolerance.width
      && abs(difference[1]) <= tolerance.height && abs(difference[3]) <= tolerance.height
      && abs(difference[4]) <= 1 / 64 && abs(difference[5]) <= 1 / 64
  }

  /// The offset that moves a pose down by a distance, in pixels.
  static func moved(by distance: Double) -> Pose {
    Pose(SIMD8(0, distance, 0, distance, 0, 0, 0, 0))
  }

  /// No offset at all.
  static let zero = Pose(SIMD8(repeating: 0))

  /// The offset from a pose to itself unseen.
  static let unseen = Pose(SIMD8(0, 0, 0, 0, 0, -1, 0, 0))

  /// The pose shrunk about its centre and faded to nothing, with all of the grid behind it.
  func vanished(to scale: Double) -> Pose {
    Pose(frame: frame.scaledAboutCenter(by: scale), backdrop: 1, opacity: 0)
  }

  /// Edges and opacities added.
  package static func + (left: Pose, right: Pose) -> Pose { Pose(left.parts + right.parts) }

  /// Edges and opacities subtracted.
  package static func - (left: Pose, right: Pose) -> Pose { Pose(left.parts - right.parts) }

  /// Edges and opacities scaled.
  package static func * (pose: Pose, factor: Double) -> Pose { Pose(pose.parts * factor) }

  private init(_ parts: SIMD8<Double>) { self.parts = parts }
}
