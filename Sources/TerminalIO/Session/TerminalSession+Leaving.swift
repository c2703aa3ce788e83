import CTerminalRestore
import Glibc
import PhotoGridCore

/// Leaving the screen, for a while or for good.
extension TerminalSession {
  /// Leaves the screen, stops the whole job as Ctrl-Z does elsewhere, and returns when the job is
  /// continued.
  ///
  /// Returns immediately if no shell could continue the job. Afterwards the whole screen must be
  /// drawn again, and images must be sent again. If a signal to terminate arrives during the call,
  /// `readSignals` returns it next, and no more frames can be sent.
  package func suspend() {
    guard isOpen else { return }
    leaveScreen()
    terminal_restore_make_cooked(0)
    terminal_restore_stop_job()
    pendingSignals = drainSignalPipe().filter { [SIGTERM, SIGHUP, SIGINT, SIGQUIT].contains($0) }
    isTerminating = !pendingSignals.isEmpty
    guard !isTerminating else { return }
    terminal_restore_make_raw()
    readSize()
    queryCellSize()
  }

  /// Leaves the screen for good, then prints the end of the captured standard error.
  ///
  /// Takes at most half a second if the terminal hangs, about a second on a slow link, and 1.5
  /// seconds if queries were sent a moment ago and get no response. A second call does nothing.
  package func close() {
    guard isOpen else { return }
    let isReplyMissing = leaveScreen()
    isOpen = false
    terminal_restore_make_cooked(isReplyMissing ? 1 : 0)
    terminal_restore_print_captured()
    curses.close()
    terminal_restore_end()
    capture?.end()
    device.close()
  }

  /// Leaves the screen and waits for responses that the shell would otherwise read as input.
  ///
  /// - Returns: Whether a response may still arrive.
  @discardableResult
  func leaveScreen() -> Bool {
    defer {
      terminal_restore_set_screen_taken(0)
      output.discard()
    }
    let leaveBytes = curses.leave()
    guard isEntered, !isDisconnected else {
      return queryState.awaitsResponses(at: TerminalDevice.now())
    }
    isEntered = false
    needsEntry = true
    writeLeaving(leaveBytes)
    return waitForResponses()
  }

  /// Finishes the last frame or cuts it off, and writes the sequences that restore the terminal.
  private func writeLeaving(_ leaveBytes: [UInt8]) {
    // Wait briefly for the end of the last frame; its pictures no longer matter.
    device.wait(atMost: 0.2, isWriting: { !output.isDrained }) { now in
      output.write(at: now)
      _ = readInput(at: now)
      return output.isDrained && !output.awaitsReply
    }
    var bytes: [UInt8] = []
    if !output.isDrained || output.awaitsReply {
      // The terminal lags behind: drop what it has not read, so that it reads the sequences below
      // in time.
      device.discardUnread()
      bytes += ControlBytes.endOfCutFrame
    }
    if !output.isDrained { output.discard() }
    bytes += cleanupBytes + ControlBytes.modesOff
    if options.usesTitle { bytes += ControlBytes.popTitle }
    bytes += leaveBytes
    if options.repaintsBorder { bytes += ControlBytes.repaint }
    device.write(bytes, atMost: 0.2)
  }

  /// Waits for the replies and responses that are due; returns whether one may still arrive.
  private func waitForResponses() -> Bool {
    let isSlow = output.replyTimeout > FrameOutput.fenceTimeout
    let start = TerminalDevice.now()
    let end = start.advanced(bySeconds: isSlow ? output.replyTimeout : 0.1)
    let pixelMouseEnd = start.advanced(bySeconds: QueryState.shortLeaveTimeout)
    device.wait(atMost: QueryState.leaveTimeout, isWriting: { false }) { now in
      _ = readInput(at: now)
      return (!output.awaitsReply || now >= end) && !queryState.delaysLeaving(at: now)
        && (pendingPixelMouseResponses == 0 || now >= pixelMouseEnd)
    }
    return output.awaitsReply || pendingPixelMouseResponses > 0
      || queryState.delaysLeaving(at: TerminalDevice.now())
  }
}

/// Standard error redirected to a file in memory, so that messages of libraries and of the runtime
/// do not appear on the screen.
struct StandardErrorCapture {
  /// A duplicate of the original standard error; -1 if it was closed.
  let original: Int32
  /// The descriptor of the file in memory.
  let file: Int32

  /// The size in bytes above which the file is cut to its last `tailByteCount` bytes.
  private static let byteLimit: off_t = 1 << 20
  private static let tailByteCount = 4096

  /// Redirects standard error to a new file; returns nil if the file cannot be created.
  init?() {
    file = openMemoryFile("photogrid-messages")
    // Appending, so that every writer, workers too, continues at the end after the file was cut.
    guard file >= 0, fcntl(file, F_SETFL, O_APPEND) == 0 else {
      if file >= 0 { close(file) }
      return nil
    }
    original = duplicate(STDERR_FILENO)
    dup2(file, STDERR_FILENO)
  }

  /// Cuts the file to its last bytes if it has grown beyond the limit.
  func limitSize() {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_size > Self.byteLimit else { return }
    var tail = [UInt8](repeating: 0, count: Self.tailByteCount)
    let count = pread(file, &tail, tail.count, status.st_size - off_t(tail.count))
    ftruncate(file, 0)
    if count > 0 { write(file, tail, count) }
  }

  func end() {
    if original >= 0 {
      dup2(original, STDERR_FILENO)
      close(original)
    } else {
      close(STDERR_FILENO)
    }
    close(file)
  }
}
