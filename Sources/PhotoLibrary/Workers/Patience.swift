import PhotoGridCore

/// How long to wait for a process's answer: longer while other programs keep the processors from it.
///
/// At the end of its time a process is watched for a fifth of that time. If it was ready to run for
/// a quarter of that without a processor, it is not stuck, and is watched for another fifth, and so
/// on. One that waits for a disk, or computes all the time, ends after the first.
struct Patience {
  /// When the answer has to be there.
  private(set) var end: Instant
  /// The time for the answer on an idle machine, in seconds.
  private let seconds: Double
  /// When no more time is given, whatever the reason.
  private var last: Instant
  /// How long the process had waited for a processor when it was last looked at.
  private var wait: ProcessorWait?

  /// The most time that is given, as a multiple of the time on an idle machine.
  private static let mostTimes = 8.0
  /// The time for which a process is watched, as a part of its time.
  private static let step = 0.2
  /// The part of that for which it has to wait for a processor to get more time.
  private static let waitingShare = 0.25

  /// Starts to wait.
  init(seconds: Double, from now: Instant) {
    self.seconds = seconds
    end = now.advanced(bySeconds: seconds)
    last = now.advanced(bySeconds: seconds * Self.mostTimes)
  }

  /// Waits longer by some seconds in which the program itself was stopped.
  mutating func postpone(bySeconds seconds: Double) {
    end = end.advanced(bySeconds: seconds)
    last = last.advanced(bySeconds: seconds)
  }

  /// Waits longer, at the end of the time, if the process is kept from the processors.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - processorWait: How long the process has waited for a processor so far; nil if that is not
  ///     known.
  /// - Returns: Whether there is more time.
  mutating func extend(at now: Instant, processorWait: ProcessorWait?) -> Bool {
    guard let processorWait, now < last else { return false }
    let step = seconds * Self.step
    defer { wait = processorWait }
    if let wait, processorWait.seconds(since: wait) < step * Self.waitingShare { return false }
    end = now.advanced(bySeconds: step)
    return true
  }
}
