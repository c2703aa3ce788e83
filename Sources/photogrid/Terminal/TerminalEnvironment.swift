import TerminalIO

/// What the environment says about the terminal.
struct TerminalEnvironment: Equatable {
  /// The process's environment variables.
  var variables: [String: String]
  /// Whether text is in UTF-8, by the locale.
  var isUTF8: Bool
  /// How many colours terminfo gives it.
  var terminfoColors = 0
  /// Whether terminfo gives it 24-bit colours.
  var hasDirectColorEntry = false

  /// A variable's value; empty if it is not set.
  subscript(name: String) -> String { variables[name] ?? "" }

  /// The kind of terminal, as terminfo calls it.
  var type: String { self["TERM"] }

  /// The program between this one and the terminal; nil if there is none.
  var multiplexer: Multiplexer? {
    if !self["TMUX"].isEmpty || type.hasPrefix("tmux") { return .tmux }
    if !self["STY"].isEmpty || type.hasPrefix("screen") { return .screen }
    if !self["ZELLIJ"].isEmpty { return .zellij }
    return nil
  }

  /// Whether the terminal is on another machine and cannot open files of this one.
  var isRemote: Bool {
    ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains { !self[$0].isEmpty }
  }

  /// What to ask the terminal.
  var questions: TerminalQuestions {
    let programs = [self["TERM_PROGRAM"], self["LC_TERMINAL"]]
    return TerminalQuestions(
      manner: manner, isLocal: !isRemote,
      isITerm: programs.contains { ["iTerm.app", "iTerm2", "WezTerm"].contains($0) },
      showsGraphicsQuestions: isRxvt && multiplexer == nil)
  }

  /// Whether the terminal is rxvt or urxvt, whose type may be set to xterm's.
  var isRxvt: Bool { type.hasPrefix("rxvt") || self["COLORTERM"].hasPrefix("rxvt") }

  /// Whether the terminal's window has a title; elsewhere it would be shown as text.
  var hasTitle: Bool { manner != .plain }

  private var manner: TerminalManner {
    switch multiplexer {
    case .tmux: return .tmux
    // It hands strings that it does not know on to the terminal, as text.
    case .screen: return .plain
    case .zellij, nil: break
    }
    // Consoles, emulators inside of editors and Apple's Terminal show parts of what they do not
    // know.
    let plain = [
      "linux", "vt1", "vt2", "vt3", "vt4", "vt5", "cons", "sun", "wsvt", "eterm", "ansi", "cygwin",
      "dumb",
    ]
    let isPlain = type.isEmpty || plain.contains { type.hasPrefix($0) }
    return isPlain || self["TERM_PROGRAM"] == "Apple_Terminal" ? .plain : .versed
  }
}

/// A program that shows other programs' terminals on one of its own.
enum Multiplexer: String {
  case tmux, screen, zellij
}
