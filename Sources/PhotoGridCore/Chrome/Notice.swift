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
