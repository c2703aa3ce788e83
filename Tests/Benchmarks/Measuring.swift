import Foundation

/// An error about arguments that a benchmark does not accept.
struct UsageError: Error, CustomStringConvertible {
  let message: String
  var description: String { message }
}

/// Returns the processor time of this thread, in seconds.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

extension [Double] {
  /// The median; 0 without values.
  var median: Double { percentile(50) }

  /// Returns the value that the given percentage of values does not exceed; 0 without values.
  func percentile(_ percentage: Double) -> Double {
    guard !isEmpty else { return 0 }
    let rank = (Double(count) * percentage / 100).rounded(.up)
    return sorted()[Swift.max(0, Swift.min(count - 1, Int(rank) - 1))]
  }
}

extension [Double] {
  /// The mean; 0 without values.
  var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }
}
