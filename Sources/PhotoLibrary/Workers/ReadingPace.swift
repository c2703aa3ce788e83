import PhotoGridCore

/// How much to read from a process in a turn of the loop, and when, by what it took to take in what
/// was read before.
///
/// A key waits for as long as a turn takes, and that depends on more than the number of bytes: names
/// in any order are each sorted into all those from before. A pace is a value; the loop measures the
/// time.
struct ReadingPace: Equatable {
  /// The most that is read in a turn.
  let most: ReadLimits
  /// What is read in the next turn.
  private(set) var limits: ReadLimits
  /// Until when nothing is read, since turns take too long however little they read; nil if the next
  /// turn may begin at once.
  private(set) var restEnd: Instant?

  /// The time that a turn may take, in seconds.
  static let budget = 0.008
  /// What is read at least: a turn has costs of its own.
  static let least = ReadLimits(byteCount: 16 << 10, messageCount: 4)
  /// How long nothing is read after a turn that took too long, in lengths of the turn.
  private static let restFactor = 4.0
  /// The longest rest, in seconds.
  private static let longestRest = 1.0

  /// A pace that begins with the most.
  init(most: ReadLimits) {
    self.most = most
    limits = most
  }

  /// Begins a turn unless nothing is to be read yet, and returns whether it did.
  mutating func beginTurn(at now: Instant) -> Bool {
    if let restEnd, now < restEnd { return false }
    restEnd = nil
    return true
  }

  /// Sets the pace of the next turn by the one that has ended.
  ///
  /// - Parameters:
  ///   - read: How much was read in the turn.
  ///   - seconds: The time of the processor that it took to read that and to take it in.
  ///   - now: The end of the turn.
  mutating func record(_ read: ReadLimits, seconds: Double, at now: Instant) {
    guard restEnd == nil, read.messageCount > 0 else { return }
    let isLeast = limits == Self.least
    let factor = Self.budget / max(seconds, 1e-6)
    if factor < 1 {
      limits = scaled(by: factor, from: read.lesser(than: limits))
      guard isLeast, factor < 0.5 else { return }
      restEnd = now.advanced(bySeconds: min(Self.restFactor * seconds, Self.longestRest))
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
