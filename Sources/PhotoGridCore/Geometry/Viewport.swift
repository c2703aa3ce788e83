/// The terminal's size and the part of it that displays pictures.
///
///     (0, 0) ┌───────────────────┐
///            │                   │
///            │   picture area    │  pictureCells.rows
///            │                   │
///            ├───────────────────┤
///            │ status bar        │  1 row, if hasBar
///            └───────────────────┘
package struct Viewport: Equatable, Sendable {
  /// The size of the whole terminal, in cells.
  package var cells: CellSize
  /// The size of a cell, and the precision at which pictures can be placed.
  package var metrics: CellMetrics
  /// Whether the last row belongs to the status bar.
  package var hasBar: Bool

  /// Creates the viewport of a terminal of the given size; negative sides become 0.
  package init(cells: CellSize, metrics: CellMetrics = .standard, hasBar: Bool = true) {
    self.cells = CellSize(columns: max(cells.columns, 0), rows: max(cells.rows, 0))
    self.metrics = metrics
    self.hasBar = hasBar
  }

  /// Whether everything has the same frame as in another viewport, even if drawn at another
  /// resolution.
  package func isLaidOut(as other: Viewport) -> Bool {
    cells == other.cells && hasBar == other.hasBar && metrics.cell == other.metrics.cell
      && metrics.grain == other.metrics.grain
  }

  /// The size of the picture area in cells: all rows above the bar, none in a terminal of one row.
  package var pictureCells: CellSize {
    CellSize(columns: cells.columns, rows: max(cells.rows - (hasBar ? 1 : 0), 0))
  }

  /// The size of the picture area, in pixels.
  package var pictureSize: PixelSize { metrics.size(of: pictureCells) }

  /// The picture area in pixels; its origin is the terminal's top left.
  package var pictureArea: PixelRect { PixelRect(origin: .zero, size: pictureSize) }
}
