/// The row under the pictures: whether it is there, and the message that it shows for a while.
///
/// `StatusBar+Text` makes its text and the title of the window.
package struct StatusBar: Equatable, Sendable {
  /// Whether the row is there.
  package internal(set) var isVisible: Bool
  /// Whether the panel about the current item is open.
  var showsInformation = false
  /// The message that is shown.
  private(set) var notice: Notice?

  /// A bar without a message.
  init(isVisible: Bool) { self.isVisible = isVisible }

  /// Shows a message, in place of the one before.
  ///
  /// - Parameters:
  ///   - text: The message.
  ///   - seconds: How long it is shown.
  ///   - now: The moment.
  mutating func show(_ text: String, for seconds: Double, at now: Instant) {
    notice = Notice(text: text, end: now.advanced(bySeconds: seconds))
  }

  /// Removes the message.
  mutating func dismissNotice() { notice = nil }

  /// Removes a message whose time is over.
  mutating func settle(at now: Instant) {
    if let notice, notice.end <= now { self.notice = nil }
  }

  /// When the message disappears; nil where there is none.
  var nextChange: Instant? { notice?.end }
}
