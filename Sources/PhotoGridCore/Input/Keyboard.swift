import Geometry
import Photos
import SceneModel

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

extension KeyMap {
  /// Returns a panel with the sequences that begin with a prefix; nil if the view has none, as when a
  /// click has changed the view since the prefix was typed.
  func hints(after prefix: String, in view: View, room: CellSize) -> Panel? {
    var seen: Set<Command> = []
    let entries = Self.entries(of: view).filter { seen.insert($0.command).inserted }
    let rows = entries.filter { !$0.command.isReversedSort }.compactMap { entry -> Row? in
      let keys = keys(of: entry, in: view).filter { $0.count == 2 && $0.hasPrefix(prefix) }
      return keys.first.map { Row(keys: $0, text: entry.title) }
    }
    let hasReversed = self[view].contains { $0.hasPrefix(prefix) && $1.isReversedSort }
    let note = hasReversed ? [Row(keys: prefix + "N", text: "Capitals reverse the order")] : []
    guard !rows.isEmpty || hasReversed else { return nil }
    return Panel(title: prefix + "…", rows: rows + note, room: room)
  }

  /// A line of a panel of keys.
  struct Row { var keys, text: String }
}

extension Panel {
  /// Creates a panel of at least one row, in columns.
  fileprivate init(title: String, rows: [KeyMap.Row], room: CellSize) {
    let keyWidth = rows.map { CellText($0.keys).width }.max() ?? 0
    let textWidth = rows.map { CellText($0.text).width }.max() ?? 0
    let width = keyWidth + 2 + textWidth
    let height = max(room.rows - 2, 1)
    let fitting = max((room.columns - 4 + 3) / (width + 3), 1)
    let columns = min((rows.count + height - 1) / height, fitting)
    let lineCount = min((rows.count + columns - 1) / max(columns, 1), height)
    self.init(title: title, lines: [])
    position = .bottom
    for line in 0..<lineCount {
      var text = ""
      for column in 0..<columns {
        let index = column * lineCount + line
        guard index < rows.count else { continue }
        let start = column * (width + 3)
        text += String(repeating: " ", count: start - CellText(text).width)
        let keys = rows[index].keys
        spans.append(
          Span(line: line, columns: start..<start + CellText(keys).width, style: .strong))
        text += keys
        text += String(repeating: " ", count: start + keyWidth + 2 - CellText(text).width)
        text += rows[index].text
      }
      lines.append(text)
    }
  }
}

extension Command {
  fileprivate var isReversedSort: Bool {
    if case .album(.sort(let order)) = self { order.isReversed } else { false }
  }
}
