import Glibc

/// The reason why the terminal cannot be used.
package enum TerminalError: Error, Equatable {
  /// The process has no controlling terminal: a daemon, a cron job, `setsid`.
  case noControllingTerminal
  case typeNotSet
  /// The terminal type, which is the value, has no sequence that moves the cursor or clears the
  /// screen.
  case typeUnusable(String)
  /// The terminfo database has no entry for the terminal type, which is the value.
  case typeUnknown(String)
  /// Another session of this process is open.
  case alreadyOpen
  /// A system call failed; the values are its purpose and the `errno`.
  case failed(String, code: Int32)
}

extension TerminalError: CustomStringConvertible {
  /// One line that says what is wrong and what to do about it.
  package var description: String {
    switch self {
    case .noControllingTerminal:
      "no controlling terminal to draw on; try --print"
    case .typeNotSet:
      "terminal type: TERM is not set; set it to your terminal's name, for example xterm-256color"
    case .typeUnusable(let name):
      "terminal type \(name): cannot position the cursor; try --print, or set TERM if it is wrong"
    case .typeUnknown(let name):
      "terminal type \(name): not in the terminfo database; install its entry (package"
        + " ncurses-term), or set TERM to a similar one, for example xterm-256color"
    case .alreadyOpen:
      "terminal: already in use by this program"
    case .failed(let what, let code):
      "terminal: \(what): \(String(cString: strerror(code)))"
    }
  }
}
