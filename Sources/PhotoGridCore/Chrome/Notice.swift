/// A message in the bar for a limited time.
struct Notice: Equatable, Sendable {
  /// The message.
  var text: String
  /// When it disappears.
  var end: Instant

  /// A message with the time that it is shown for.
  struct Text: Equatable, Sendable {
    /// The message.
    var text: String
    /// How long it is shown, in seconds.
    var seconds: Double

    /// A message that is shown for a number of seconds.
    init(_ text: String, for seconds: Double) {
      self.text = text
      self.seconds = seconds
    }
  }
}

extension Browser {
  /// Shows a message in the bar.
  mutating func showNotice(_ text: String, for seconds: Double, at now: Instant) {
    notice = Notice(text: text, end: now.advanced(bySeconds: seconds))
  }

  /// Shows a message in the bar, if there is one.
  mutating func showNotice(_ notice: Notice.Text?, at now: Instant) {
    if let notice { showNotice(notice.text, for: notice.seconds, at: now) }
  }
}
