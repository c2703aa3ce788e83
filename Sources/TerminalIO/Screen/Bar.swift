import PhotoGridCore

extension Bar {
  /// The narrowest terminal, in cells, that shows both texts.
  package static let widthForBoth = 20

  /// What is drawn in a row of the given width.
  package func runs(width: Int) -> [TextRun] {
    var right = CellText("")
    if width >= Self.widthForBoth { right = CellText(self.right).cutAtTheEnd(to: width / 2) }
    let gap = right.width > 0 ? 2 : 0
    let left = CellText(self.left).cutInTheMiddle(to: max(0, width - right.width - gap))
    return [
      TextRun(column: 0, text: left, style: .plain),
      TextRun(column: width - right.width, text: right, style: .dimmed),
    ].filter { $0.text.width > 0 }
  }
}

/// How text stands out, by what every terminal has.
package enum TextStyle: Equatable, Sendable {
  case plain, emphasised, dimmed
}

/// Text in its place in a row.
package struct TextRun: Equatable, Sendable {
  package var column: Int
  package var text: CellText
  package var style: TextStyle
}
