/// A position on the terminal in text cells, counted from 0 at the top left.
package struct CellPoint: Equatable, Hashable, Sendable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

package struct CellSize: Equatable, Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

package struct CellRect: Equatable, Hashable, Sendable {
  package var origin: CellPoint
  package var size: CellSize

  package init(origin: CellPoint, size: CellSize) {
    self.origin = origin
    self.size = size
  }

  package func contains(column: Int, row: Int) -> Bool {
    column >= origin.column && column < origin.column + size.columns
      && row >= origin.row && row < origin.row + size.rows
  }
}

/// The size of a text cell in pixels, which converts between cells and pixel geometry.
package struct CellMetrics: Equatable, Sendable {
  package let cell: PixelSize
  /// The precision at which pictures can be placed.
  package var placementUnit = PlacementUnit.cells
  /// The number of samples per pixel of length that the renderer can use of a picture.
  package var samplesPerPixel = 1.0
  /// The memory that drawing a frame takes for each pixel, beside the pictures, in bytes.
  package var frameBytesPerPixel = 0

  /// The precision at which a terminal can place pictures.
  package enum PlacementUnit: Equatable, Sendable {
    /// Glyphs in text cells.
    case cells
    case pixels
  }

  /// Creates the metrics of a terminal with the given cell size, in pixels.
  ///
  /// A size that no font has, as from a terminal's faulty reply, becomes the size of `standard`.
  package init(cell: PixelSize) {
    self.cell = Self.isPlausible(cell) ? cell : PixelSize(width: 10, height: 20)
  }

  /// Returns the text columns that lie wholly inside a frame.
  ///
  /// With `PlacementUnit.pixels`, a frame can begin and end within a column. The range is empty if the
  /// frame is not finite.
  package func columns(inside frame: PixelRect) -> Range<Int> {
    guard frame.minX.isFinite, frame.maxX.isFinite else { return 0..<0 }
    // An edge within a hundredth of a cell of a column's edge counts as aligned.
    func index(_ x: Double, _ slack: Double, _ rule: FloatingPointRoundingRule) -> Int {
      Int(max(min((x / cell.width + slack).rounded(rule), 20_000), -20_000))
    }
    let left = index(frame.minX, -0.01, .up)
    return left..<max(left, index(frame.maxX, 0.01, .down))
  }

  /// Whether a font can have cells of the given size, in pixels.
  package static func isPlausible(_ cell: PixelSize) -> Bool {
    (3...60).contains(cell.width) && (1.2...3.5).contains(cell.height / max(cell.width, 1))
  }

  /// The metrics assumed for a terminal that does not report its cell size: 10 by 20 pixels.
  package static let standard = CellMetrics(cell: PixelSize(width: 10, height: 20))

  /// The step to which frames are aligned: with `PlacementUnit.cells`, a cell's width by half its height,
  /// which a half block displays exactly; otherwise one pixel.
  package var placementStep: PixelSize {
    switch placementUnit {
    case .cells: PixelSize(width: cell.width, height: cell.height / 2)
    case .pixels: PixelSize(width: 1, height: 1)
    }
  }

  /// The distance between tiles at a spacing of 1, in pixels and whole placement steps.
  ///
  /// The selection ring has the same width.
  package var gap: PixelSize {
    switch placementUnit {
    case .cells: placementStep
    case .pixels: PixelSize(width: 3, height: 3)
    }
  }

  /// The unit in which gestures are measured, in pixels: a twentieth of a text row's height.
  package var point: Double { cell.height / 20 }

  /// Returns the cell at a position.
  package func cell(at position: PixelPoint) -> CellPoint {
    CellPoint(
      column: Int((position.x / cell.width).rounded(.down)),
      row: Int((position.y / cell.height).rounded(.down)))
  }

  package func center(of cell: CellPoint) -> PixelPoint {
    PixelPoint(
      x: (Double(cell.column) + 0.5) * self.cell.width,
      y: (Double(cell.row) + 0.5) * self.cell.height)
  }

  package func size(of cells: CellSize) -> PixelSize {
    PixelSize(width: Double(cells.columns) * cell.width, height: Double(cells.rows) * cell.height)
  }
}
