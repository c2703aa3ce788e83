import Geometry

/// The size of a cell, from the best source that the terminal offers.
package struct CellMeasurement: Equatable, Sendable {
  /// The size of a cell in pixels, with fractions if the terminal reports some.
  package let cell: PixelSize
  package let source: Source

  package enum Source: Equatable, Sendable {
    case cellReport
    /// The window's size in pixels as the system reports it (`TIOCGWINSZ`), divided by the number
    /// of its cells.
    case window
    /// The terminal's report of the text area's size, divided by the number of its cells.
    case textArea
    /// iTerm2's own report of a cell's size.
    case itermReport
    /// No other source was plausible: a common size, or the size in an earlier session.
    case assumption
  }

  /// Creates a measurement from the best source whose size is plausible for a font.
  package init(
    _ responses: TerminalResponses, window: WindowSize,
    assumed: PixelSize = CellMetrics.standard.cell
  ) {
    let cells = window.cells
    func share(of size: PixelSize?) -> PixelSize? {
      // Rounded down: xterm counts its border among the pixels.
      guard let size, cells.columns > 0, cells.rows > 0 else { return nil }
      return PixelSize(
        width: (size.width / Double(cells.columns)).rounded(.down),
        height: (size.height / Double(cells.rows)).rounded(.down))
    }
    let candidates: [(PixelSize?, Source)] = [
      (responses.cell, .cellReport), (share(of: window.pixels), .window),
      (share(of: responses.textArea), .textArea), (responses.itermCell, .itermReport),
    ]
    for case (let cell?, let source) in candidates where CellMetrics.isPlausible(cell) {
      (self.cell, self.source) = (cell, source)
      return
    }
    (cell, source) = (assumed, .assumption)
  }
}

package struct WindowSize: Equatable, Sendable {
  package var cells: CellSize
  package var pixels: PixelSize

  package init(cells: CellSize, pixels: PixelSize) {
    self.cells = cells
    self.pixels = pixels
  }

  /// The size of a window that the system reports no size of.
  package static let unknown = WindowSize(cells: CellSize(columns: 0, rows: 0), pixels: .zero)
}
