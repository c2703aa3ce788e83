import Geometry
import TerminalIO

/// Hints for new users, each shown once or until the user has done what it describes.
///
/// If shown hints cannot be recorded, none are shown, since they would appear at every start.
struct Hints {
  /// Whether the bar shows the most important keys.
  private(set) var showsKeys: Bool
  private var record: HintRecord?
  /// Whether a photo was open at the last update.
  private var hadOpenPhoto = false
  private var hasCheckedTerminal = false

  /// The next time to check whether the terminal has sent all responses; no event reports that.
  private(set) var nextCheck: Instant?

  private static let keys = "keys"
  private static let checkInterval = 0.5

  /// Creates the hints that have not been shown; none if the configuration has no bar, or disables
  /// storing.
  init(_ configuration: Configuration, environment: [String: String]) {
    let isRecorded = configuration.keepsThumbnails && configuration.session.showsBar
    record = isRecorded ? HintRecord(environment) : nil
    showsKeys = record.map { !$0.names.contains(Self.keys) } ?? false
  }

  /// Ends the hint about keys once a photo has been opened and closed, or the help has been opened.
  mutating func update(isPhotoOpen: Bool, isHelpOpen: Bool) {
    guard showsKeys else { return }
    if isHelpOpen || (hadOpenPhoto && !isPhotoOpen) {
      showsKeys = false
      record?.add(Self.keys)
    }
    hadOpenPhoto = isPhotoOpen
  }

  /// Schedules the next check of the terminal's responses, until they have been checked.
  mutating func scheduleCheck(from now: Instant) {
    guard record != nil, !hasCheckedTerminal, nextCheck.map({ $0 <= now }) ?? true else { return }
    nextCheck = now.advanced(bySeconds: Self.checkInterval)
  }

  /// Returns the hint about the terminal, and records it as shown; nil if there is none, or it was
  /// shown before.
  mutating func takeTerminalHint(
    _ traits: TerminalTraits, _ capabilities: TerminalCapabilities
  ) -> String? {
    guard let record, !hasCheckedTerminal else { return nil }
    (hasCheckedTerminal, nextCheck) = (true, nil)
    guard let hint = traits.firstHint(capabilities), !record.names.contains(hint.name) else {
      return nil
    }
    self.record?.add(hint.name)
    return "\(hint.message) (more: photogrid --doctor)"
  }
}

extension TerminalTraits {
  /// Returns the hint about the setting that would improve pictures most, as its name in the record
  /// and its message; nil if there is none.
  func firstHint(_ capabilities: TerminalCapabilities) -> (name: String, message: String)? {
    let responses = capabilities.responses
    if !capabilities.environment.isUTF8 {
      return ("utf-8", "For sharper pictures, set LC_ALL=C.UTF-8")
    }
    guard pictures.value == .cells, pictures.reason != "--protocol", responses.isComplete else {
      return nil
    }
    if multiplexer == .tmux {
      guard responses.isOuterComplete else {
        return ("tmux-passthrough", "For real pixels, run tmux set -g allow-passthrough on")
      }
      return needsNewerKitty
        ? ("tmux-kitty", "For real pixels in tmux, use kitty 0.28 or later") : nil
    }
    if multiplexer == nil, identity.program == .xterm {
      return ("xterm-sixel", "For real pixels, start xterm -ti vt340")
    }
    return multiplexer == nil
      ? ("pixels", "This terminal cannot show real pixels; kitty, foot and WezTerm can") : nil
  }
}

/// The record of hints that were shown: a name per line in `$XDG_STATE_HOME/photogrid/hints`.
struct HintRecord {
  private(set) var names: Set<String>
  private let file: StateFile

  /// Reads the record, or creates its folder; nil if it cannot be written.
  init?(_ environment: [String: String]) {
    guard let file = StateFile("hints", environment) else { return nil }
    self.file = file
    names = Set(file.lines ?? [])
    guard file.makeWritable() else { return nil }
  }

  /// Records that a hint was shown; if the file cannot be written, the hint is shown again next
  /// time.
  mutating func add(_ name: String) {
    if names.insert(name).inserted { file.append(name) }
  }
}
