import Geometry

/// When to repeat a command that got no response: a multiplexer may have dropped it.
///
/// It is repeated after 0.4 and after 0.8 s, and given up 1.6 s later.
struct KittyRetry: Equatable {
  private static let firstDelay = 0.4
  private static let maxCount = 3

  /// The number of times that the command was sent.
  private var count = 1
  /// When to repeat the command; nil once it was given up.
  private(set) var deadline: Instant?

  /// Starts with a command that was sent just now.
  init(at now: Instant) { deadline = now.advanced(bySeconds: Self.firstDelay) }

  /// Whether there was no response to any of the commands.
  var isOver: Bool { deadline == nil }

  /// Returns whether to repeat the command now.
  mutating func isDue(at now: Instant) -> Bool {
    guard let deadline, now >= deadline else { return false }
    guard count < Self.maxCount else {
      self.deadline = nil
      return false
    }
    count += 1
    self.deadline = now.advanced(bySeconds: Self.firstDelay * Double(1 << (count - 1)))
    return true
  }
}
