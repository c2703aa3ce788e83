/// A clock that stands while it is paused, and then goes on from where it stood.
package struct PausableClock: Equatable, Sendable {
  /// How far the clock is behind, in nanoseconds, apart from the present pause.
  private var delay: Int64 = 0
  /// When the present pause began; nil while the clock goes.
  private var pauseStart: Instant?

  package init() {}

  package var isPaused: Bool { pauseStart != nil }

  package mutating func pause(at now: Instant) { pauseStart = pauseStart ?? now }

  package mutating func resume(at now: Instant) {
    if let pauseStart { delay += now.nanoseconds - pauseStart.nanoseconds }
    pauseStart = nil
  }

  /// Returns the time that the clock shows now.
  package func time(at now: Instant) -> Instant {
    Instant(nanoseconds: (pauseStart ?? now).nanoseconds - delay)
  }

  /// Returns when the clock will show a time; nil while it is paused.
  package func moment(of time: Instant) -> Instant? {
    isPaused ? nil : Instant(nanoseconds: time.nanoseconds + delay)
  }
}
