/// The text row at the bottom: what is shown, and beside it how far one is.
package struct Bar: Equatable, Sendable {
  /// Cut in the middle where there is no room; has all of the row below `widthForBoth`.
  package var left: Text
  /// At the right edge; keeps at most half of the row.
  package var right: Text

  /// A bar with the given texts.
  package init(left: Text = Text(""), right: Text = Text("")) {
    self.left = left
    self.right = right
  }

  /// A piece of text in one style.
  package struct Text: Equatable, Sendable {
    package var string: String
    package var style: TextStyle

    /// A text in a style.
    package init(_ string: String, _ style: TextStyle = .plain) {
      self.string = string
      self.style = style
    }
  }

  /// The narrowest terminal, in cells, that shows both texts.
  package static let widthForBoth = 20

  /// What is drawn in a row of the given width.
  package func runs(width: Int) -> [TextRun] {
    var right = CellText("")
    if width >= Self.widthForBoth { right = CellText(self.right.string).cutAtTheEnd(to: width / 2) }
    let gap = right.width > 0 ? 2 : 0
    let left = CellText(self.left.string).cutInTheMiddle(to: max(0, width - right.width - gap))
    return [
      TextRun(column: 0, text: left, style: self.left.style),
      TextRun(column: width - right.width, text: right, style: self.right.style),
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
