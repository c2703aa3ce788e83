import Geometry

/// Operations on files that take so long that the user may look elsewhere.
struct LongWork {
  /// Whether the window has the focus, as far as the terminal has said.
  var hasFocus = true
  /// When the present operations began; nil without any.
  private var start: Instant?

  /// The time after which progress is shown outside of the window, in seconds.
  private static let progressDelay = 1.0
  /// The time after which the end is worth a notification, in seconds.
  private static let notificationDelay = 10.0

  /// Follows the operations.
  ///
  /// - Parameters:
  ///   - percentage: How much of them is done; nil if none are running.
  ///   - now: The current time.
  /// - Returns: The percentage to show outside of the window, and whether to notify the user that they
  ///   have ended.
  mutating func follow(_ percentage: Int?, at now: Instant) -> (shown: Int?, hasEnded: Bool) {
    guard let percentage else {
      let seconds = start.map { now.seconds(since: $0) } ?? 0
      start = nil
      return (nil, seconds > Self.notificationDelay && !hasFocus)
    }
    let begin = start ?? now
    start = begin
    return (now.seconds(since: begin) < Self.progressDelay ? nil : percentage, false)
  }
}
