import CLinux
import Geometry
import Glibc
import PhotoGridCore
import PhotoLibrary

/// Opens photos with other programs, which keep running after this one ends.
///
/// The programs run in a new session, without a terminal. Their output is discarded; only failures
/// are reported.
struct ExternalOpener {
  /// How a photo is opened: with a command of the user's or, if it is nil, by the desktop.
  private struct Job {
    var command: String?

    var name: String {
      CellText(PrintableText.from((command ?? "xdg-open").utf8)).truncatedMiddle(to: 30).string
    }

    /// Returns the message about a program that ended with an exit status; nil if there is nothing
    /// to say.
    func message(status: Int32) -> String? {
      switch (command, status) {
      case (_, 0): nil
      case (nil, 127): "\(name) is not installed; choose another with --open-with COMMAND"
      case (nil, 3): "\(name) has no program for this file"
      case (_, 127): "\(name): no such command"
      case (_, 126): "\(name): cannot be run"
      default: "\(name) exited with status \(status)"
      }
    }
  }

  private var programs: [Program] = []

  private struct Program {
    var process: pid_t
    /// A descriptor that becomes readable when the process ends; -1 if the system has none.
    var descriptor: Int32
    var job: Job
  }

  var pollRequests: [pollfd] {
    programs.filter { $0.descriptor >= 0 }.map { pollfd(reading: $0.descriptor) }
  }

  func nextDeadline(after now: Instant) -> Instant? { nil }

  /// Leaves the programs running.
  func shutDown() {}

  /// Starts a command, nil for the desktop's, with a photo's path as its argument.
  ///
  /// - Returns: The program's name for the user, or a message that it cannot be started.
  mutating func start(
    _ command: String?, with path: [UInt8]
  ) -> (name: String, failure: String?) {
    let job = Job(command: command)
    let line = ShellCommand(typed: command ?? "xdg-open", photos: [])?.line ?? ""
    // In a new session, so that the program continues when the terminal is closed.
    let start = ShellProcess.start(line, [ShellProcess.safe(path)], hasOwnSession: true) { files in
      posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO)
    }
    switch start {
    case .success(let process):
      programs.append(
        Program(process: process, descriptor: process_descriptor(process), job: job))
      return (job.name, nil)
    case .failure(let fault):
      return (
        job.name, "\(job.name) cannot be started: \(String(cString: strerror(fault.code)))"
      )
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
      // A program that was ended by a signal was usually ended by the user.
      if ended > 0, status & 0x7F == 0,
        let message = program.job.message(status: status >> 8 & 0xFF)
      {
        messages.append(message)
      }
    }
    programs = running
    return messages
  }
}
