/// The terminal's size and what of it belongs to pictures.
package struct Viewport: Equatable, Sendable {
  /// The whole terminal.
  package var cells: CellSize
  package var metrics: CellMetrics
  /// Whether the last row is the bar's.
  package var hasBar: Bool

  /// The viewport of a terminal of the given size.
  package init(cells: CellSize, metrics: CellMetrics = .standard, hasBar: Bool = true) {
    self.cells = CellSize(columns: max(cells.columns, 0), rows: max(cells.rows, 0))
    self.metrics = metrics
    self.hasBar = hasBar
  }

  /// Whether everything has the same place as in another viewport, drawn finer or coarser perhaps.
  package func isLaidOut(as other: Viewport) -> Bool {
    cells == other.cells && hasBar == other.hasBar && metrics.cell == other.metrics.cell
      && metrics.grain == other.metrics.grain
  }

  /// The rows above the bar; a terminal of one row has none of them.
  package var pictureCells: CellSize {
    CellSize(columns: cells.columns, rows: max(cells.rows - (hasBar ? 1 : 0), 0))
  }

  /// The picture area in pixels, origin at the terminal's top left.
  package var pictureSize: PixelSize { metrics.size(of: pictureCells) }

  /// The picture area as a rectangle.
  package var pictureArea: PixelRect { PixelRect(origin: .zero, size: pictureSize) }
}
