import PhotoGridCore
import SceneRendering
import TerminalIO

/// The terminal's description in the environment.
struct TerminalEnvironment: Equatable {
  /// The process's environment variables.
  var variables: [String: String]
  /// Whether the locale's encoding is UTF-8.
  var isUTF8: Bool
  /// The number of colours in terminfo.
  var terminfoColors = 0
  /// Whether colours are 24-bit RGB according to terminfo.
  var hasDirectColorEntry = false

  /// Returns the value of a variable; empty if it is not set.
  subscript(name: String) -> String { variables[name] ?? "" }

  /// The terminal type, as in terminfo.
  var type: String { self["TERM"] }

  /// The multiplexer between this program and the terminal; nil if there is none.
  var multiplexer: Multiplexer? {
    if !self["TMUX"].isEmpty || type.hasPrefix("tmux") { return .tmux }
    if !self["STY"].isEmpty || type.hasPrefix("screen") { return .screen }
    if !self["ZELLIJ"].isEmpty { return .zellij }
    return nil
  }

  /// Whether the terminal runs on another machine and cannot read files of this one.
  var isRemote: Bool {
    ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains { !self[$0].isEmpty }
  }

  /// The queries for the terminal.
  var queries: TerminalQueries {
    let programs = [self["TERM_PROGRAM"], self["LC_TERMINAL"]]
    return TerminalQueries(
      policy: queryPolicy, isLocal: !isRemote,
      isITerm: programs.contains { ["iTerm.app", "iTerm2", "WezTerm"].contains($0) },
      showsGraphicsQueries: isRxvt && multiplexer == nil)
  }

  /// The background color in `COLORFGBG`, which rxvt, Konsole and others set; nil if it is not set.
  ///
  /// The last field is the background's number among the 16 colors, as in `0;15` and
  /// `0;default;15`.
  var background: RGB? {
    let fields = self["COLORFGBG"].split(separator: ";", omittingEmptySubsequences: false)
    guard fields.count >= 2, let number = fields.last.flatMap({ Int($0) }) else { return nil }
    return RGB(ofSixteen: number)
  }

  /// Whether the terminal is rxvt or urxvt, whose type may be set to xterm's.
  var isRxvt: Bool { type.hasPrefix("rxvt") || self["COLORTERM"].hasPrefix("rxvt") }

  /// Whether the window has a title; terminals without one would show it as text.
  var hasTitle: Bool { !queryPolicy.isMinimal }

  /// The queries that are harmless for this terminal.
  private var queryPolicy: QueryPolicy {
    switch multiplexer {
    case .tmux: return .tmux
    case .screen: return .screen
    case .zellij, nil: break
    }
    // Consoles, emulators within editors and Apple's Terminal show parts of unknown sequences.
    let plain = [
      "linux", "vt1", "vt2", "vt3", "vt4", "vt5", "cons", "sun", "wsvt", "eterm", "ansi", "cygwin",
      "dumb",
    ]
    let isPlain = type.isEmpty || plain.contains { type.hasPrefix($0) }
    return isPlain || self["TERM_PROGRAM"] == "Apple_Terminal" ? .minimal : .full
  }
}

/// A program that runs other programs in panes of its own terminal.
enum Multiplexer: String {
  case tmux, screen, zellij
}
