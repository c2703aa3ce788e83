import Geometry

/// An adaptive limit on how much is read from a process in a turn of the loop.
///
/// A key waits until the turn ends, and how long a turn takes depends on more than the number of
/// bytes: names that arrive out of order are each sorted into all earlier ones. The loop therefore
/// measures the processor time of each turn:
///
///     within `budget`           the limits grow, at most to twice their size
///     over `budget`             the limits shrink in proportion, at most to `least`
///     over twice `budget`       reading also rests, if the limits are at `least` already
struct ReadingPace: Equatable {
  /// The most that is read in a turn.
  let most: ReadLimits
  /// The most that is read in the next turn.
  private(set) var limits: ReadLimits
  /// When reading resumes, if turns take too long however little they read; nil if the next turn
  /// may begin immediately.
  private(set) var restEnd: Instant?

  /// The processor time that a turn may take, in seconds.
  static let budget = 0.008
  /// The smallest limits, since each turn has a fixed cost.
  static let least = ReadLimits(byteCount: 16 << 10, messageCount: 4)
  /// The length of a rest, as a multiple of the turn that caused it.
  private static let restFactor = 4.0
  /// The longest rest, in seconds.
  private static let maxRest = 1.0

  init(most: ReadLimits) {
    self.most = most
    limits = most
  }

  mutating func beginTurn(at now: Instant) -> Bool {
    if let restEnd, now < restEnd { return false }
    restEnd = nil
    return true
  }

  /// Adapts the limits of the next turn to the turn that has ended.
  mutating func record(_ read: ReadLimits, seconds: Double, at now: Instant) {
    guard restEnd == nil, read.messageCount > 0 else { return }
    let isLeast = limits == Self.least
    let factor = Self.budget / max(seconds, 1e-6)
    if factor < 1 {
      limits = scaled(by: factor, from: read.lesser(than: limits))
      guard isLeast, factor < 0.5 else { return }
      restEnd = now.advanced(bySeconds: min(Self.restFactor * seconds, Self.maxRest))
    } else if 2 * read.byteCount >= limits.byteCount
      || 2 * read.messageCount >= limits.messageCount
    {
      limits = scaled(by: min(factor, 2), from: limits)
    }
  }

  /// Returns limits multiplied by a factor, between the least and the most.
  private func scaled(by factor: Double, from limits: ReadLimits) -> ReadLimits {
    func scaled(_ count: Int, _ least: Int, _ most: Int) -> Int {
      min(max(Int(Double(count) * factor), least), most)
    }
    return ReadLimits(
      byteCount: scaled(limits.byteCount, Self.least.byteCount, most.byteCount),
      messageCount: scaled(limits.messageCount, Self.least.messageCount, most.messageCount))
  }
}
