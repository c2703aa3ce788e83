import CLinux
import PhotoGridCore

/// Gives memory back to the system that the heap keeps between small pictures.
///
/// Without it the program grows by half of its budget in an hour of browsing.
struct HeapTrimmer {
  private var next: Instant?
  private let report = MemoryReport()

  /// Seconds from one time to the next.
  private static let interval = 10.0
  /// Seconds without work that are needed, so that no frame waits.
  private static let pause = 0.1

  /// Trims the heap before a wait until a deadline, unless that is soon or the last time recent.
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
