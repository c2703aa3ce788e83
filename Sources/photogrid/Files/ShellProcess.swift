import Glibc
import TerminalIO

/// A command line that the shell runs as a process of its own, with names as its arguments.
enum ShellProcess {
  /// Starts a command line; its signals are as a shell would have left them.
  ///
  /// - Parameters:
  ///   - line: what the shell is to run; `"$@"` in it is the names.
  ///   - names: the arguments, as bytes; see `safe`.
  ///   - hasOwnSession: whether it lives on when the terminal goes.
  ///   - streams: sets what its standard streams are.
  /// - Returns: its process, to be waited for, or why there is none.
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

  /// A name that no program takes for an option, as it would one that begins with a dash.
  static func safe(_ name: [UInt8]) -> [UInt8] {
    name.first == UInt8(ascii: "-") ? Array("./".utf8) + name : name
  }

  /// A copy with a NUL behind it, to be freed; nil where there is no memory.
  private static func cString(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    (bytes + [0]).withUnsafeBytes { bytes in
      bytes.baseAddress.flatMap { strdup($0.assumingMemoryBound(to: CChar.self)) }
    }
  }
}
