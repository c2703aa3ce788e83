import CLinux
import PhotoGridCore

/// Gives memory back to the system that the heap keeps between small pictures.
///
/// Without it the program grows by half of its budget in an hour of browsing.
struct HeapTrimmer {
  private var next: Instant?

  /// Seconds from one time to the next.
  private static let interval = 10.0
  /// Seconds without work that are needed, so that no frame waits.
  private static let pause = 0.1

  /// Trims the heap before a wait until a deadline, unless that is soon or the last time recent.
  mutating func trim(at now: Instant, before deadline: Instant?) {
    guard deadline.map({ $0.seconds(since: now) >= Self.pause }) ?? true else { return }
    guard next.map({ $0 <= now }) ?? true else { return }
    if next != nil { malloc_trim(0) }
    next = now.advanced(bySeconds: Self.interval)
  }
}
