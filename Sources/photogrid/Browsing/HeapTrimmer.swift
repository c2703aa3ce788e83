import CLinux
import PhotoGridCore

/// Returns unused memory between small pictures in the heap to the system, now and then.
///
/// Otherwise the program grows by half of its memory budget in an hour of browsing.
struct HeapTrimmer {
  /// The earliest time to trim again; nil before the first call.
  private var next: Instant?
  private let report = MemoryReport()

  /// The shortest time between two trims, in seconds.
  private static let interval = 10.0
  /// The shortest wait before which the heap is trimmed, in seconds, so that no frame is delayed.
  private static let pause = 0.1

  /// Trims the heap before the run loop waits, unless the wait is short or the last trim recent.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - deadline: The end of the wait; nil if there is none.
  ///   - pictures: The memory of the pictures, in bytes.
  mutating func trim(
    at now: Instant, before deadline: Instant?, pictures: @autoclosure () -> Int
  ) {
    guard deadline.map({ $0.seconds(since: now) >= Self.pause }) ?? true else { return }
    guard next.map({ $0 <= now }) ?? true else { return }
    if next != nil { malloc_trim(0) }
    report.write(pictures: pictures())
    next = now.advanced(bySeconds: Self.interval)
  }
}
