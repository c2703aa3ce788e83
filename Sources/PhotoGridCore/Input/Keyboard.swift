import Geometry
import Photos

/// The state of the keyboard: the keys of an incomplete command, the time at which to show how it
/// can continue, culling mode, and the history of prompts.
struct Keyboard: Equatable, Sendable {
  /// A photo to go to later.
  struct Next: Equatable { var photo: Photo.ID, due: Instant }

  /// Whether the next key may be a number of stars; see `Command.AlbumCommand.filterStars`.
  var awaitsStars = false
  /// The time at which Ctrl-C copied a path, as the last key; nil after any other input.
  var copyTime: Instant?
  /// The pending count and sequence.
  var reader = KeyReader()
  /// Culling mode, in which single keys rate; nil unless it is on.
  var culling: Culling?
  /// The photo to go to when the rating of the open one has been seen, and the time of that.
  var nextToCull: Next?
  /// Whether the bar has said that Space does not mark an open photo.
  var hasExplainedSpace = false
  /// The lines entered in prompts.
  var promptHistory = PromptHistory()
  /// The lines run in the palette, oldest first.
  private(set) var commandHistory: [String] = []
  /// The time at which a panel shows the keys that can follow; nil if no sequence is pending.
  private var hintDue: Instant?
  private var showsHint = false

  /// The delay from the first key of a sequence to the panel, in seconds.
  private static let hintDelay = 0.4

  /// The time at which the panel appears, or the next photo; nil if neither is due.
  var nextChange: Instant? {
    let panelDue = reader.prefix.isEmpty || showsHint ? nil : hintDue
    return [panelDue, nextToCull?.due].compactMap(\.self).min()
  }

  /// Returns the pending prefix if the user has hesitated after it.
  func hintedPrefix(at now: Instant) -> String? {
    guard let hintDue, hintDue <= now, !reader.prefix.isEmpty else { return nil }
    return reader.prefix
  }

  mutating func toggleCulling() -> ScreenOutcome {
    guard culling == nil else { return endCulling(noticeSeconds: 5) }
    culling = Culling()
    return .notice(
      "Culling: 0-5 rate · x reject · 6-9 label · Space skip · u undo · C done", seconds: 5)
  }

  mutating func endCulling(noticeSeconds: Double = 1) -> ScreenOutcome {
    culling = nil
    return .notice("Culling mode off", seconds: noticeSeconds)
  }

  /// Adds a line that was run in the palette as the newest one.
  mutating func rememberCommand(_ line: String) {
    commandHistory.removeAll { $0 == line }
    commandHistory.append(line)
  }

  /// Starts or cancels the delay of the panel after a key.
  mutating func updateHint(at now: Instant) {
    guard !reader.prefix.isEmpty else { return (hintDue, showsHint) = (nil, false) }
    hintDue = hintDue ?? now.advanced(bySeconds: Self.hintDelay)
  }

  /// Notes whether the panel has appeared.
  mutating func settle(at now: Instant) { showsHint = hintedPrefix(at: now) != nil }
}
