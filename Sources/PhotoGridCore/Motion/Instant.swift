import Glibc

/// A time on the program's monotonic clock, in nanoseconds since an arbitrary origin.
///
/// Time enters the pure core only as this value.
package struct Instant: Comparable, Hashable, Sendable {
  /// The nanoseconds since the clock's origin.
  package let nanoseconds: Int64

  /// Creates the time a number of nanoseconds after the origin.
  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Creates the time a number of seconds after the origin.
  package init(seconds: Double) { nanoseconds = Int64((seconds * 1e9).rounded()) }

  /// Returns the seconds since an earlier time; negative if that time is later.
  package func seconds(since earlier: Instant) -> Double {
    Double(nanoseconds - earlier.nanoseconds) / 1e9
  }

  /// Returns this time moved by a number of seconds.
  package func advanced(bySeconds seconds: Double) -> Instant {
    Instant(nanoseconds: nanoseconds + Int64((seconds * 1e9).rounded()))
  }

  /// Orders earlier times first.
  package static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
