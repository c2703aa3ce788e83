/// How fast the terminal and the line to it take bytes, learnt from the frames that it took.
package struct LinkPace: Equatable, Sendable {
  /// Seconds that a frame may take, so that a key pressed at its start is answered by the next one
  /// within a tenth of a second.
  package static let frameTime = 0.04
  /// Bytes of a frame on a line that is far away and of unknown speed.
  private static let cautiousBudget = 32 << 10
  /// Seconds from there on which a terminal is far away.
  private static let farAway = 0.02
  /// Frames shorter than this say how far away the terminal is, not how fast.
  private static let measurable = 4 << 10
  /// A frame as long as this tells the speed by itself: chance is short beside it.
  private static let decisive = 32 << 10
  /// Shorter ones tell it together: the fastest of so many, as chance only delays.
  private static let window = 8
  private static let fewest = 3

  /// Bytes a second of the last frames that said something.
  private var rates: [Double] = []
  private var isDecided = false
  /// The shortest time from a frame's begin to its answer: the way there and back.
  private var way = Double.infinity

  /// A line of which nothing is known.
  package init() {}

  /// Bytes a second; nil until it is known.
  package var bytesPerSecond: Double? {
    isDecided || rates.count >= Self.fewest ? rates.max() : nil
  }

  /// Bytes that a frame may have, at least a few rows of cells' worth.
  package var byteBudget: Int {
    guard let bytesPerSecond else {
      return way.isFinite && way > Self.farAway ? Self.cautiousBudget : .max
    }
    return Int(max(bytesPerSecond * Self.frameTime, Double(Self.measurable)).rounded())
  }

  /// Takes note of a frame: its length, and the seconds from its begin to the terminal's answer.
  package mutating func frameTaken(byteCount: Int, seconds: Double) {
    guard seconds >= 0, seconds.isFinite else { return }
    let way = way
    self.way = min(way, seconds)
    guard byteCount >= Self.measurable else { return }
    // A tenth of a millisecond, so that the nearest terminal is not infinitely fast.
    let rate = Double(byteCount) / max(seconds - (way < seconds ? way : 0), 1e-4)
    if byteCount >= Self.decisive {
      // With the one before, so that a terminal that stalled once is not thought slow.
      rates = isDecided ? rates.suffix(1) + [rate] : [rate]
      isDecided = true
    } else {
      rates = rates.suffix(Self.window - 1) + [rate]
    }
  }
}
