import CLinux
import Foundation
import Geometry

extension [Double] {
  /// The median; not a number without values.
  var median: Double { percentile(50) }

  /// The largest; not a number without values.
  var most: Double { self.max() ?? .nan }

  /// The mean; not a number without values.
  var mean: Double { isEmpty ? .nan : reduce(0, +) / Double(count) }

  /// What `Table.spread` names.
  var spread: [Double] { [median, percentile(95), percentile(99), most] }

  /// The value that the given percentage of values does not exceed; not a number without values.
  func percentile(_ percentage: Double) -> Double {
    guard !isEmpty else { return .nan }
    let rank = (Double(count) * percentage / 100).rounded(.up)
    return sorted()[Swift.max(0, Swift.min(count - 1, Int(rank) - 1))]
  }
}

extension [[Double]] {
  /// The median of each column of some rows.
  var medians: [Double] { (self.first ?? []).indices.map { column in map { $0[column] }.median } }
}

/// The current time on the monotonic clock.
var now: Instant { Instant(nanoseconds: monotonic_nanoseconds()) }

/// The processor time of this thread, in seconds.
var processorSeconds: Double { seconds(on: CLOCK_THREAD_CPUTIME_ID) }

/// The time of a clock of the system, in seconds.
func seconds(on clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The seconds that something takes by the clock.
func elapsed(_ body: () throws -> Void) rethrows -> Double {
  let start = now
  try body()
  return now.seconds(since: start)
}

/// The processor time that something takes in this thread, in milliseconds.
func processorMilliseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = processorSeconds
  try body()
  return (processorSeconds - start) * 1000
}

/// Measures several things in turns, so that what else the machine does affects all of them alike.
///
/// - Returns: The results of each.
func inTurns<Result>(_ rounds: Int, _ measurements: [() throws -> Result]) throws -> [[Result]] {
  var results = measurements.map { _ in [Result]() }
  for _ in 0..<rounds {
    for (index, measure) in measurements.enumerated() { results[index].append(try measure()) }
  }
  return results
}

/// A table that is printed row by row as its numbers are measured.
struct Table {
  /// The columns of the spread of some values.
  static let spread = ["median", "p95", "p99", "most"]

  private let widths: [Int]
  private let labelWidth: Int

  /// Prints what is measured, and the names of the columns; `labels` is the width of the rows' names.
  init(_ title: String, _ columns: [String] = spread, labels: Int = 34) {
    widths = columns.map { max($0.count, 8) + 2 }
    labelWidth = labels
    print("\(title):")
    if columns.count > 1 {
      let names = zip(columns, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }
      print(String(repeating: " ", count: labels) + names.joined())
    }
    fflush(nil)
  }

  /// Prints a row, with a dash for NaN and "never" for infinity.
  func row(_ label: String, _ values: [Double], note: String = "") {
    let cells = zip(values.map(figure), widths).map {
      String(repeating: " ", count: max($1 - $0.count, 1)) + $0
    }
    let name = label.padding(toLength: max(labelWidth, label.count), withPad: " ", startingAt: 0)
    print(name + cells.joined() + (note.isEmpty ? "" : "  \(note)"))
    fflush(nil)
  }
}

/// A number with four digits, or as many as a whole number has.
func figure(_ value: Double) -> String {
  guard value.isFinite else { return value.isNaN ? "—" : "never" }
  guard value != value.rounded() else { return String(format: "%.0f", value) }
  let magnitude = Int(log10(abs(value)).rounded(.down))
  return String(format: "%.\(max(0, min(3 - magnitude, 4)))f", value)
}
