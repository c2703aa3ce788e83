/// How a film is played: as frames at a constant rate, each with an index from 0, whatever the times
/// of the frames in its file are.
///
/// An index therefore stands for a time, so that the program can jump to any of them.
package struct FilmTiming: Equatable, Sendable {
  /// The frames per second that are shown.
  package let rate: Double
  /// The number of frames; more than can be decoded if the container does not say how long it is.
  package private(set) var frameCount: Int
  /// Whether the length is known.
  package private(set) var isLengthKnown: Bool

  /// The highest rate that is shown; films with more are shown at a half or a quarter of theirs.
  private static let maxRate = 31.0
  /// The rate where the container says none.
  private static let usualRate = 30.0
  /// The length where the container says none, in seconds.
  private static let unknownLength = 6 * 3600.0
  /// The most frames.
  private static let maxFrameCount = 1 << 30

  /// The timing of a film with a length in seconds and a number of frames per second, each nil if
  /// its container does not say.
  package init(length: Double?, frameRate: Double?) {
    var rate = frameRate ?? Self.usualRate
    while rate > Self.maxRate { rate /= 2 }
    self.rate = max(rate, 0.1)
    let count = (length ?? Self.unknownLength) * self.rate
    // A length is rounded to the units of its container.
    frameCount = max(Int(min(count - 0.01, Double(Self.maxFrameCount)).rounded(.up)), 1)
    isLengthKnown = length != nil
  }

  /// The timing of the film that some facts are about; nil if they are a photo's.
  package init?(_ info: PhotoInfo) {
    guard info.format == .film else { return nil }
    self.init(length: info.length, frameRate: info.frameRate)
  }

  /// Ends the film before a frame that cannot be decoded.
  package mutating func end(at frameIndex: Int) {
    guard frameIndex < frameCount else { return }
    frameCount = max(frameIndex, 1)
    isLengthKnown = true
  }

  /// The length of the frames, in seconds.
  package var length: Double { Double(frameCount) / rate }

  /// Returns the time at which a frame begins, in seconds.
  package func seconds(at frameIndex: Int) -> Double { Double(frameIndex) / rate }

  /// Returns the index of the frame at a time in seconds, the first or last one for times outside.
  package func frameIndex(at seconds: Double) -> Int {
    min(max(Int((seconds * rate + 1e-6).rounded(.down)), 0), frameCount - 1)
  }
}
