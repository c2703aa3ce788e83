import PhotoGridCore

/// How large a text cell is, by the best of what the terminal tells.
package struct CellMeasurement: Equatable, Sendable {
  /// In pixels, fractions where the terminal's are.
  package let cell: PixelSize
  package let source: Source

  /// Where the size comes from, the best first.
  package enum Source: Equatable, Sendable {
    /// What the terminal answers for a cell.
    case cellReport
    /// The window's pixels, of which the system tells, divided by its cells.
    case window
    /// The text area's pixels, divided by its cells.
    case textArea
    /// What iTerm2 reports.
    case itermReport
    /// Nothing that can be true was told.
    case assumption
  }

  /// Judges what is known; sizes that no font has are passed over.
  ///
  /// - Parameters:
  ///   - answers: What the terminal told.
  ///   - window: What the system tells of its size.
  package init(_ answers: TerminalAnswers, window: WindowSize) {
    let cells = window.cells
    func share(of size: PixelSize?) -> PixelSize? {
      // Rounded down: xterm counts its border among the pixels.
      guard let size, cells.columns > 0, cells.rows > 0 else { return nil }
      return PixelSize(
        width: (size.width / Double(cells.columns)).rounded(.down),
        height: (size.height / Double(cells.rows)).rounded(.down))
    }
    let told: [(PixelSize?, Source)] = [
      (answers.cell, .cellReport), (share(of: window.pixels), .window),
      (share(of: answers.textArea), .textArea), (answers.itermCell, .itermReport),
    ]
    for case (let cell?, let source) in told where CellMetrics.isPlausible(cell) {
      (self.cell, self.source) = (cell, source)
      return
    }
    (cell, source) = (CellMetrics.standard.cell, .assumption)
  }
}

/// What the system tells of a terminal's size (`TIOCGWINSZ`); zero where it does not.
package struct WindowSize: Equatable, Sendable {
  package var cells: CellSize
  package var pixels: PixelSize

  /// A window of the given size.
  package init(cells: CellSize, pixels: PixelSize) {
    self.cells = cells
    self.pixels = pixels
  }

  /// A size that is not known at all.
  package static let unknown = WindowSize(cells: CellSize(columns: 0, rows: 0), pixels: .zero)
}
