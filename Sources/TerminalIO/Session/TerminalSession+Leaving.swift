import CTerminalRestore
import Geometry
import Glibc

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
      activeFeatures = []
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
    bytes += cleanupBytes + ControlBytes.modesOff + activeFeatures.endBytes
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
      return (!output.awaitsReply || now >= end)
        && !queryState.delaysLeaving(at: now, lastInput: lastInput)
        && (pendingPixelMouseResponses == 0 || now >= pixelMouseEnd)
    }
    return output.awaitsReply || pendingPixelMouseResponses > 0
      || queryState.delaysLeaving(at: TerminalDevice.now(), lastInput: lastInput)
  }
}
