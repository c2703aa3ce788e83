import Geometry

/// The line at the bottom of an open film that shows where it is, and on which the pointer goes to
/// another place.
///
/// It is visible while the film is paused, and for a moment after a key or the pointer has gone to
/// another place.
struct FilmProgress: Equatable, Sendable {
  /// The time at which the line disappears; nil while it is hidden or held.
  private var end: Instant?
  /// Whether the pointer holds the line.
  private(set) var isHeld = false

  /// How long the line stays, in seconds.
  private static let stay = 2.0

  /// Whether the line is visible while the film plays.
  var isShown: Bool { end != nil || isHeld }

  /// The time at which the line disappears unless something happens; nil while it is hidden or held.
  var nextChange: Instant? { end }

  mutating func show(at now: Instant) {
    if !isHeld { end = now.advanced(bySeconds: Self.stay) }
  }

  mutating func hold() { (isHeld, end) = (true, nil) }

  mutating func release(at now: Instant) {
    guard isHeld else { return }
    isHeld = false
    show(at: now)
  }

  /// Hides the line if that is due.
  mutating func settle(at now: Instant) {
    if let end, end <= now { self.end = nil }
  }
}
