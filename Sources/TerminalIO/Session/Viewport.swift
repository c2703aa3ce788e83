import PhotoGridCore

extension Viewport {
  /// What a terminal reported: cells, and pixels of the whole (0 where it does not tell).
  ///
  /// No cells at all become 80 by 24, as some terminals report 0 by 0. Sides are limited to what a
  /// screen can have, so that a false report does not ask for gigabytes.
  package init(columns: Int, rows: Int, pixelWidth: Int = 0, pixelHeight: Int = 0) {
    // Floor division: xterm counts its border among the pixels.
    let metrics = CellMetrics(
      cell: PixelSize(
        width: Double(pixelWidth / max(columns, 1)), height: Double(pixelHeight / max(rows, 1))))
    let isKnown = columns > 0 && rows > 0
    self.init(
      cells: isKnown
        ? CellSize(columns: min(columns, 1000), rows: min(rows, 500))
        : CellSize(columns: 80, rows: 24),
      metrics: metrics)
  }

  /// The cell, or the nearest one that exists.
  package func clamped(_ cell: CellPoint) -> CellPoint {
    CellPoint(
      column: min(max(cell.column, 0), cells.columns - 1),
      row: min(max(cell.row, 0), cells.rows - 1))
  }
}
