import PhotoGridCore
import TerminalIO

/// Hints for new users, each shown once, or until what it describes was used.
///
/// Without a place to record the hints that were shown there are none: they would appear at every
/// start.
struct Hints {
  /// Whether the bar shows the most important keys.
  private(set) var tellsKeys: Bool
  private var record: HintRecord?
  /// Whether a photo has been on the screen.
  private var wasOut = false
  private var hasCheckedTerminal = false

  /// When to check whether the terminal has answered, whose end is no event.
  private(set) var nextLook: Instant?

  private static let keys = "keys"
  private static let pause = 0.5

  /// Hints that the environment's state folder does not record as shown; none if the configuration
  /// leaves no traces, or no bar.
  init(_ configuration: Configuration, environment: [String: String]) {
    let isRecorded = configuration.keepsThumbnails && configuration.session.showsBar
    record = isRecorded ? HintRecord(environment) : nil
    tellsKeys = record.map { !$0.names.contains(Self.keys) } ?? false
  }

  /// Notes what is on the screen: the keys are known once a photo was opened and put back, or the
  /// help was open.
  mutating func note(isOut: Bool, isHelpOpen: Bool) {
    guard tellsKeys else { return }
    if isHelpOpen || (wasOut && !isOut) {
      tellsKeys = false
      record?.add(Self.keys)
    }
    wasOut = isOut
  }

  /// Sets the next check for the terminal's answers, until the hint about it was chosen.
  mutating func wait(from now: Instant) {
    guard record != nil, !hasCheckedTerminal, nextLook.map({ $0 <= now }) ?? true else { return }
    nextLook = now.advanced(bySeconds: Self.pause)
  }

  /// The setting of the terminal that would improve most, if that was not shown before.
  mutating func takeTerminalHint(
    _ traits: TerminalTraits, _ capabilities: TerminalCapabilities
  ) -> String? {
    guard let record, !hasCheckedTerminal else { return nil }
    (hasCheckedTerminal, nextLook) = (true, nil)
    guard let hint = traits.firstHint(capabilities), !record.names.contains(hint.name) else {
      return nil
    }
    self.record?.add(hint.name)
    return "\(hint.words) (photogrid --doctor says more)"
  }
}

extension TerminalTraits {
  /// The one setting that would improve most, its name in the record of hints and its words.
  func firstHint(_ capabilities: TerminalCapabilities) -> (name: String, words: String)? {
    let responses = capabilities.responses
    if !capabilities.environment.isUTF8 {
      return ("utf-8", "for finer pictures: LC_ALL=C.UTF-8")
    }
    guard pictures.value == .cells, pictures.reason != "--protocol", responses.isComplete else {
      return nil
    }
    if multiplexer == .tmux {
      return responses.isOuterComplete
        ? nil : ("tmux-passthrough", "for real pixels: tmux set -g allow-passthrough on")
    }
    if multiplexer == nil, identity.program == .xterm {
      return ("xterm-sixel", "for real pixels: xterm -ti vt340")
    }
    return multiplexer == nil
      ? ("pixels", "no pixels in this terminal; kitty, foot, WezTerm have them") : nil
  }
}
