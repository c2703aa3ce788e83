struct LinkSpeed: Equatable, Sendable {
  /// The time that a frame may take, in seconds: a key that is pressed at the start of the frame
  /// then has a visible effect within a tenth of a second.
  static let frameTime = 0.04
  /// The byte budget of a frame on a remote link of unknown speed.
  private static let remoteBudget = 32 << 10
  /// The round trip in seconds above which a link is remote.
  private static let remoteRoundTrip = 0.02
  /// The size in bytes from which a frame is a sample of the speed; smaller frames only measure the
  /// round trip.
  private static let minSampleSize = 4 << 10
  /// The size in bytes from which a single frame is enough to know the speed, since delays are
  /// short compared with its transfer.
  private static let largeSampleSize = 32 << 10
  /// The number of smaller samples of which the fastest gives the speed, since delays only slow
  /// frames down.
  private static let sampleCount = 8
  private static let minSampleCount = 3

  /// The speeds of the last samples, in bytes a second.
  private var rates: [Double] = []
  private var hasLargeSample = false
  /// The shortest time from a frame's start to its reply, in seconds.
  private var roundTrip = Double.infinity

  init() {}

  /// Bytes a second; nil until enough frames were sent.
  var bytesPerSecond: Double? {
    hasLargeSample || rates.count >= Self.minSampleCount ? rates.max() : nil
  }

  /// The most bytes that a frame should have: at least enough for a few rows of cells.
  var byteBudget: Int {
    guard let bytesPerSecond else {
      let isRemote = roundTrip.isFinite && roundTrip > Self.remoteRoundTrip
      return isRemote ? Self.remoteBudget : .max
    }
    return Int(max(bytesPerSecond * Self.frameTime, Double(Self.minSampleSize)).rounded())
  }

  /// Records the length and the time of a frame.
  mutating func recordFrame(byteCount: Int, seconds: Double) {
    guard seconds >= 0, seconds.isFinite else { return }
    let previousRoundTrip = roundTrip
    roundTrip = min(roundTrip, seconds)
    guard byteCount >= Self.minSampleSize else { return }
    // At least a tenth of a millisecond, so that the fastest link is not infinitely fast.
    let transferTime = seconds - (previousRoundTrip < seconds ? previousRoundTrip : 0)
    let rate = Double(byteCount) / max(transferTime, 1e-4)
    if byteCount >= Self.largeSampleSize {
      // The last two large samples, so that a terminal that stalled once does not count as slow.
      rates = hasLargeSample ? rates.suffix(1) + [rate] : [rate]
      hasLargeSample = true
    } else {
      rates = rates.suffix(Self.sampleCount - 1) + [rate]
    }
  }
}
