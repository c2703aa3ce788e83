import PhotoGridCore

/// Watches whether a process that has not answered waits for a disk instead of computing.
///
/// A process that neither runs nor is ready to run waits for something; a decoder waits for nothing
/// but the files that it reads.
struct DiskWait {
  /// Whether it waited during the last period.
  private(set) var isWaiting = false
  /// Whether it waited during any period.
  private(set) var hasWaited = false
  /// When to call `check(at:_:)` next.
  private(set) var nextCheck: Instant
  private var earlier: ProcessorWait?

  /// How long a process is watched at a time, in seconds; it is found to wait after two of them at the
  /// earliest.
  private static let period = 1.0
  /// The fraction of a period for which a process that waits may be active.
  private static let activeShare = 0.25

  /// Creates a watch of a process that was just asked.
  init(from now: Instant) { nextCheck = now.advanced(bySeconds: Self.period) }

  /// Postpones the next check by the seconds for which the program itself was stopped.
  mutating func postpone(bySeconds seconds: Double) {
    nextCheck = nextCheck.advanced(bySeconds: seconds)
  }

  /// Finds whether the process waits, once a period is over.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - times: Returns the times of the process's threads so far; nil if unknown.
  mutating func check(at now: Instant, _ times: @autoclosure () -> ProcessorWait?) {
    guard now >= nextCheck else { return }
    nextCheck = now.advanced(bySeconds: Self.period)
    let times = times()
    defer { earlier = times }
    guard let times, let earlier else { return isWaiting = false }
    isWaiting = times.activeSeconds(since: earlier) < Self.period * Self.activeShare
    hasWaited = hasWaited || isWaiting
  }
}
