/// A message in the bar for a limited time.
struct Notice: Equatable, Sendable {
  /// The message.
  var text: String
  /// When it disappears.
  var end: Instant
  /// From when on a key removes it.
  var dismissible: Instant
  /// How long an unexpected message is shown from its first frame on, in seconds; nil once that frame
  /// was drawn, and for the response to a key.
  var secondsFromFrame: Double?

  /// How long an unexpected message is shown whatever is typed, in seconds.
  static let shortest = 0.5

  /// A message and how long to show it.
  struct Text: Equatable, Sendable {
    /// The message.
    var text: String
    /// How long it is shown, in seconds.
    var seconds: Double

    /// Creates a message that is shown for a number of seconds.
    init(_ text: String, for seconds: Double) {
      self.text = text
      self.seconds = seconds
    }
  }
}
