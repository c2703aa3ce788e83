/// When frames are due: whole multiples of the interval since an origin, so that deadlines never
/// drift, and none at all while nothing moves.
package struct FrameClock: Equatable, Sendable {
  /// Nanoseconds from one frame to the next.
  private let interval: Int64
  private let origin: Instant
  /// The number of the last frame that was drawn.
  private var lastFrame: Int64 = .min

  /// A clock of the given rate that counts from `origin`.
  package init(framesPerSecond: Int, origin: Instant) {
    interval = 1_000_000_000 / Int64(max(framesPerSecond, 1))
    self.origin = origin
  }

  /// When the next frame is due: now, if this interval has had none yet, else at the next multiple.
  package func deadline(after now: Instant) -> Instant {
    let current = frameNumber(at: now)
    guard current <= lastFrame else { return now }
    return Instant(nanoseconds: origin.nanoseconds + (lastFrame + 1) * interval)
  }

  /// Notes that a frame was drawn; deadlines missed meanwhile are skipped, not made up for.
  package mutating func frameWasDrawn(at now: Instant) {
    lastFrame = max(lastFrame, frameNumber(at: now))
  }

  private func frameNumber(at now: Instant) -> Int64 {
    let elapsed = now.nanoseconds - origin.nanoseconds
    return elapsed >= 0 ? elapsed / interval : (elapsed - interval + 1) / interval
  }
}
