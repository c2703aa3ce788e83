import Glibc

/// A moment on the program's monotonic clock, in nanoseconds since an arbitrary origin.
///
/// Time enters the pure core as this value only.
package struct Instant: Comparable, Hashable, Sendable {
  /// Nanoseconds of the monotonic clock.
  package let nanoseconds: Int64

  /// The moment the given number of nanoseconds after the origin.
  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The moment the given number of seconds after the origin.
  package init(seconds: Double) { nanoseconds = Int64((seconds * 1e9).rounded()) }

  /// Seconds from an earlier moment to this one; negative if that moment is later.
  package func seconds(since earlier: Instant) -> Double {
    Double(nanoseconds - earlier.nanoseconds) / 1e9
  }

  /// This moment moved by seconds.
  package func advanced(bySeconds seconds: Double) -> Instant {
    Instant(nanoseconds: nanoseconds + Int64((seconds * 1e9).rounded()))
  }

  /// Earlier moments come first.
  package static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
