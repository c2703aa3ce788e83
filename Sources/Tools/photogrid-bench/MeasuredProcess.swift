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
