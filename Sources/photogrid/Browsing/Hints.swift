import Geometry
import TerminalIO

/// Hints in the first session in a terminal.
///
/// If the terminal cannot be recorded, there are none, since they would appear at every start.
struct Hints {
  /// Whether the bar shows the most important keys, until the user has done what they do.
  private(set) var showsKeys: Bool
  /// Whether a photo was open at the last update.
  private var hadOpenPhoto = false
  /// Whether the terminal's responses are still to be checked.
  private var isCheckDue: Bool

  /// The next time to check whether the terminal has sent all responses; no event reports that.
  private(set) var nextCheck: Instant?

  private static let checkInterval = 0.5

  init(isFirstSession: Bool) {
    showsKeys = isFirstSession
    isCheckDue = isFirstSession
  }

  /// Ends the hint about keys once a photo has been opened and closed, or the help has been opened.
  mutating func update(isPhotoOpen: Bool, isHelpOpen: Bool) {
    guard showsKeys else { return }
    if isHelpOpen || (hadOpenPhoto && !isPhotoOpen) {
      showsKeys = false
    }
    hadOpenPhoto = isPhotoOpen
  }

  /// Schedules the next check of the terminal's responses, until they have been checked.
  mutating func scheduleCheck(from now: Instant) {
    guard isCheckDue, nextCheck.map({ $0 <= now }) ?? true else { return }
    nextCheck = now.advanced(bySeconds: Self.checkInterval)
  }

  /// Returns the hint about the terminal the first time; nil after that, or if nothing can be improved.
  mutating func takeTerminalHint(
    _ traits: TerminalTraits, _ capabilities: TerminalCapabilities
  ) -> String? {
    guard isCheckDue else { return nil }
    (isCheckDue, nextCheck) = (false, nil)
    return traits.firstHint(capabilities).map { "\($0) (more: photogrid --doctor)" }
  }
}

extension TerminalTraits {
  /// Returns the hint about the setting that would improve pictures most; nil if no setting would.
  func firstHint(_ capabilities: TerminalCapabilities) -> String? {
    let responses = capabilities.responses
    if !capabilities.environment.isUTF8 {
      return "For sharper pictures, set LC_ALL=C.UTF-8"
    }
    guard pictures.value == .cells, pictures.reason != "--protocol", responses.isComplete else {
      return nil
    }
    if multiplexer == .tmux {
      guard responses.isOuterComplete else {
        return "For real pixels, run tmux set -g allow-passthrough on"
      }
      return needsNewerKitty ? "For real pixels in tmux, use kitty 0.28 or later" : nil
    }
    if multiplexer == nil, identity.program == .xterm {
      return "For real pixels, start xterm -ti vt340"
    }
    return multiplexer == nil
      ? "This terminal cannot show real pixels; kitty, foot and WezTerm can" : nil
  }
}
