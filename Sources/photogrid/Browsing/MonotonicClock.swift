import CLinux
import PhotoGridCore

/// The only clock of the program.
enum MonotonicClock {
  /// The current time.
  static var now: Instant { Instant(nanoseconds: monotonic_nanoseconds()) }
}
