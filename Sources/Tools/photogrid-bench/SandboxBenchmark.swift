import Foundation

/// What it costs a worker process to confine itself, beside its start.
enum SandboxBenchmark {
  /// Prints the time of a start without and with all layers, and the difference.
  static func run(_ arguments: [String]) throws {
    guard arguments.isEmpty else { throw UsageError(message: "takes no arguments") }
    let worker = ProgramRun.photogrid + "-worker"
    var times: [String: [Double]] = [:]
    // By turns, so that what else the machine does falls on both.
    for _ in 0..<100 {
      for option in ["--version", "--confinement"] {
        guard let time = try MeasuredProcess.run([worker, option]) else {
          throw UsageError(message: "\(worker) cannot be run")
        }
        times[option, default: []].append(time.clock * 1000)
      }
    }
    let plain = times["--version"] ?? []
    let confined = times["--confinement"] ?? []
    print("start of a worker in ms, 100 runs each    median     p25      min")
    for (name, values) in [("without", plain), ("confined", confined)] {
      print(
        name.padding(toLength: 40, withPad: " ", startingAt: 0),
        String(
          format: "%7.2f %7.2f %8.2f", values.median, values.percentile(25), values.min() ?? 0))
    }
    print(String(format: "difference of the medians: %.2f ms", confined.median - plain.median))
  }
}
