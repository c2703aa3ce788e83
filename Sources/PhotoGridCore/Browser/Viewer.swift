/// A photo that has left its tile: on its way, on the whole screen, or in the hand.
///
/// There is at most one, and its own tile stays empty meanwhile.
package struct Viewer: Equatable, Sendable {
  /// The photo's place in the order on screen.
  package var index: Int
  package var phase: Phase
  /// How it is looked at on the screen, or will be when it has come there.
  package var view = Magnification()
  /// Which way the photo was last moved on the screen, -1 to 1 along each axis: what comes into
  /// sight next is on the other side.
  var panDirection = PixelPoint.zero

  /// What the photo is doing.
  package enum Phase: Equatable, Sendable {
    case flying(Animated<Pose>, to: Destination)
    /// In its place on the screen.
    case resting
    /// Pressed where it was, not yet dragged.
    case held(Press)
    /// Dragged towards dismissal, from the pose that it was taken in.
    case dragging(Drag, from: Pose)
    /// Larger than the screen and moved about on it, from the pose that it was taken in.
    case panning(Drag, from: Pose)
    /// Pushed sideways: the neighbours come along.
    case swiping(Drag, from: Double)
    /// Let go after sliding: the sideways offset returns to 0.
    case snapping(Animated<Double>)
  }

  /// Where a flight ends.
  package enum Destination: Equatable, Sendable { case tile, screen }

  /// A press that may become a click, a drag or nothing.
  package struct Press: Equatable, Sendable {
    package var press: Drag
    package var pose: Pose
    /// The flight that the press took hold of; nil for a photo at rest.
    package var interrupted: Destination?
  }

  /// Whether it is going home: then keys mean the grid again.
  package var isClosing: Bool {
    if case .flying(_, to: .tile) = phase { true } else { false }
  }

  /// A pointer must move this far, in points, before a press becomes a drag.
  static let dragThreshold = 20.0

  /// The distance in points over which a dragged photo would shrink to nothing.
  private static let shrinkDistance = 1000.0
  private static let smallestScale = 0.1
  private static let backdropGain = 1.3

  /// The pose of a photo dragged by a way: it follows the pointer and shrinks about its centre.
  ///
  /// - Parameters:
  ///   - pose: Where it was taken.
  ///   - way: The pointer's way since, in pixels.
  ///   - point: A point's size in pixels.
  /// - Returns: The pose under the pointer, with as much of the grid as shows through.
  static func dragged(_ pose: Pose, by way: PixelPoint, point: Double) -> Pose {
    let down = max(way.y / point, 0)
    let scale = max(1 - down / shrinkDistance, smallestScale)
    return Pose(
      frame: pose.frame.scaledAboutCenter(by: scale).offset(x: way.x, y: way.y),
      backdrop: min(max(pose.backdrop + (1 - scale) * backdropGain, 0), 1))
  }
}
