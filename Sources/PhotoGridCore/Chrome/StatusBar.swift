/// The row below the pictures: whether it is visible, and its current message.
///
/// `StatusBar+Text` composes the text of the row and the window title.
package struct StatusBar: Equatable, Sendable {
  /// Whether the row is visible.
  package internal(set) var isVisible: Bool
  /// Whether the panel about the current item is open.
  var showsInformation = false
  /// The current message.
  private(set) var notice: Notice?

  /// Creates a bar without a message.
  init(isVisible: Bool) { self.isVisible = isVisible }

  /// Shows a message in place of the previous one.
  ///
  /// - Parameters:
  ///   - text: The message.
  ///   - seconds: How long the message is shown, in seconds.
  ///   - now: The current time.
  ///   - isUnexpected: Whether the message appears by itself, and not in response to a key. On a
  ///     slow link or a busy machine, it takes time until such a message is drawn, so its time
  ///     counts from its first frame.
  mutating func show(
    _ text: String, for seconds: Double, at now: Instant, isUnexpected: Bool = false
  ) {
    notice = Notice(
      text: text, seconds: seconds, isUnexpected: isUnexpected, start: isUnexpected ? nil : now)
  }

  /// Starts the time of an unexpected message, whose first frame was drawn.
  mutating func didDraw(at now: Instant) {
    if notice?.start == nil { notice?.start = now }
  }

  /// Removes the message, unless it is too new to have been read.
  mutating func dismissNotice(at now: Instant) {
    if notice?.isDismissible(at: now) == true { notice = nil }
  }

  /// Removes an expired message.
  mutating func settle(at now: Instant) {
    if notice?.isOver(at: now) == true { notice = nil }
  }

  /// The time at which the message disappears; nil if there is none, or until its first frame is
  /// drawn.
  var nextChange: Instant? { notice?.end }
}
