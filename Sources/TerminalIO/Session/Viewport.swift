import PhotoGridCore

extension Viewport {
  /// The viewport of a window whose text cells have a size in pixels.
  ///
  /// No cells at all become 80 by 24, as some terminals report 0 by 0. Sides are limited to what a
  /// screen can have, so that a false report does not ask for gigabytes.
  package init(_ window: WindowSize, cell: PixelSize) {
    let isKnown = window.cells.columns > 0 && window.cells.rows > 0
    self.init(
      cells: isKnown
        ? CellSize(
          columns: min(window.cells.columns, 1000), rows: min(window.cells.rows, 500))
        : CellSize(columns: 80, rows: 24),
      metrics: CellMetrics(cell: cell))
  }

  /// The middle of a cell, or of the nearest one that exists; in pixels.
  func center(ofColumn column: Int, row: Int) -> PixelPoint {
    metrics.center(
      of: CellPoint(
        column: min(max(column, 0), cells.columns - 1), row: min(max(row, 0), cells.rows - 1)))
  }

  /// The middle of a pixel, or of the nearest one that exists.
  func center(ofPixelAt x: Int, y: Int) -> PixelPoint {
    let size = metrics.size(of: cells)
    return PixelPoint(
      x: min(max(Double(x), 0), size.width - 1) + 0.5,
      y: min(max(Double(y), 0), size.height - 1) + 0.5)
  }
}
