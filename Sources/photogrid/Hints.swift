import PhotoGridCore
import TerminalIO

/// What is told to whoever is new, each thing until it was used or told once.
///
/// What cannot be remembered as told is not told: it would be again at every start.
struct Hints {
  /// Nothing is told.
  static let none = Hints(record: nil)

  /// Whether the bar tells the keys that matter most.
  private(set) var tellsKeys: Bool
  private var record: HintRecord?
  /// Whether a photo has been on the screen.
  private var wasOut = false
  private var hasJudgedTerminal = false

  /// When to look whether the terminal has answered, which ends without an event.
  private(set) var nextLook: Instant?

  private static let keys = "keys"
  private static let pause = 0.5

  /// Hints for whom the configuration does not keep from being remembered.
  init(_ configuration: Configuration, environment: [String: String]) {
    let isRemembered = configuration.keepsThumbnails && configuration.showsBar
    self.init(record: isRemembered ? HintRecord(environment) : nil)
  }

  private init(record: HintRecord?) {
    self.record = record
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

  /// Looks for answers of the terminal a little later, as long as it is not judged.
  mutating func wait(from now: Instant) {
    guard record != nil, !hasJudgedTerminal, nextLook.map({ $0 <= now }) ?? true else { return }
    nextLook = now.advanced(bySeconds: Self.pause)
  }

  /// What one setting would make better, the first time that this is so; nil otherwise.
  mutating func takeTerminalHint(
    _ traits: TerminalTraits, _ evidence: TerminalTraits.Evidence
  ) -> String? {
    guard let record, !hasJudgedTerminal else { return nil }
    (hasJudgedTerminal, nextLook) = (true, nil)
    guard let hint = traits.firstHint(evidence), !record.names.contains(hint.name) else {
      return nil
    }
    self.record?.add(hint.name)
    return "\(hint.words) (photogrid --doctor says more)"
  }
}

extension TerminalTraits {
  /// The one setting that would improve most, its name in the record of hints and its words.
  func firstHint(_ evidence: Evidence) -> (name: String, words: String)? {
    let answers = evidence.answers
    if !evidence.environment.isUTF8 {
      return ("utf-8", "for finer pictures: LC_ALL=C.UTF-8")
    }
    guard pictures.value == .cells, pictures.reason != "--protocol", answers.isComplete else {
      return nil
    }
    if multiplexer == .tmux {
      return answers.isOuterComplete
        ? nil : ("tmux-passthrough", "for real pixels: tmux set -g allow-passthrough on")
    }
    if multiplexer == nil, identity.program == .xterm {
      return ("xterm-sixel", "for real pixels: xterm -ti vt340")
    }
    return multiplexer == nil
      ? ("pixels", "no pixels in this terminal; kitty, foot, WezTerm have them") : nil
  }
}
