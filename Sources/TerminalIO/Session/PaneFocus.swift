import Geometry

/// Whether the program's pane of tmux has the input.
///
/// tmux sends everything from the terminal around it to the pane that has the input, so the
/// response to another pane's query would be typed into a shell. tmux reports the focus if its
/// option `focus-events` is on; otherwise only keys show that the pane has the input, for a moment.
struct PaneFocus {
  /// The time after a key in which the pane probably still has the input, in seconds.
  static let duration = 3.0

  /// When something last showed that the pane has the input; nil if the pane may have lost it
  /// since.
  private(set) var lastSign: Instant?
  /// Whether tmux has said that the pane has the focus; nil if it has said nothing.
  private var isReported: Bool?

  /// The user has started the program in this pane.
  mutating func begin(at now: Instant) { lastSign = now }

  /// Another pane may have the input, as when it was split off.
  mutating func windowChanged() { if isReported == nil { lastSign = nil } }

  mutating func update(_ events: [InputEvent], at now: Instant) {
    for event in events {
      switch event {
      case .focusGained: (lastSign, isReported) = (now, true)
      case .focusLost: (lastSign, isReported) = (nil, false)
      case .key, .paste:
        lastSign = now
        if isReported == false { isReported = nil }
      // Panes without the input receive the wheel, too.
      case .mouse, .reply, .disconnected: break
      }
    }
  }

  func isLikely(at now: Instant) -> Bool {
    guard let lastSign else { return false }
    return isReported == true || now.seconds(since: lastSign) < Self.duration
  }
}
