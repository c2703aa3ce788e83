import Geometry
import SceneModel

extension Panel {
  /// Lays the panel out as rows of text; nil if the picture area has no room for any text.
  func drawn(in room: CellSize, lines: LineDrawing = .rounded) -> DrawnPanel? {
    guard let layout = PanelLayout(self, in: room) else { return nil }
    let (width, border) = (layout.width, lines.shown)
    let inside = border.vertical + String(repeating: " ", count: width + 2) + border.vertical
    func edge(_ left: String, _ right: String) -> String {
      left + String(repeating: border.horizontal, count: width + 2) + right
    }
    let title =
      layout.title.width > 0
      ? [DrawnPanel.Piece(row: 0, column: 1, CellText(" \(layout.title.string) "), .plain)] : []
    let texts = layout.lines.enumerated().map { row, text in
      DrawnPanel.Piece(row: row + 1, column: 2, text, .plain)
    }
    return DrawnPanel(
      area: layout.area,
      frame: [edge(border.topLeft, border.topRight)]
        + Array(repeating: inside, count: layout.area.size.rows - 2)
        + [edge(border.bottomLeft, border.bottomRight)],
      pieces: title + texts + styledPieces(of: layout.lines, width))
  }

  /// Returns the parts of lines in another style.
  private func styledPieces(of texts: [CellText], _ width: Int) -> [DrawnPanel.Piece] {
    spans.compactMap { span in
      guard texts.indices.contains(span.line) else { return nil }
      // A selected line is a bar over the whole width.
      let text = CellText(texts[span.line].padded(to: width))
      return DrawnPanel.Piece(
        row: span.line + 1, column: span.columns.lowerBound + 2,
        text.cut(to: span.columns.clamped(to: 0..<width)), span.style)
    }
  }
}

/// The characters of a panel's border.
package enum LineDrawing: Equatable, Sendable {
  case ascii
  /// Lines with square corners, which the fonts of consoles have.
  case square
  case rounded

  /// The border that the locale has.
  fileprivate var shown: Border {
    switch self {
    case .rounded where CellText.isShown("╭"): Border("╭╮╰╯─│")
    case .rounded where CellText.isShown("─"), .square where CellText.isShown("─"):
      Border("┌┐└┘─│")
    case .ascii, .rounded, .square: Border("++++-|")
    }
  }

  fileprivate struct Border {
    let topLeft, topRight, bottomLeft, bottomRight, horizontal, vertical: String

    init(_ characters: String) {
      let parts = characters.map { String($0) }
      (topLeft, topRight, bottomLeft) = (parts[0], parts[1], parts[2])
      (bottomRight, horizontal, vertical) = (parts[3], parts[4], parts[5])
    }
  }
}

/// A panel laid out as rows of text.
struct DrawnPanel: Equatable, Sendable {
  /// The cells that it covers, including its border.
  var area: CellRect
  /// The rows of the border, with blanks inside; they are secondary to what is in them.
  var frame: [String]
  /// The texts, each drawn over those before it.
  var pieces: [Piece]

  /// A text in a row of the box; its column is that of the box.
  struct Piece: Equatable, Sendable {
    var row: Int
    var run: TextRun

    init(row: Int, column: Int, _ text: CellText, _ style: TextStyle) {
      self.row = row
      run = TextRun(column: column, text: text, style: style)
    }
  }
}
