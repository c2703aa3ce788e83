/// The pointer in the grid: a press that may become a click, marks that are painted, double clicks.
struct Pointer: Equatable, Sendable {
  /// A press on the grid that may become a click.
  var gridPress: Drag?
  /// Marks that are painted with the right button.
  var painting: Painting?
  /// When a drag ends by itself because the terminal has lost the focus.
  var lostDragEnd: Instant?
  private var lastClick: Click?

  /// A second click this soon at the same place makes a double click, in seconds.
  private static let doubleClickTime = 0.3
  /// A release may get lost while another window has the focus; a drag ends after so many seconds.
  private static let lostFocusPatience = 5.0

  private struct Click: Equatable, Sendable {
    var position: PixelPoint
    var time: Instant
  }

  /// A right button that is down on the grid.
  struct Painting: Equatable, Sendable {
    /// Whether it marks, rather than removes marks.
    var isMarking: Bool
    /// Where the pointer was last, in pixels of the picture area.
    var last: PixelPoint
  }

  /// Whether a button is down on the grid.
  var isDown: Bool { gridPress != nil || painting != nil }

  /// Lets go of everything in the grid.
  mutating func release() { (gridPress, painting, lostDragEnd) = (nil, nil, nil) }

  /// Ends a drag after a while, unless the pointer is seen again before.
  mutating func focusLost(at now: Instant) {
    lostDragEnd = now.advanced(bySeconds: Self.lostFocusPatience)
  }

  /// Notes a click.
  ///
  /// - Parameters:
  ///   - position: In pixels of the picture area.
  ///   - reach: How far apart two clicks may be, in pixels.
  ///   - now: When it was.
  /// - Returns: Whether it makes a double click with the click before.
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
