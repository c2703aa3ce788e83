import Glibc
import PhotoGridCore
import TerminalIO

/// A shell command for photos, which runs in the terminal.
struct ShellRun {
  private let command: ShellCommand
  private let names: [[UInt8]]
  /// The byte after each name on standard input.
  private let separator: UInt8

  /// Creates a run of a command.
  init(_ command: ShellCommand, names: [[UInt8]], separator: UInt8) {
    self.command = command
    self.names = names.map(ShellProcess.safe)
    self.separator = separator
  }

  /// Runs the command, and returns after it has ended and the user has pressed a key.
  func run(in terminal: TerminalSession) {
    terminal.runInForeground(start: start) { result in
      let outcome =
        switch result {
        case .exited(0): "done"
        case .exited(let status): "exit status \(status)"
        case .killed(let signal): "ended by signal \(signal)"
        case .notStarted(E2BIG): "too many names for arguments; use | before the command"
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
