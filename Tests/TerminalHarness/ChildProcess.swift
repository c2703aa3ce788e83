import Glibc

/// Starts a program as a terminal does: in a new session, without blocked signals.
package enum ChildProcess {
  /// The program's standard input, output and error.
  package enum Streams {
    /// A terminal by its path, which becomes the session's controlling terminal.
    case terminal(String)
    /// Descriptors of this process.
    case descriptors(input: Int32, output: Int32, error: Int32)
  }

  /// Why a program could not be started.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Starts a program, which is found by `PATH`.
  ///
  /// - Parameters:
  ///   - arguments: The program's name and its arguments.
  ///   - streams: Its three standard streams.
  ///   - environment: Variables that differ from this process's; an empty value unsets.
  /// - Returns: The process, to be waited for.
  /// - Throws: `Failure` with the system's error.
  package static func start(
    _ arguments: [String], _ streams: Streams, environment: [String: String] = [:]
  ) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    switch streams {
    case .terminal(let path):
      // The first terminal that the leader of a new session opens becomes its controlling terminal.
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
    case .descriptors(let input, let output, let error):
      for (number, descriptor) in [input, output, error].enumerated() {
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID, a macro that Glibc's module leaves out
    posix_spawnattr_setflags(
      &attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    // A thread of a Swift task blocks most signals, and the program would inherit that.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)

    var variables = inherited
    variables.merge(environment) { $1 }
    let words = variables.filter { !$0.value.isEmpty }.map { "\($0.key)=\($0.value)" }
    var argv = arguments.map { strdup($0) } + [nil]
    var envp = words.map { strdup($0) } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, arguments[0], &actions, &attributes, &argv, &envp)
    guard code == 0 else {
      throw Failure(description: "\(arguments[0]): \(String(cString: strerror(code)))")
    }
    return process
  }

  private static var inherited: [String: String] {
    var result: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1)
      if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return result
  }
}
