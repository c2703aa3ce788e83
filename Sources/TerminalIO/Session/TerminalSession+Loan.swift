import CLinux
import CTerminalRestore
import Glibc
import PhotoGridCore

extension TerminalSession {
  /// How a program came to its end that had the terminal.
  package enum LoanEnding: Equatable, Sendable {
    case exited(status: Int32)
    case killed(signal: Int32)
    /// It was not even started.
    case notStarted(code: Int32)
  }

  /// Gives the terminal to another program until that has ended and a key was pressed.
  ///
  /// What keys send to programs, Ctrl-C and Ctrl-Z, is meant for it. Everything has to be painted
  /// and sent anew afterwards. A signal to end that comes meanwhile is reported by `readSignals`,
  /// and no frame is taken any more.
  ///
  /// - Parameters:
  ///   - start: Starts the program, in this one's process group, or says why not by an `errno`.
  ///   - words: What to write below the program's own words before a key is waited for.
  package func lend(
    start: () -> Result<pid_t, Errno>, words: (LoanEnding) -> String
  ) {
    guard isOpen else { return }
    leaveScreen()
    terminal_restore_make_cooked(0)
    let ending: LoanEnding?
    switch start() {
    case .success(let process): ending = wait(for: process)
    case .failure(let failure): ending = .notStarted(code: failure.code)
    }
    guard let ending else { return resign() }
    terminal_restore_make_raw()
    device.write(Array("\r\n\(CellText(words(ending)).string)".utf8), atMost: 0.5)
    guard waitForKey() else { return resign() }
    device.write(Array("\r\n".utf8), atMost: 0.5)
    readSize()
  }

  /// The number of an error of the system.
  package struct Errno: Error, Equatable, Sendable {
    package var code: Int32

    /// The error of a number.
    package init(code: Int32) { self.code = code }
  }

  private func resign() { isResigned = true }

  /// Waits until a process has ended; nil if this program is told to end meanwhile.
  private func wait(for process: pid_t) -> LoanEnding? {
    let descriptor = process_descriptor(process)
    defer { if descriptor >= 0 { Glibc.close(descriptor) } }
    while true {
      var status: Int32 = 0
      let ended = waitpid(process, &status, WNOHANG)
      if ended == process { return Self.ending(of: status) }
      guard ended == 0 || errno == EINTR else { return .exited(status: 0) }
      guard takeSignals() else { return nil }
      var requests = [
        pollfd(fd: terminal_restore_signal_descriptor(), events: Int16(POLLIN), revents: 0)
      ]
      if descriptor >= 0 {
        requests.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
      }
      // Where the system has no such descriptors, it is looked at from time to time.
      poll(&requests, nfds_t(requests.count), descriptor >= 0 ? -1 : 50)
    }
  }

  private static func ending(of status: Int32) -> LoanEnding {
    let signal = status & 0x7F
    return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
  }

  /// Takes what signals came; stops with the other program where a key stopped it.
  ///
  /// - Returns: Whether to go on; else the signals that say not to are left to `readSignals`.
  private func takeSignals() -> Bool {
    let signals = drainSignalPipe()
    if signals.contains(SIGTSTP) { terminal_restore_stop_job() }
    waitingSignals = signals.filter { [SIGTERM, SIGHUP].contains($0) }
    return waitingSignals.isEmpty
  }

  /// Waits for a key; false if this program is told to end meanwhile.
  private func waitForKey() -> Bool {
    while true {
      guard takeSignals() else { return false }
      var requests = [
        pollfd(fd: terminal_restore_signal_descriptor(), events: Int16(POLLIN), revents: 0),
        pollfd(fd: device.control, events: Int16(POLLIN), revents: 0),
      ]
      poll(&requests, nfds_t(requests.count), -1)
      guard requests[1].revents != 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 256)
      guard Glibc.read(device.control, &bytes, 1) == 1 else { return true }
      // Such a key is several bytes; what was typed after another one is kept for later.
      let isLong = bytes[0] == 0x1B || bytes[0] >= 0x80
      if isLong, poll(&requests[1], 1, 0) > 0 {
        _ = Glibc.read(device.control, &bytes, bytes.count)
      }
      return true
    }
  }
}
