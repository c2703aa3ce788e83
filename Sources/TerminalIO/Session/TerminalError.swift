import Glibc

/// Why the terminal cannot be used; `description` says it in words and what to do about it.
package enum TerminalError: Error, Equatable {
  /// The process has no terminal at all: a daemon, a cron job, `setsid`.
  case noControllingTerminal
  /// The environment does not say what kind of terminal this is.
  case typeNotSet
  /// The kind of terminal is known, but it cannot place the cursor.
  case typeUnusable(String)
  /// The terminfo database has no entry of that name.
  case typeUnknown(String)
  /// A second session while one is open.
  case alreadyOpen
  /// A call that has to work did not: what was tried, and the `errno`.
  case failed(String, code: Int32)
}

extension TerminalError: CustomStringConvertible {
  /// One line: what is wrong and what helps.
  package var description: String {
    switch self {
    case .noControllingTerminal:
      "no terminal: there is no controlling terminal to draw on; try --print"
    case .typeNotSet:
      "terminal type: TERM is not set; set it to your terminal's name, for example xterm-256color"
    case .typeUnusable(let name):
      "terminal type \(name): it cannot place the cursor; try --print, or set TERM if it is wrong"
    case .typeUnknown(let name):
      "terminal type \(name): not in the terminfo database; install its entry (package"
        + " ncurses-term), or set TERM to a relative, for example xterm-256color"
    case .alreadyOpen:
      "terminal: it is in use by this program already"
    case .failed(let what, let code):
      "terminal: \(what): \(String(cString: strerror(code)))"
    }
  }
}
