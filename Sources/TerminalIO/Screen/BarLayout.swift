import Geometry
import SceneModel

extension Bar {
  /// The width of the narrowest terminal that shows the texts at both ends, in cells.
  static let widthForBoth = 20

  /// Lays out the bar in a row of the given width, in cells.
  func runs(width: Int) -> [TextRun] {
    var right = CellText("")
    if width >= Self.widthForBoth {
      right = CellText(self.right).truncatedTail(to: min(width / 2, factsRoom(width: width)))
    }
    let gap = right.width > 0 ? 2 : 0
    if let entry {
      let runs = entry.runs(width: max(0, width - right.width - gap))
      return runs
        + [TextRun(column: width - right.width, text: right, style: .dimmed)]
        .filter { $0.text.width > 0 }
    }
    if isMessage { return messageRuns(width: width) }
    let left = CellText(self.left).truncatedMiddle(to: max(0, width - right.width - gap))
    return [
      TextRun(column: 0, text: left, style: .plain),
      folderRun(from: left.width + 2, to: width - right.width - gap),
      TextRun(column: width - right.width, text: right, style: .dimmed),
    ].filter { $0.text.width > 0 }
  }
}

extension Bar {
  /// The least room in which the folder's path is shown, in cells.
  private static let minFolderWidth = 10

  /// Lays out the folder's path between two columns; its text is empty if there is too little room.
  private func folderRun(from start: Int, to end: Int) -> TextRun {
    let room = left.isEmpty ? 0 : end - start
    let text = CellText(folder).truncatedMiddle(to: room >= Self.minFolderWidth ? room : 0)
    return TextRun(column: start, text: text, style: .dimmed)
  }

  /// The least room in which facts are shown, in cells.
  private static let minFactsWidth = 6

  /// Returns the cells left for facts; beside a prompt, its label and text come first.
  private func factsRoom(width: Int) -> Int {
    guard let entry else { return width }
    let room = width - CellText(entry.label).width - Bar.Entry.minLineWidth - 2
    return room >= Self.minFactsWidth ? room : 0
  }

  /// Lays out a message, and as much of the facts as fits next to it.
  private func messageRuns(width: Int) -> [TextRun] {
    let message = CellText(left).truncatedTail(to: width)
    let room = min(width / 2, width - message.width - 2)
    let isWide = width >= Self.widthForBoth && room >= Self.minFactsWidth
    let facts = isWide ? CellText(right).truncatedTail(to: room) : CellText("")
    return [
      TextRun(column: 0, text: message, style: .plain),
      TextRun(column: width - facts.width, text: facts, style: .dimmed),
    ].filter { $0.text.width > 0 }
  }
}

extension Bar.Entry {
  /// Lays out the label, then as much of the text as fits, with the caret on one of its cells.
  fileprivate func runs(width: Int) -> [TextRun] {
    // The label comes first, because it says what the prompt asks for.
    let label = CellText(self.label).truncatedTail(to: max(0, width - 4))
    let window = line.window(width: width - label.width)
    let parts: [(CellText, TextStyle)] = [
      (label, .emphasized), (window.before, window.isSelected ? .reversed : .plain),
      (window.caret, window.isSelected ? .plain : .reversed), (window.after, .plain),
    ]
    var column = 0
    return parts.compactMap { text, style in
      defer { column += text.width }
      return text.width > 0 ? TextRun(column: column, text: text, style: style) : nil
    }
  }
}

/// Styles of text that every terminal has.
enum TextStyle: Equatable, Sendable {
  case plain
  case emphasized
  case dimmed
  /// With text and background colors exchanged.
  case reversed
}

/// A piece of text at its place in a row.
struct TextRun: Equatable, Sendable {
  /// The column of its first cell, from 0.
  var column: Int
  var text: CellText
  var style: TextStyle
}
