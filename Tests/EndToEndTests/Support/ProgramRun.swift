import Foundation

/// A program that ran to its end without a terminal.
struct ProgramRun: CustomStringConvertible {
  /// The exit status, or 1000 and the number of the signal that ended it.
  var status: Int32
  var output: [UInt8]
  var errors: [UInt8]

  var outputText: String { String(decoding: output, as: UTF8.self) }
  var errorText: String { String(decoding: errors, as: UTF8.self) }

  var description: String {
    "status \(status)\nstandard output: \(outputText.debugDescription)\n"
      + "standard error: \(errorText.debugDescription)"
  }

  /// Runs a program in a session of its own, where it has no terminal; kills it after 30 seconds.
  static func of(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
  ) -> ProgramRun {
    let files = (0..<3).map { _ in MemoryFile() }
    files[0].write(input)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, file) in files.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, file.descriptor, Int32(number))
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID, a macro that Glibc's module leaves out
    posix_spawnattr_setflags(
      &attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    // A thread of a Swift task blocks most signals, which the program would inherit.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)

    var variables = ProcessInfo.processInfo.environment
    variables.merge(environment) { $1 }
    let words = variables.filter { !$0.value.isEmpty }.map { "\($0.key)=\($0.value)" }
    var argv = arguments.map { strdup($0) } + [nil]
    var envp = words.map { strdup($0) } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, arguments[0], &actions, &attributes, &argv, &envp)
    guard code == 0 else {
      return ProgramRun(
        status: -1, output: [], errors: Array(String(cString: strerror(code)).utf8))
    }
    let status = Processes.wait(for: process, seconds: 30)
    return ProgramRun(status: status, output: files[1].bytes, errors: files[2].bytes)
  }
}

/// A file without a name, for a program's standard streams.
private final class MemoryFile {
  let descriptor: Int32

  init() {
    var template = Array("/tmp/photogrid-stream.XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
  }

  deinit { close(descriptor) }

  /// Puts bytes into the file and its position back to the start.
  func write(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    lseek(descriptor, 0, SEEK_SET)
  }

  var bytes: [UInt8] {
    let count = Int(lseek(descriptor, 0, SEEK_END))
    return [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
      filled = max(pread(descriptor, buffer.baseAddress, buffer.count, 0), 0)
    }
  }
}
