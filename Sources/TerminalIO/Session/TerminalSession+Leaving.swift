import CTerminalRestore
import Glibc
import PhotoGridCore

/// Giving the terminal back, for a while or for good.
extension TerminalSession {
  /// Gives the terminal back, stops the whole job as Ctrl-Z does elsewhere, and returns when it
  /// goes on; everything has to be painted and sent anew then.
  ///
  /// Where nobody could continue it, it returns at once. A signal to end that came meanwhile is
  /// reported by `readSignals`, and no frame is taken any more.
  package func suspend() {
    guard isOpen else { return }
    leaveScreen()
    terminal_restore_make_cooked(0)
    terminal_restore_stop_job()
    waitingSignals = drainSignalPipe().filter { [SIGTERM, SIGHUP, SIGINT, SIGQUIT].contains($0) }
    isResigned = !waitingSignals.isEmpty
    guard !isResigned else { return }
    terminal_restore_make_raw()
    readSize()
    askForCell()
  }

  /// Gives the terminal back for good; calling it again does nothing.
  ///
  /// Takes at most half a second where the terminal is stuck, about a second on a slow link, and
  /// longer only where it was asked a moment ago and answers nothing. Then shows the end of what was written to standard error meanwhile.
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

  /// Returns whether an answer of the terminal may still come.
  @discardableResult
  func leaveScreen() -> Bool {
    defer {
      terminal_restore_set_screen_taken(0)
      output.abandon()
    }
    let goodbye = curses.leave()
    guard isEntered, !isGone else { return inquiry.awaitsAnswers(at: TerminalDevice.now()) }
    isEntered = false
    needsEntry = true

    // The last frame's own end, if it comes soon; pictures do not matter any more.
    device.wait(atMost: 0.2, isWriting: { !output.isDrained }) { now in
      output.write(at: now)
      _ = readInput(at: now)
      return output.isDrained && !output.awaitsReply
    }
    var bytes: [UInt8] = []
    if !output.isDrained || output.awaitsReply {
      // The terminal is behind. What it has not read yet makes room for what it must read.
      device.discardUnread()
      bytes += ControlBytes.cancel
    }
    if !output.isDrained { output.abandon() }
    bytes += farewell + ControlBytes.modesOff
    if options.usesTitle { bytes += ControlBytes.popTitle }
    bytes += goodbye
    device.write(bytes, atMost: 0.2)

    let isSlow = output.replyTimeout > FrameOutput.fenceTimeout
    let start = TerminalDevice.now()
    let end = start.advanced(bySeconds: isSlow ? output.replyTimeout : 0.1)
    let pixelEnd = start.advanced(bySeconds: Inquiry.shortParting)
    device.wait(atMost: Inquiry.parting, isWriting: { false }) { now in
      _ = readInput(at: now)
      return (!output.awaitsReply || now >= end) && !inquiry.delaysParting(at: now)
        && (missingPixelAnswers == 0 || now >= pixelEnd)
    }
    return output.awaitsReply || missingPixelAnswers > 0
      || inquiry.delaysParting(at: TerminalDevice.now())
  }
}
