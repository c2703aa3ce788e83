import Geometry
import SceneModel

extension Panel {
  /// Returns the largest size of a panel's text, in cells; longer lines and more rows are cut.
  static func capacity(in area: CellSize) -> CellSize {
    CellSize(columns: max(0, area.columns - 4), rows: max(0, area.rows - 2))
  }

  func drawn(in area: CellSize) -> DrawnPanel? {
    let capacity = Self.capacity(in: area)
    guard capacity.columns > 0, capacity.rows > 0 else { return nil }
    let title = CellText(self.title).truncatedTail(to: capacity.columns)
    let texts = lines.prefix(capacity.rows).map { CellText($0).truncatedTail(to: capacity.columns) }
    let width = max(1, title.width, texts.map(\.width).max() ?? 0)

    let border = Border.shown
    func row(_ text: CellText?) -> String {
      border.vertical + " " + (text?.string ?? "")
        + String(repeating: " ", count: width - (text?.width ?? 0)) + " " + border.vertical
    }
    func edge(_ left: String, _ text: CellText?, _ right: String) -> String {
      guard let text, text.width > 0 else {
        return left + String(repeating: border.horizontal, count: width + 2) + right
      }
      return left + " " + text.string + " "
        + String(repeating: border.horizontal, count: width - text.width) + right
    }
    let rows =
      [edge(border.topLeft, title, border.topRight)]
      + (texts.isEmpty ? [row(nil)] : texts.map(row))
      + [edge(border.bottomLeft, nil, border.bottomRight)]
    let size = CellSize(columns: width + 4, rows: rows.count)
    let origin =
      switch position {
      case .middle:
        CellPoint(column: (area.columns - size.columns) / 2, row: (area.rows - size.rows) / 2)
      case .left: CellPoint(column: 0, row: 0)
      case .bottom: CellPoint(column: 0, row: area.rows - size.rows)
      case .right: CellPoint(column: area.columns - size.columns, row: 0)
      }
    return DrawnPanel(
      area: CellRect(origin: origin, size: size), rows: rows, styled: styledRuns(of: texts, width))
  }

  /// Returns the parts of lines in another style, with their columns and rows in the box.
  private func styledRuns(of texts: [CellText], _ width: Int) -> [DrawnPanel.StyledRun] {
    spans.compactMap { span in
      guard texts.indices.contains(span.line) else { return nil }
      // A selected line is a bar over the whole width.
      let text = CellText(texts[span.line].padded(to: width))
      let run = text.cut(to: span.columns.clamped(to: 0..<width))
      let style: TextStyle =
        switch span.style {
        case .strong: .emphasized
        case .dimmed: .dimmed
        case .selected: .reversed
        }
      return DrawnPanel.StyledRun(
        row: span.line + 1,
        run: TextRun(column: span.columns.lowerBound + 2, text: run, style: style))
    }
  }

  private struct Border {
    var topLeft, topRight, bottomLeft, bottomRight, horizontal, vertical: String

    /// Line-drawing characters if the locale has them.
    static var shown: Border {
      CellText.isShown("─")
        ? Border(
          topLeft: "┌", topRight: "┐", bottomLeft: "└", bottomRight: "┘", horizontal: "─",
          vertical: "│")
        : Border(
          topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+", horizontal: "-",
          vertical: "|")
    }
  }
}

/// A panel laid out as rows of text.
struct DrawnPanel: Equatable, Sendable {
  /// The cells that it covers, including its border.
  var area: CellRect
  var rows: [String]
  /// Parts of the rows in another style; their columns are those of the box.
  var styled: [StyledRun] = []

  /// A part of a row in another style.
  struct StyledRun: Equatable, Sendable {
    var row: Int
    var run: TextRun
  }
}
