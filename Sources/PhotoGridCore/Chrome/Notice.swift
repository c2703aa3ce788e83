/// A message in the bar for a limited time.
struct Notice: Equatable, Sendable {
  /// The message.
  let text: String
  /// How long it is shown, in seconds.
  let seconds: Double
  /// Whether the message appears by itself, and not in response to a key.
  let isUnexpected: Bool
  /// The time from which `seconds` are counted; nil until it is known.
  ///
  /// For a response to a key, it is the time of the key; for an unexpected message, the time of the
  /// first frame that shows the message.
  var start: Instant?

  /// The time during which keys do not remove an unexpected message, in seconds.
  private static let shortest = 0.5

  /// The time at which the message disappears; nil until its first frame is drawn.
  var end: Instant? { start?.advanced(bySeconds: seconds) }

  /// Whether the message has disappeared.
  func isOver(at now: Instant) -> Bool { end.map { $0 <= now } ?? false }

  /// Whether a key removes the message; a key that is typed before the user can have read the
  /// message does not.
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
