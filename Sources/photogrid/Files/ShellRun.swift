import Glibc
import PhotoGridCore
import TerminalIO

/// Runs a command line by the shell, with the names of photos.
struct ShellRun {
  private let command: ShellCommand
  private let names: [[UInt8]]
  /// What ends a name on standard input.
  private let separator: UInt8

  /// A run of a command for photos of the given names.
  init(_ command: ShellCommand, names: [[UInt8]], separator: UInt8) {
    self.command = command
    self.names = names.map(ShellProcess.safe)
    self.separator = separator
  }

  /// Runs it in the terminal, and returns when it has ended and a key was pressed.
  func run(in terminal: TerminalSession) {
    terminal.runInForeground(start: start) { ending in
      let outcome =
        switch ending {
        case .exited(0): "done"
        case .exited(let status): "exit status \(status)"
        case .killed(let signal): "ended by signal \(signal)"
        case .notStarted(E2BIG): "too many names for arguments; | before the command pipes them"
        case .notStarted(let code): "cannot be run: \(String(cString: strerror(code)))"
        }
      return "photogrid: \(outcome); any key goes on"
    }
  }

  private func start() -> Result<pid_t, TerminalSession.Errno> {
    // The standard streams may be pipes of which the command knows nothing.
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

  /// The names in a file of their own: a pipe would have to be written while the command reads.
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
