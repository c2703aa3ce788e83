import Foundation

/// Runs programs to their end and measures the time.
enum MeasuredProcess {
  /// Runs a program that is found in `PATH`, and discards its output.
  ///
  /// - Returns: The processor time and the elapsed time, in seconds; nil if it is not installed or
  ///   fails.
  static func run(_ command: [String]) throws -> (processor: Double, clock: Double)? {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var arguments = command.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    let start = ProcessInfo.processInfo.systemUptime
    guard posix_spawnp(&process, command[0], &files, nil, &arguments, environ) == 0 else {
      return nil
    }
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(process, &status, 0, &usage) == process, status == 0 else { return nil }
    let clock = ProcessInfo.processInfo.systemUptime - start
    return (processorSeconds(of: usage), clock)
  }

  /// Returns the processor time of a process and of the children that it has waited for, in
  /// seconds.
  static func processorSeconds(of usage: rusage) -> Double {
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}

/// The processor time of a program and of all processes that it starts, including those that have
/// ended.
struct ProcessorMeter {
  private let process: Int32
  /// The processor time of each process when it was last seen, in seconds.
  private var seconds: [Int32: Double] = [:]
  private var lastSample = 0.0

  /// The time between samples, in seconds; what processes use after their last one is not counted.
  private static let interval = 0.1

  /// A meter of a running program.
  init(_ process: Int32) { self.process = process }

  /// Looks at all processes, unless that was done a moment ago.
  mutating func sample() {
    guard ProcessInfo.processInfo.systemUptime - lastSample >= Self.interval else { return }
    _ = total()
  }

  /// Looks at all processes, and returns the processor time of all that were seen, in seconds.
  mutating func total() -> Double {
    for process in [process] + ProgramRun.descendants(of: process) {
      seconds[process] = max(seconds[process] ?? 0, ProgramRun.processorSeconds(of: process))
    }
    lastSample = ProcessInfo.processInfo.systemUptime
    return seconds.values.reduce(0, +)
  }
}
