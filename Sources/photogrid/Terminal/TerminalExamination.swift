import Geometry
import Glibc
import Photos
import SceneRendering
import TerminalIO

struct TerminalExamination {
  private(set) var capabilities: TerminalCapabilities
  private(set) var cells: CellSize?
  private(set) var hasSentQueries = false
  /// A message for the user about the responses, or the reason why no queries were sent.
  private(set) var outcome = ""

  /// The time to wait for responses, in seconds; longer than for the first frame of the browser.
  private static let timeout = 1.5
  /// The time to wait for responses of the terminal around tmux, in seconds.
  private static let outerTimeout = 0.9

  /// Queries the process's controlling terminal, if there is one.
  ///
  /// - Parameters:
  ///   - environment: The process's environment.
  ///   - window: The size of the terminal on one of the standard streams; nil if there is none.
  init(_ environment: TerminalEnvironment, window: WindowSize?) {
    capabilities = TerminalCapabilities(environment: environment)
    if let window {
      cells = window.cells
      capabilities.measurement = CellMeasurement(TerminalResponses(), window: window)
    }
    var options = TerminalSession.Options()
    options.usesMouse = false
    options.capturesStandardError = false
    do throws(TerminalError) {
      // A process in the background would be stopped.
      guard try TerminalSession.isInForeground(options) else {
        outcome = "none: another program is using the terminal"
        return
      }
      let session = try TerminalSession.open(options)
      defer { session.close() }
      query(session)
    } catch {
      outcome = "none: \(error.description)"
    }
  }

  private mutating func query(_ session: TerminalSession) {
    hasSentQueries = true
    let start = MonotonicClock.now
    session.sendQueries(capabilities.environment.queries, at: start)
    var now = start
    var isInterrupted = false
    var responseTime: Instant?
    while session.awaitsResponses(at: now), !isInterrupted {
      let limit = session.responses.isComplete ? Self.outerTimeout : Self.timeout
      let end = start.advanced(bySeconds: limit)
      guard now < end else { break }
      Poll.wait(session.pollRequests, until: min(session.nextDeadline ?? end, end))
      now = MonotonicClock.now
      session.writeOutput(at: now)
      for case .terminate in session.readSignals() { isInterrupted = true }
      let events = session.readInput(at: now)
      if responseTime == nil, session.responses.isComplete { responseTime = now }
      if events.contains(.key(.control("c"))) || events.contains(.disconnected) {
        isInterrupted = true
      }
    }
    capabilities.responses = session.responses
    capabilities.measurement = session.measurement
    cells = session.viewport.cells
    let milliseconds = Int(((responseTime ?? now).seconds(since: start) * 1000).rounded())
    outcome =
      responseTime == nil
      ? "the terminal did not respond within \(milliseconds) ms"
      : "the terminal responded in \(milliseconds) ms"
  }
}

/// The terminal's description in the environment.
struct TerminalEnvironment: Equatable {
  var variables: [String: String]
  /// Whether the locale's encoding is UTF-8.
  var isUTF8: Bool
  var terminfoColors = 0
  /// Whether colors are 24-bit RGB according to terminfo.
  var hasDirectColorEntry = false

  /// Returns the value of a variable; empty if it is not set.
  subscript(name: String) -> String { variables[name] ?? "" }

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

  var queries: TerminalQueries {
    let programs = [self["TERM_PROGRAM"], self["LC_TERMINAL"]]
    return TerminalQueries(
      policy: queryPolicy, isLocal: !isRemote,
      isITerm: programs.contains { ["iTerm.app", "iTerm2", "WezTerm"].contains($0) },
      // The terminal itself sets this type, and SSH passes it on.
      isKitty: multiplexer == nil && type == "xterm-kitty",
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
