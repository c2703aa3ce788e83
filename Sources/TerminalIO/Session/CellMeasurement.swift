import PhotoGridCore

/// The size of a cell, from the best source that the terminal offers.
package struct CellMeasurement: Equatable, Sendable {
  /// The size of a cell in pixels, with fractions if the terminal reports some.
  package let cell: PixelSize
  /// The source of the size.
  package let source: Source

  /// The sources for the size of a cell, best first.
  package enum Source: Equatable, Sendable {
    /// The terminal's report of a cell's size.
    case cellReport
    /// The window's size in pixels by the system (`TIOCGWINSZ`), divided by its cells.
    case window
    /// The terminal's report of the text area's size, divided by its cells.
    case textArea
    /// iTerm2's own report.
    case itermReport
    /// None of the others was plausible: a common size, or that of an earlier session.
    case assumption
  }

  /// Chooses the best source whose size is plausible for a font.
  ///
  /// - Parameters:
  ///   - responses: The terminal's responses.
  ///   - window: The window's size as the system reports it.
  ///   - assumed: The size to assume if nothing plausible is reported.
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

/// The size of a terminal's window as the system reports it (`TIOCGWINSZ`); zero if it is unknown.
package struct WindowSize: Equatable, Sendable {
  /// The size in cells.
  package var cells: CellSize
  /// The size in pixels.
  package var pixels: PixelSize

  /// Creates the size of a window.
  package init(cells: CellSize, pixels: PixelSize) {
    self.cells = cells
    self.pixels = pixels
  }

  /// The size of a window about which the system knows nothing.
  package static let unknown = WindowSize(cells: CellSize(columns: 0, rows: 0), pixels: .zero)
}
