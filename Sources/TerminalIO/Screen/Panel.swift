import PhotoGridCore

extension Panel {
  /// Returns the largest size of a panel's text, in cells; longer lines and more rows are cut.
  static func capacity(in area: CellSize) -> CellSize {
    CellSize(columns: max(0, area.columns - 4), rows: max(0, area.rows - 2))
  }

  /// Lays out the panel for a picture area; returns nil if not even one cell of text fits.
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
      switch place {
      case .middle:
        CellPoint(column: (area.columns - size.columns) / 2, row: (area.rows - size.rows) / 2)
      case .left: CellPoint(column: 0, row: 0)
      case .right: CellPoint(column: area.columns - size.columns, row: 0)
      }
    return DrawnPanel(area: CellRect(origin: origin, size: size), rows: rows)
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
  /// The text of each row, from the top, exactly as wide as the area.
  var rows: [String]
}
