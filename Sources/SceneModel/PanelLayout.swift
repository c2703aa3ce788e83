import Geometry

/// A panel in the picture area: its texts, cut to the room, and the cells that it covers.
///
/// What is drawn and what the pointer hits are both made of it.
package struct PanelLayout: Equatable, Sendable {
  package let title: CellText
  package let lines: [CellText]
  /// The width of the texts, in cells.
  package let width: Int
  /// The cells that the panel covers, with its border.
  package let area: CellRect

  /// Lays a panel out; nil if the picture area has no room for any text.
  package init?(_ panel: Panel, in room: CellSize) {
    let (columns, rows) = (room.columns - 4, room.rows - 2)
    guard columns > 0, rows > 0 else { return nil }
    title = CellText(panel.title).truncatedTail(to: columns)
    lines = panel.lines.prefix(rows).map { CellText($0).truncatedTail(to: columns) }
    width = max(1, title.width, lines.map(\.width).max() ?? 0)
    let size = CellSize(columns: width + 4, rows: max(lines.count, 1) + 2)
    let origin =
      switch panel.position {
      case .middle:
        CellPoint(column: (room.columns - size.columns) / 2, row: (room.rows - size.rows) / 2)
      case .left: CellPoint(column: 0, row: 0)
      case .bottom: CellPoint(column: 0, row: room.rows - size.rows)
      case .right: CellPoint(column: room.columns - size.columns, row: 0)
      }
    area = CellRect(origin: origin, size: size)
  }

  /// Returns the line and the column of its text at a cell; outside of them on the border, and nil
  /// beside the panel.
  package func place(at cell: CellPoint) -> CellPoint? {
    guard area.contains(column: cell.column, row: cell.row) else { return nil }
    return CellPoint(
      column: cell.column - area.origin.column - 2, row: cell.row - area.origin.row - 1)
  }
}
