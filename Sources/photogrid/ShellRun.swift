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
    // What begins with a dash would be taken for an option.
    self.names = names.map { $0.first == UInt8(ascii: "-") ? Array("./".utf8) + $0 : $0 }
    self.separator = separator
  }

  /// Runs it in the terminal, and returns when it has ended and a key was pressed.
  func run(in terminal: TerminalSession) {
    terminal.lend(start: start) { ending in
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
    var files = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&files)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&files)
      posix_spawnattr_destroy(&attributes)
    }
    // The standard streams may be pipes of which the command knows nothing.
    let list = command.input == .standardInput ? nameList() : nil
    defer { if let list { fclose(list) } }
    if command.input == .standardInput {
      guard let list else { return .failure(TerminalSession.Errno(code: errno)) }
      posix_spawn_file_actions_adddup2(&files, fileno(list), STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/tty", O_RDWR, 0)
    }
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/tty", O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO)

    // Signals as a shell would have left them.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    let line = Array(command.line.utf8)
    let words = ["/bin/sh", "-c"].map { Array($0.utf8) } + [line, Array("photogrid".utf8)]
    var arguments = (words + (command.input == .arguments ? names : [])).map(Self.cString)
    arguments.append(nil)
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, "/bin/sh", &files, &attributes, arguments, environ)
    return code == 0 ? .success(process) : .failure(TerminalSession.Errno(code: code))
  }

  /// A copy with a NUL behind it, to be freed; nil where there is no memory.
  private static func cString(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    (bytes + [0]).withUnsafeBytes { bytes in
      bytes.baseAddress.flatMap { strdup($0.assumingMemoryBound(to: CChar.self)) }
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
