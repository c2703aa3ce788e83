import Foundation

/// Arguments that a benchmark does not understand, in words.
struct UsageError: Error, CustomStringConvertible {
  let message: String
  var description: String { message }
}

/// Seconds that the processor has spent on this thread.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

extension [Double] {
  /// The value in the middle, 0 if there is none.
  var median: Double { percentile(50) }

  /// The value that the given percentage is not above, 0 if there is none.
  func percentile(_ percentage: Double) -> Double {
    guard !isEmpty else { return 0 }
    let rank = (Double(count) * percentage / 100).rounded(.up)
    return sorted()[Swift.max(0, Swift.min(count - 1, Int(rank) - 1))]
  }
}

extension [Double] {
  /// The sum divided by the count, 0 if there is none.
  var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }
}
