import CLinux
import Glibc
import PhotoGridCore

/// Programs that were started for photos and live on without this one.
///
/// They have a session of their own, no terminal, and nothing of what they say is shown; only that
/// they could not do it is told.
struct Openings {
  private var programs: [Program] = []

  /// What the desktop opens files with.
  private static let desktop = "xdg-open"

  private struct Program {
    var process: pid_t
    /// Readable once the process has ended; -1 where the system has no such thing.
    var descriptor: Int32
    var command: String?
  }

  /// What to poll for reading.
  var pollDescriptors: [Int32] { programs.map(\.descriptor).filter { $0 >= 0 } }

  /// What a command is called; nil is the desktop's program.
  func name(of command: String?) -> String {
    CellText(PrintableText.from((command ?? Self.desktop).utf8)).cutInTheMiddle(to: 30).string
  }

  /// Starts a program with a photo's path as its argument.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - command: a line for the shell; nil for the desktop's program.
  /// - Returns: Words that say why not, where that is known at once.
  mutating func open(_ path: [UInt8], with command: String?) -> String? {
    let line = ShellCommand(typed: command ?? Self.desktop, photos: [])?.line ?? ""
    // The terminal's end is not the program's.
    let start = ShellProcess.start(line, [ShellProcess.safe(path)], hasOwnSession: true) { files in
      posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO)
    }
    switch start {
    case .success(let process):
      programs.append(
        Program(process: process, descriptor: process_descriptor(process), command: command))
      return nil
    case .failure(let fault):
      return "\(name(of: command)) cannot be started: \(String(cString: strerror(fault.code)))"
    }
  }

  /// Takes note of programs that have ended.
  ///
  /// - Returns: What is to be told of those that failed.
  mutating func service() -> [String] {
    guard !programs.isEmpty else { return [] }
    var words: [String] = []
    var running: [Program] = []
    for program in programs {
      var status: Int32 = 0
      let ended = waitpid(program.process, &status, WNOHANG)
      if ended == 0 {
        running.append(program)
        continue
      }
      if program.descriptor >= 0 { close(program.descriptor) }
      if ended > 0, let fault = fault(of: program, status) { words.append(fault) }
    }
    programs = running
    return words
  }

  private func fault(of program: Program, _ status: Int32) -> String? {
    let name = name(of: program.command)
    // One that was ended by a signal was so by somebody who knows.
    guard status & 0x7F == 0 else { return nil }
    switch status >> 8 & 0xFF {
    case 0: return nil
    case 127 where program.command == nil:
      return "\(name) is not installed; --open-with COMMAND names another program"
    case 127: return "\(name): there is no such command"
    case 126: return "\(name): it cannot be run"
    case 3 where program.command == nil: return "\(name) knows no program for it"
    case let code: return "\(name) ended with status \(code)"
    }
  }
}
