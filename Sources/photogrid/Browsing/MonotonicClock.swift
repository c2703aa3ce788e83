import CLinux
import PhotoGridCore

/// The one place where the program asks what time it is.
enum MonotonicClock {
  /// The present moment.
  static var now: Instant { Instant(nanoseconds: monotonic_nanoseconds()) }
}
