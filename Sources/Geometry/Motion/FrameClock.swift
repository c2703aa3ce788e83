/// A schedule of frames at whole multiples of an interval since an origin, so deadlines never
/// drift.
///
/// While nothing moves, no deadline is requested.
package struct FrameClock: Equatable, Sendable {
  /// The time between two frames, in nanoseconds.
  private let interval: Int64
  private let origin: Instant
  private var lastFrame: Int64 = .min

  /// Creates a clock with the given rate that counts from `origin`.
  package init(framesPerSecond: Int, origin: Instant) {
    interval = 1_000_000_000 / Int64(max(framesPerSecond, 1))
    self.origin = origin
  }

  /// Returns the deadline of the next frame: now if the current interval has no frame yet,
  /// otherwise the start of the next interval.
  package func deadline(after now: Instant) -> Instant {
    let current = frameNumber(at: now)
    guard current <= lastFrame else { return now }
    return Instant(nanoseconds: origin.nanoseconds + (lastFrame + 1) * interval)
  }

  /// Records that a frame was drawn; missed deadlines are skipped, not made up for.
  package mutating func frameWasDrawn(at now: Instant) {
    lastFrame = max(lastFrame, frameNumber(at: now))
  }

  private func frameNumber(at now: Instant) -> Int64 {
    let elapsed = now.nanoseconds - origin.nanoseconds
    return elapsed >= 0 ? elapsed / interval : (elapsed - interval + 1) / interval
  }
}
