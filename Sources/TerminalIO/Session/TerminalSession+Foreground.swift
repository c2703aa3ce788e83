import CLinux
import CTerminalRestore
import Geometry
import Glibc

extension TerminalSession {
  /// The way in which a program that used the terminal ended.
  package enum ProgramResult: Equatable, Sendable {
    case exited(status: Int32)
    case killed(signal: Int32)
    /// It could not be started; the value is the `errno`.
    case notStarted(code: Int32)
  }

  /// Runs another program in the terminal until it has ended and a key was pressed.
  ///
  /// Ctrl-C and Ctrl-Z go to that program. Afterwards the whole screen must be drawn again, and
  /// images must be sent again. If a signal to terminate arrives during the call, `readSignals`
  /// returns it next, and no more frames can be sent.
  ///
  /// - Parameters:
  ///   - start: Starts the program in this process's group, or returns the error.
  ///   - message: Returns the text to show below the program's output, until a key is pressed.
  package func runInForeground(
    start: () -> Result<pid_t, Errno>, message: (ProgramResult) -> String
  ) {
    guard isOpen else { return }
    leaveScreen()
    terminal_restore_make_cooked(0)
    let result: ProgramResult?
    switch start() {
    case .success(let process): result = wait(for: process)
    case .failure(let failure): result = .notStarted(code: failure.code)
    }
    guard let result else {
      isTerminating = true
      return
    }
    terminal_restore_make_raw()
    device.write(Array("\r\n\(CellText(message(result)).string)".utf8), atMost: 0.5)
    guard waitForKey() else {
      isTerminating = true
      return
    }
    device.write(Array("\r\n".utf8), atMost: 0.5)
    readSize()
  }

  /// An error number of the system.
  package struct Errno: Error, Equatable, Sendable {
    package var code: Int32

    package init(code: Int32) { self.code = code }
  }

  /// Waits until a process has ended, and returns its result; nil if a signal to terminate arrives
  /// first.
  private func wait(for process: pid_t) -> ProgramResult? {
    let descriptor = process_descriptor(process)
    defer { if descriptor >= 0 { Glibc.close(descriptor) } }
    while true {
      var status: Int32 = 0
      let ended = waitpid(process, &status, WNOHANG)
      if ended == process { return Self.result(of: status) }
      guard ended == 0 || errno == EINTR else { return .exited(status: 0) }
      guard handleSignals() else { return nil }
      var requests = [
        pollfd(fd: terminal_restore_signal_descriptor(), events: Int16(POLLIN), revents: 0)
      ]
      if descriptor >= 0 {
        requests.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
      }
      // Kernels before 5.3 have no descriptors of processes: the process's end is polled.
      poll(&requests, nfds_t(requests.count), descriptor >= 0 ? -1 : 50)
    }
  }

  private static func result(of status: Int32) -> ProgramResult {
    let signal = status & 0x7F
    return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
  }

  /// Handles the signals that arrived; stops too if Ctrl-Z stopped the other program.
  ///
  /// - Returns: Whether to continue; if not, `readSignals` returns the signals to terminate.
  private func handleSignals() -> Bool {
    let signals = drainSignalPipe()
    if signals.contains(SIGTSTP) { terminal_restore_stop_job() }
    pendingSignals = signals.filter { [SIGTERM, SIGHUP].contains($0) }
    return pendingSignals.isEmpty
  }

  /// Waits for a key; returns false if a signal to terminate arrives first.
  private func waitForKey() -> Bool {
    while true {
      guard handleSignals() else { return false }
      var requests = [
        pollfd(fd: terminal_restore_signal_descriptor(), events: Int16(POLLIN), revents: 0),
        pollfd(fd: device.control, events: Int16(POLLIN), revents: 0),
      ]
      poll(&requests, nfds_t(requests.count), -1)
      guard requests[1].revents != 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 256)
      guard Glibc.read(device.control, &bytes, 1) == 1 else { return true }
      // A special key is several bytes; after any other key, further input stays unread.
      let isLong = bytes[0] == 0x1B || bytes[0] >= 0x80
      if isLong, poll(&requests[1], 1, 0) > 0 {
        _ = Glibc.read(device.control, &bytes, bytes.count)
      }
      return true
    }
  }
}
