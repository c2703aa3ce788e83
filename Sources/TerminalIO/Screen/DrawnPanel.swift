import Geometry
import SceneModel

extension Panel {
  func drawn(in room: CellSize) -> DrawnPanel? {
    guard let layout = PanelLayout(self, in: room) else { return nil }
    let width = layout.width

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
      [edge(border.topLeft, layout.title, border.topRight)]
      + (layout.lines.isEmpty ? [row(nil)] : layout.lines.map(row))
      + [edge(border.bottomLeft, nil, border.bottomRight)]
    return DrawnPanel(
      area: layout.area, rows: rows, styled: styledRuns(of: layout.lines, width))
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
