import Geometry

/// A box of text over the pictures: the help, facts about an item, new names, or the reason why
/// nothing is shown.
package struct Panel: Equatable, Sendable {
  package var title: String
  package var lines: [String]
  package var position = Position.middle
  /// Parts of lines in another style.
  package var spans: [Span] = []

  /// A part of a line in another style.
  package struct Span: Equatable, Sendable {
    /// The index of the line.
    package var line: Int
    /// The cells of the text, from 0.
    package var columns: Range<Int>
    package var style: TextStyle

    package init(line: Int, columns: Range<Int>, style: TextStyle) {
      self.line = line
      self.columns = columns
      self.style = style
    }
  }

  /// The position of a panel in the picture area.
  package enum Position: Equatable, Sendable {
    case middle
    /// In the upper corner of the side.
    case left, right
    /// At the lower edge, in the left corner.
    case bottom
  }

  package init(title: String, lines: [String]) {
    self.title = title
    self.lines = lines
  }

  /// Creates a panel of a text that is broken between words.
  package init(title: String, words text: String, columns: Int) {
    let words = text.split(separator: " ").map { String($0) }
    self.init(title: title, lines: CellText.wrapped(words, to: columns, separator: " "))
  }

  /// The widest text of a box above the bar, in cells.
  private static let widthAboveBar = 76

  /// Returns the width of the text of a box above the bar, in cells.
  package static func columnsAboveBar(in viewport: Viewport) -> Int {
    min(viewport.cells.columns - 4, widthAboveBar)
  }

  /// Returns the panel as a box above the bar, cut off if it has too many lines.
  package func aboveBar(in viewport: Viewport) -> Panel {
    var panel = self
    panel.position = .bottom
    panel.lines = Array(lines.prefix(max(viewport.pictureCells.rows - 2, 1)))
    return panel
  }
}
