import PhotoGridCore

extension Viewport {
  /// Creates the viewport of a window.
  ///
  /// A window without columns or rows, as some terminals report it, becomes 80 by 24 cells. The
  /// viewport has at most 1000 columns and 500 rows, so that a false report does not allocate
  /// gigabytes.
  ///
  /// - Parameters:
  ///   - window: The window's size.
  ///   - cell: The size of a cell in pixels.
  package init(_ window: WindowSize, cell: PixelSize) {
    let isKnown = window.cells.columns > 0 && window.cells.rows > 0
    self.init(
      cells: isKnown
        ? CellSize(
          columns: min(window.cells.columns, 1000), rows: min(window.cells.rows, 500))
        : CellSize(columns: 80, rows: 24),
      metrics: CellMetrics(cell: cell))
  }

  /// Returns the middle of a cell in pixels; a cell outside counts as the nearest one inside.
  func center(ofColumn column: Int, row: Int) -> PixelPoint {
    metrics.center(
      of: CellPoint(
        column: min(max(column, 0), cells.columns - 1), row: min(max(row, 0), cells.rows - 1)))
  }

  /// Returns the middle of a pixel; a pixel outside counts as the nearest one inside.
  func center(ofPixelAt x: Int, y: Int) -> PixelPoint {
    let size = metrics.size(of: cells)
    return PixelPoint(
      x: min(max(Double(x), 0), size.width - 1) + 0.5,
      y: min(max(Double(y), 0), size.height - 1) + 0.5)
  }
}
