import Glibc
import PhotoGridCore
import TerminalIO

/// A shell command for photos, which runs in the terminal.
struct ShellRun {
  private let command: ShellCommand
  private let names: [[UInt8]]
  /// The byte after each name on standard input.
  private let separator: UInt8

  init(_ command: ShellCommand, names: [[UInt8]], separator: UInt8) {
    self.command = command
    self.names = names.map(ShellProcess.safe)
    self.separator = separator
  }

  func run(in terminal: TerminalSession) {
    terminal.runInForeground(start: start) { result in
      let outcome =
        switch result {
        case .exited(0): "done"
        case .exited(let status): "exit status \(status)"
        case .killed(let signal): "killed by signal \(signal)"
        case .notStarted(E2BIG): "too many names to pass as arguments; put | before the command"
        case .notStarted(let code): "cannot be run: \(String(cString: strerror(code)))"
        }
      return "photogrid: \(outcome); press any key to continue"
    }
  }

  /// Starts the command, with the names as arguments or on standard input.
  private func start() -> Result<pid_t, TerminalSession.Errno> {
    // The command uses /dev/tty, because the program's own standard streams may be pipes.
    let list = command.input == .standardInput ? nameList() : nil
    defer { if let list { fclose(list) } }
    if command.input == .standardInput, list == nil {
      return .failure(TerminalSession.Errno(code: errno))
    }
    let arguments = command.input == .arguments ? names : []
    return ShellProcess.start(command.line, arguments, hasOwnSession: false) { files in
      if let list {
        posix_spawn_file_actions_adddup2(&files, fileno(list), STDIN_FILENO)
      } else {
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/tty", O_RDWR, 0)
      }
      posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/tty", O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO)
    }
  }

  /// Writes the names to a temporary file; a pipe would have to be filled while the command runs.
  private func nameList() -> UnsafeMutablePointer<FILE>? {
    guard let file = tmpfile() else { return nil }
    for name in names {
      let line = name + [separator]
      fwrite(line, 1, line.count, file)
    }
    guard fflush(file) == 0 else {
      fclose(file)
      return nil
    }
    rewind(file)
    return file
  }
}

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
