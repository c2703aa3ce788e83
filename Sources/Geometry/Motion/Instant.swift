/// A time on the program's monotonic clock, in nanoseconds since an arbitrary origin.
///
/// Time enters the pure core only as this value.
package struct Instant: Comparable, Hashable, Sendable {
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package init(seconds: Double) { nanoseconds = Int64((seconds * 1e9).rounded()) }

  package func seconds(since earlier: Instant) -> Double {
    Double(nanoseconds - earlier.nanoseconds) / 1e9
  }

  package func advanced(bySeconds seconds: Double) -> Instant {
    Instant(nanoseconds: nanoseconds + Int64((seconds * 1e9).rounded()))
  }

  package static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
