/// The row below the pictures: whether it is visible, and the message that it shows for a limited
/// time.
///
/// `StatusBar+Text` composes its text and the window title.
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
  ///   - isUnexpected: Whether the message is not the response to a key. A key that was typed before
  ///     such a message could be read does not remove it.
  mutating func show(
    _ text: String, for seconds: Double, at now: Instant, isUnexpected: Bool = false
  ) {
    let end = now.advanced(bySeconds: seconds)
    notice = Notice(
      text: text, end: end, dismissible: isUnexpected ? end : now,
      secondsFromFrame: isUnexpected ? seconds : nil)
  }

  /// Shows an unexpected message for its whole time from now on, if this is its first frame.
  ///
  /// On a slow link or a busy machine a key may be read between the message and its frame.
  mutating func didDraw(at now: Instant) {
    guard let seconds = notice?.secondsFromFrame else { return }
    notice?.end = now.advanced(bySeconds: seconds)
    notice?.dismissible = now.advanced(bySeconds: Notice.shortest)
    notice?.secondsFromFrame = nil
  }

  /// Removes the message, unless it is too new to have been read.
  mutating func dismissNotice(at now: Instant) {
    if let notice, notice.dismissible <= now { self.notice = nil }
  }

  /// Removes an expired message.
  mutating func settle(at now: Instant) {
    if let notice, notice.end <= now { self.notice = nil }
  }

  /// When the message disappears; nil if there is none.
  var nextChange: Instant? { notice?.end }
}
