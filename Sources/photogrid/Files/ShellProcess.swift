import Glibc
import TerminalIO

/// Starts shell commands, with file names as their arguments.
enum ShellProcess {
  /// Starts a command with the default handling of all signals.
  ///
  /// - Parameters:
  ///   - line: The command, in which `"$@"` stands for the names.
  ///   - names: The arguments as bytes; see `safe(_:)`.
  ///   - hasOwnSession: Whether the command continues when the terminal is closed.
  ///   - streams: Sets up the command's standard streams.
  /// - Returns: The process, for which the caller must wait, or the error.
  static func start(
    _ line: String, _ names: [[UInt8]], hasOwnSession: Bool,
    streams: (inout posix_spawn_file_actions_t) -> Void
  ) -> Result<pid_t, TerminalSession.Errno> {
    var files = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&files)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&files)
      posix_spawnattr_destroy(&attributes)
    }
    streams(&files)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // POSIX_SPAWN_SETSID, a macro that Glibc's module leaves out.
    let newSession: Int16 = hasOwnSession ? 0x80 : 0
    posix_spawnattr_setflags(
      &attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    let words = ["/bin/sh", "-c", line, "photogrid"].map { Array($0.utf8) }
    var arguments = (words + names).map(cString)
    arguments.append(nil)
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, "/bin/sh", &files, &attributes, arguments, environ)
    return code == 0 ? .success(process) : .failure(TerminalSession.Errno(code: code))
  }

  /// Returns a name that no program mistakes for an option, with `./` before a leading dash.
  static func safe(_ name: [UInt8]) -> [UInt8] {
    name.first == UInt8(ascii: "-") ? Array("./".utf8) + name : name
  }

  /// Returns a copy of bytes with a NUL appended, which the caller frees; nil if there is no
  /// memory.
  private static func cString(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    (bytes + [0]).withUnsafeBytes { bytes in
      bytes.baseAddress.flatMap { strdup($0.assumingMemoryBound(to: CChar.self)) }
    }
  }
}
