import Geometry

/// The role of a text in the bar or in a panel; `CursesScreen.attribute(of:)` says what it looks like.
///
/// Names and keys have the terminal's foreground, and what is secondary is dimmed. One color, that of
/// the ring around the selected tile, is for what is selected.
package enum TextStyle: Equatable, Sendable {
  /// Names, values, messages, and what the user types.
  case plain
  /// Keys, and headings of lists.
  case strong
  /// Labels, facts, hints, and borders.
  case dimmed
  case selected
  /// The place of the next typed character.
  case caret
}

/// The colors of what is selected, by their numbers in the palette of 16 or 256 colors.
package struct SelectionColors: Equatable, Sendable {
  package var text: Int
  package var background: Int

  package init(text: Int, background: Int) {
    self.text = text
    self.background = background
  }
}

/// A piece of text at its place in a row.
package struct TextRun: Equatable, Sendable {
  /// The column of its first cell, from 0.
  package var column: Int
  package var text: CellText
  package var style: TextStyle

  package init(column: Int, text: CellText, style: TextStyle) {
    self.column = column
    self.text = text
    self.style = style
  }
}
