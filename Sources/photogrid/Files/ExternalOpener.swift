import CLinux
import Glibc
import PhotoGridCore
import PhotoLibrary

/// Opens photos with other programs, which keep running after this one ends.
///
/// The programs run in a new session, without a terminal. Their output is discarded; only failures
/// are reported.
struct ExternalOpener {
  private var programs: [Program] = []

  /// The desktop's program that opens files.
  private static let desktop = "xdg-open"

  /// A program that was started.
  private struct Program {
    var process: pid_t
    /// A descriptor that becomes readable when the process ends; -1 if the system has none.
    var descriptor: Int32
    /// The shell command; nil for the desktop's program.
    var command: String?
  }

  /// The descriptors to poll, with the events to poll for.
  var pollRequests: [pollfd] {
    programs.filter { $0.descriptor >= 0 }.map { pollfd(reading: $0.descriptor) }
  }

  /// Returns nil, since the descriptors report the end of a program.
  func nextDeadline(after now: Instant) -> Instant? { nil }

  /// Leaves the programs running.
  func shutDown() {}

  /// Returns the name of a command for the user; nil stands for the desktop's program.
  func name(of command: String?) -> String {
    CellText(PrintableText.from((command ?? Self.desktop).utf8)).truncatedMiddle(to: 30).string
  }

  /// Starts a program with a photo's path as its argument.
  ///
  /// - Parameters:
  ///   - path: The photo's path.
  ///   - command: A shell command; nil for the desktop's program.
  /// - Returns: A message for the user if the program cannot be started; nil otherwise.
  mutating func open(_ path: [UInt8], with command: String?) -> String? {
    let line = ShellCommand(typed: command ?? Self.desktop, photos: [])?.line ?? ""
    // In a new session, so that the program continues when the terminal is closed.
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

  /// Removes the programs that have ended.
  ///
  /// - Returns: Messages for the user about programs that failed.
  mutating func service(at now: Instant) -> [String] {
    guard !programs.isEmpty else { return [] }
    var messages: [String] = []
    var running: [Program] = []
    for program in programs {
      var status: Int32 = 0
      let ended = waitpid(program.process, &status, WNOHANG)
      if ended == 0 {
        running.append(program)
        continue
      }
      if program.descriptor >= 0 { close(program.descriptor) }
      if ended > 0, let fault = fault(of: program, status) { messages.append(fault) }
    }
    programs = running
    return messages
  }

  /// Returns the message about a program that ended with a status; nil if it did not fail.
  private func fault(of program: Program, _ status: Int32) -> String? {
    let name = name(of: program.command)
    // A program that was ended by a signal was usually ended by the user.
    guard status & 0x7F == 0 else { return nil }
    switch status >> 8 & 0xFF {
    case 0: return nil
    case 127 where program.command == nil:
      return "\(name) is not installed; --open-with COMMAND names another program"
    case 127: return "\(name): no such command"
    case 126: return "\(name): it cannot be run"
    case 3 where program.command == nil: return "\(name) has no program for this file"
    case let code: return "\(name) ended with status \(code)"
    }
  }
}
