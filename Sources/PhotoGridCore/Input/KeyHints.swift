import Geometry
import SceneModel

/// The keys that can follow a prefix, in the columns of a panel.
struct KeyHints: Equatable, Sendable {
  private let prefix: String
  private let rows: [Row]
  private let keyWidth: Int
  private let textWidth: Int
  /// The number of lines of the panel; the rows fill one column after the other.
  private let lineCount: Int
  private let columnCount: Int

  private struct Row: Equatable, Sendable {
    /// The prefix and the key after it.
    var keys: String
    var text: String
    /// The key after the prefix; nil for a note about other keys.
    var key: Key?
  }

  /// The distance between two columns, in cells.
  private static let gap = 3

  /// Lists the sequences that begin with a prefix; nil if the view has none, as when a click has
  /// changed the view since the prefix was typed.
  init?(after prefix: String, in view: KeyMap.View, of map: KeyMap, room: CellSize) {
    var seen: Set<Command> = []
    let entries = KeyMap.entries(of: view).filter { seen.insert($0.command).inserted }
    var rows = entries.filter { !$0.command.isReversedSort }.compactMap { entry -> Row? in
      let keys = map.keys(of: entry, in: view).filter { $0.count == 2 && $0.hasPrefix(prefix) }
      return keys.first.map { Row(keys: $0, text: entry.title, key: $0.last.map(Key.character)) }
    }
    if map[view].contains(where: { $0.hasPrefix(prefix) && $1.isReversedSort }) {
      rows.append(Row(keys: prefix + "N", text: "Capitals reverse the order"))
    }
    guard !rows.isEmpty else { return nil }
    self.prefix = prefix
    self.rows = rows
    keyWidth = rows.map { CellText($0.keys).width }.max() ?? 0
    textWidth = rows.map { CellText($0.text).width }.max() ?? 0
    let width = keyWidth + 2 + textWidth
    let height = max(room.rows - 2, 1)
    let fitting = max((room.columns - 4 + Self.gap) / (width + Self.gap), 1)
    columnCount = min((rows.count + height - 1) / height, fitting)
    lineCount = min((rows.count + columnCount - 1) / columnCount, height)
  }

  /// The distance from the start of a column to that of the next, in cells.
  private var pitch: Int { keyWidth + 2 + textWidth + Self.gap }

  var panel: Panel {
    let shownCount = lineCount * columnCount
    let count = rows.count > shownCount ? " \(shownCount) of \(rows.count)" : ""
    var panel = Panel(title: prefix + "…" + count, lines: [])
    panel.position = .bottom
    for line in 0..<lineCount {
      var text = ""
      for column in 0..<columnCount {
        let index = column * lineCount + line
        guard rows.indices.contains(index) else { continue }
        let (row, start) = (rows[index], column * pitch)
        text += String(repeating: " ", count: start - CellText(text).width)
        panel.spans.append(
          Panel.Span(line: line, columns: start..<start + CellText(row.keys).width, style: .strong))
        text += row.keys
        text += String(repeating: " ", count: start + keyWidth + 2 - CellText(text).width)
        text += row.text
      }
      panel.lines.append(text)
    }
    return panel
  }

  /// Returns the key that completes the sequence at a line and column of the panel; nil if there is
  /// none.
  func key(at place: CellPoint) -> Key? {
    let (column, offset) = place.column.quotientAndRemainder(dividingBy: pitch)
    guard (0..<lineCount).contains(place.row), (0..<columnCount).contains(column),
      (0..<pitch - Self.gap).contains(offset)
    else { return nil }
    let index = column * lineCount + place.row
    return rows.indices.contains(index) ? rows[index].key : nil
  }
}

extension Command {
  fileprivate var isReversedSort: Bool {
    if case .album(.sort(let order)) = self { order.isReversed } else { false }
  }
}
