/// A message in the bar for a limited time.
struct Notice: Equatable, Sendable {
  /// The message.
  let text: String
  /// How long it is shown, in seconds.
  let seconds: Double
  /// Whether the message is not the response to a key.
  let isUnexpected: Bool
  /// From when on its time counts: for the response to a key from that key on, otherwise from the
  /// first frame on that shows it; nil until that is drawn.
  var start: Instant?

  /// How long an unexpected message is shown whatever is typed, in seconds.
  private static let shortest = 0.5

  /// When it disappears; nil if that depends on its first frame.
  var end: Instant? { start?.advanced(bySeconds: seconds) }

  /// Whether it has disappeared.
  func isOver(at now: Instant) -> Bool { end.map { $0 <= now } ?? false }

  /// Whether a key removes it: one that was typed before the message could be read does not.
  func isDismissible(at now: Instant) -> Bool {
    guard let start else { return false }
    return !isUnexpected || start.advanced(bySeconds: Self.shortest) <= now
  }

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
