/// A place on the terminal in text cells, counted from 0 at the top left.
package struct CellPoint: Equatable, Hashable, Sendable {
  package var column: Int
  package var row: Int

  /// The cell at the given column and row.
  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// An extent in text cells.
package struct CellSize: Equatable, Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  /// The size with the given sides.
  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// A rectangle of text cells.
package struct CellRect: Equatable, Hashable, Sendable {
  package var origin: CellPoint
  package var size: CellSize

  /// The rectangle with the given top left cell and size.
  package init(origin: CellPoint, size: CellSize) {
    self.origin = origin
    self.size = size
  }

  /// Whether the cell lies inside.
  package func contains(column: Int, row: Int) -> Bool {
    column >= origin.column && column < origin.column + size.columns
      && row >= origin.row && row < origin.row + size.rows
  }
}

/// How large a text cell is in pixels: the door between cells and the geometry inside.
package struct CellMetrics: Equatable, Sendable {
  package let cell: PixelSize
  /// What tiles are placed by.
  package var grain = Grain.cells
  /// How many samples a pixel's length of picture is drawn with, at the finest.
  package var samplesPerPixel = 1.0

  /// How finely pictures can be placed on a terminal.
  package enum Grain: Equatable, Sendable {
    /// Drawing by glyphs.
    case cells
    /// Real pixels.
    case pixels
  }

  /// Metrics of a terminal whose cells have the given size in pixels.
  ///
  /// A size that no font has (faults in a terminal's answer) becomes `standard`.
  package init(cell: PixelSize) {
    self.cell = Self.isPlausible(cell) ? cell : PixelSize(width: 10, height: 20)
  }

  /// The text columns that lie wholly inside a frame: where pixels are placed, a frame may begin
  /// and end within a column.
  package func columns(inside frame: PixelRect) -> Range<Int> {
    // A frame is meant to be aligned where it is so within a hundredth of a cell.
    func index(_ x: Double, _ slack: Double, _ rule: FloatingPointRoundingRule) -> Int {
      Int(max(min((x / cell.width + slack).rounded(rule), 20_000), -20_000))
    }
    guard frame.minX.isFinite, frame.maxX.isFinite else { return 0..<0 }
    let left = index(frame.minX, -0.01, .up)
    return left..<max(left, index(frame.maxX, 0.01, .down))
  }

  /// Whether there are fonts whose cells have the given size in pixels.
  package static func isPlausible(_ cell: PixelSize) -> Bool {
    (3...60).contains(cell.width) && (1.2...3.5).contains(cell.height / max(cell.width, 1))
  }

  /// What is assumed where no terminal tells: 10 by 20 pixels.
  package static let standard = CellMetrics(cell: PixelSize(width: 10, height: 20))

  /// The step to which drawing snaps: by cells a cell's width by half its height, which a half
  /// block shows exactly; else a pixel.
  package var quantum: PixelSize {
    switch grain {
    case .cells: PixelSize(width: cell.width, height: cell.height / 2)
    case .pixels: PixelSize(width: 1, height: 1)
    }
  }

  /// What a spacing of 1 is between tiles, in whole quanta; the selection's ring is as wide.
  package var gap: PixelSize {
    switch grain {
    case .cells: quantum
    case .pixels: PixelSize(width: 3, height: 3)
    }
  }

  /// A twentieth of a text row's height: the unit of gestures, so that a default row is 20 points.
  package var point: Double { cell.height / 20 }

  /// The middle of a text cell, in pixels.
  package func center(of cell: CellPoint) -> PixelPoint {
    PixelPoint(
      x: (Double(cell.column) + 0.5) * self.cell.width,
      y: (Double(cell.row) + 0.5) * self.cell.height)
  }

  /// The size in pixels of an extent in cells.
  package func size(of cells: CellSize) -> PixelSize {
    PixelSize(
      width: Double(cells.columns) * cell.width, height: Double(cells.rows) * cell.height)
  }
}
