import Geometry
import SceneModel

/// The state of the pointer: a press on the grid, painting of marks, and double clicks.
struct Pointer: Equatable, Sendable {
  /// A press on the grid that may become a click.
  var gridPress: Drag?
  /// Whether the terminal can carry what is pressed to other windows.
  var isDragOffered = false
  /// The current painting of marks with the right button.
  var painting: Painting?
  /// The time at which a drag ends by itself after the terminal has lost the focus; nil if none is
  /// scheduled.
  var lostDragEnd: Instant?
  /// The previous click, which a second one can make a double click.
  private var lastClick: Click?

  /// The longest time between the two clicks of a double click, in seconds.
  private static let doubleClickTime = 0.3
  /// The time after the loss of focus at which a drag ends, in seconds: another window may have
  /// received the release.
  private static let lostFocusTimeout = 5.0

  private struct Click: Equatable, Sendable {
    var position: PixelPoint
    var time: Instant
  }

  /// A drag with the right button that paints or removes marks.
  struct Painting: Equatable, Sendable {
    /// Whether the drag adds marks rather than removes them.
    var isMarking: Bool
    /// The pointer's last position, in pixels of the picture area.
    var last: PixelPoint
  }

  /// Whether a button is down on the grid.
  var isDown: Bool { gridPress != nil || painting != nil }

  mutating func release() {
    (gridPress, painting, lostDragEnd, isDragOffered) = (nil, nil, nil, false)
  }

  /// Schedules the end of a drag, unless the pointer returns first.
  mutating func focusLost(at now: Instant) {
    lostDragEnd = now.advanced(bySeconds: Self.lostFocusTimeout)
  }

  /// Records a click.
  ///
  /// Every further quick click counts as the second of a double click too, so that the third click
  /// of a hasty hand does not close the photo that the first one opened.
  ///
  /// - Returns: Whether this click and the previous one make a double click.
  mutating func isDoubleClick(at position: PixelPoint, within reach: Double, _ now: Instant)
    -> Bool
  {
    defer { lastClick = Click(position: position, time: now) }
    guard let lastClick, now.seconds(since: lastClick.time) < Self.doubleClickTime else {
      return false
    }
    return lastClick.position.distance(to: position) < reach
  }
}
