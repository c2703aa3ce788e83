import Glibc
import PhotoGridCore

/// How large the terminal is, in cells and in pixels a cell.
package struct Viewport: Equatable, Sendable {
  /// The whole terminal; both sides at least 1.
  package let cells: CellSize
  package let metrics: CellMetrics

  /// What a terminal reported: cells, and pixels of the whole (0 where it does not tell).
  ///
  /// No cells at all become 80 by 24, as some terminals report 0 by 0. Sides are limited to what a
  /// screen can have, so that a false report does not ask for gigabytes.
  package init(columns: Int, rows: Int, pixelWidth: Int = 0, pixelHeight: Int = 0) {
    cells =
      columns > 0 && rows > 0
      ? CellSize(columns: min(columns, 1000), rows: min(rows, 500))
      : CellSize(columns: 80, rows: 24)
    // Floor division: xterm counts its border among the pixels.
    metrics = CellMetrics(
      cell: PixelSize(
        width: Double(pixelWidth / max(columns, 1)), height: Double(pixelHeight / max(rows, 1))))
  }

  /// The rows for pictures: all but the last, which is the bar's.
  package var pictureCells: CellSize {
    CellSize(columns: cells.columns, rows: cells.rows - 1)
  }

  /// The picture area in pixels, origin at the top left; without height where only the bar fits.
  package var pictureSize: PixelSize { metrics.size(of: pictureCells) }

  /// The cell, or the nearest one that exists.
  package func clamped(_ cell: CellPoint) -> CellPoint {
    CellPoint(
      column: min(max(cell.column, 0), cells.columns - 1),
      row: min(max(cell.row, 0), cells.rows - 1))
  }
}
