import Geometry

/// When to repeat a command that got no response: a multiplexer may have dropped it.
///
/// It is repeated twice, and given up later; each delay is twice the one before.
struct KittyRetry: Equatable {
  /// The first delay after a query, and after a command without one, in seconds.
  static let (queryDelay, blindDelay) = (0.4, 2.0)
  private static let maxCount = 3

  private let firstDelay: Double
  /// The number of times that the command was sent.
  private var count = 1
  /// When to repeat the command; nil once it was given up.
  private(set) var deadline: Instant?

  /// Starts with a command that was sent just now.
  init(at now: Instant, firstDelay: Double = Self.queryDelay) {
    self.firstDelay = firstDelay
    deadline = now.advanced(bySeconds: firstDelay)
  }

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
    self.deadline = now.advanced(bySeconds: firstDelay * Double(1 << (count - 1)))
    return true
  }
}
