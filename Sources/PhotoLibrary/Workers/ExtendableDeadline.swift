import PhotoGridCore

/// The deadline of a process's answer, which is postponed while other programs occupy the
/// processors.
///
/// When its timeout is over, a process is watched for a fifth of the timeout. If it was ready to
/// run, but without a processor, for a quarter of that fifth, it is not stuck: it is watched for
/// another fifth, and so on. A process that waits for a disk, or that computes without a pause,
/// times out after the first fifth.
struct ExtendableDeadline {
  /// The current deadline.
  private(set) var end: Instant
  /// The timeout on an idle machine, in seconds.
  private let seconds: Double
  /// The time from which the deadline is not postponed any more.
  private var last: Instant
  /// How long the process had waited for a processor at the end of the last period.
  private var wait: ProcessorWait?

  /// The longest time until `last`, as a multiple of the timeout.
  private static let mostTimes = 8.0
  /// The period for which a process is watched, as a fraction of its timeout.
  private static let step = 0.2
  /// The fraction of a period that a process must wait for a processor to be watched for another
  /// one.
  private static let waitingShare = 0.25

  /// Creates a deadline.
  ///
  /// - Parameters:
  ///   - seconds: The timeout on an idle machine, in seconds.
  ///   - now: The current time.
  init(seconds: Double, from now: Instant) {
    self.seconds = seconds
    end = now.advanced(bySeconds: seconds)
    last = now.advanced(bySeconds: seconds * Self.mostTimes)
  }

  /// Postpones the deadline by the seconds for which the program itself was stopped.
  mutating func postpone(bySeconds seconds: Double) {
    end = end.advanced(bySeconds: seconds)
    last = last.advanced(bySeconds: seconds)
  }

  /// Postpones a deadline that has passed, if the process was kept from the processors.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - processorWait: How long the process has waited for a processor so far; nil if unknown.
  /// - Returns: Whether the deadline was postponed.
  mutating func extend(at now: Instant, processorWait: ProcessorWait?) -> Bool {
    guard let processorWait, now < last else { return false }
    let step = seconds * Self.step
    defer { wait = processorWait }
    if let wait, processorWait.seconds(since: wait) < step * Self.waitingShare { return false }
    end = now.advanced(bySeconds: step)
    return true
  }
}
