import PhotoGridCore

extension Bar {
  /// The narrowest terminal, in cells, that shows both texts.
  package static let widthForBoth = 20

  /// What is drawn in a row of the given width.
  package func runs(width: Int) -> [TextRun] {
    var right = CellText("")
    if width >= Self.widthForBoth {
      right = CellText(self.right).cutAtTheEnd(to: min(width / 2, roomForFacts(width: width)))
    }
    let gap = right.width > 0 ? 2 : 0
    if let entry {
      let runs = entry.runs(width: max(0, width - right.width - gap))
      return runs
        + [TextRun(column: width - right.width, text: right, style: .dimmed)]
        .filter { $0.text.width > 0 }
    }
    if isNews { return newsRuns(width: width) }
    let left = CellText(self.left).cutInTheMiddle(to: max(0, width - right.width - gap))
    return [
      TextRun(column: 0, text: left, style: .plain),
      placeRun(from: left.width + 2, to: width - right.width - gap),
      TextRun(column: width - right.width, text: right, style: .dimmed),
    ].filter { $0.text.width > 0 }
  }
}

extension Bar {
  /// No less of a folder's path is worth showing, in cells.
  private static let shortestPlace = 10

  /// The folder between two columns; empty where there is too little room.
  private func placeRun(from start: Int, to end: Int) -> TextRun {
    let room = left.isEmpty ? 0 : end - start
    let text = CellText(place).cutInTheMiddle(to: room >= Self.shortestPlace ? room : 0)
    return TextRun(column: start, text: text, style: .dimmed)
  }

  /// No less of the facts is worth showing, in cells.
  private static let fewestFacts = 6

  /// How wide the facts may be beside what is being typed: its label comes first, then the line.
  private func roomForFacts(width: Int) -> Int {
    guard let entry else { return width }
    let room = width - CellText(entry.label).width - Bar.Entry.leastLine - 2
    return room >= Self.fewestFacts ? room : 0
  }

  /// The news, and as much of the facts as there is room for.
  private func newsRuns(width: Int) -> [TextRun] {
    let news = CellText(left).cutAtTheEnd(to: width)
    let room = min(width / 2, width - news.width - 2)
    let isWide = width >= Self.widthForBoth && room >= Self.fewestFacts
    let facts = isWide ? CellText(right).cutAtTheEnd(to: room) : CellText("")
    return [
      TextRun(column: 0, text: news, style: .plain),
      TextRun(column: width - facts.width, text: facts, style: .dimmed),
    ].filter { $0.text.width > 0 }
  }
}

extension Bar.Entry {
  /// The cells of a line that hints give way to.
  static let leastLine = 12

  /// The label, then as much of the line as there is room for, the caret on one of its cells.
  fileprivate func runs(width: Int) -> [TextRun] {
    // Without its label nobody knows what the line is for.
    let label = CellText(self.label).cutAtTheEnd(to: max(0, width - 4))
    let window = line.window(width: width - label.width)
    let parts: [(CellText, TextStyle)] = [
      (label, .emphasised), (window.before, .plain), (window.caret, .reversed),
      (window.after, .plain),
    ]
    var column = 0
    return parts.compactMap { text, style in
      defer { column += text.width }
      return text.width > 0 ? TextRun(column: column, text: text, style: style) : nil
    }
  }
}

/// How text stands out, by what every terminal has.
package enum TextStyle: Equatable, Sendable {
  case plain, emphasised, dimmed, reversed
}

/// Text in its place in a row.
package struct TextRun: Equatable, Sendable {
  package var column: Int
  package var text: CellText
  package var style: TextStyle
}
