import PhotoGridCore

/// Where the samples of a picture area lie: what is between pixels and cells.
///
/// Samples are numbered over the whole area, in columns from the left and in rows from the top.
struct SampleGrid: Equatable {
  let sampling: Sampling
  let metrics: CellMetrics
  /// The picture area in whole cells.
  let cells: CellSize
  /// Sample columns in a cell.
  let columnsPerCell: Int
  /// Where the sample rows of a cell begin, as shares of its height, and at the end 1.
  let rowEdges: [Double]

  /// What a sample is.
  enum Sampling: Equatable {
    /// The smallest part of a cell that a glyph of the set can show.
    case glyphs(GlyphSet)
    /// A pixel; a fractional cell has a whole number of them.
    case pixels
  }

  /// The samples of a picture area; a cell that the area covers in part belongs to it.
  init(_ sampling: Sampling, metrics: CellMetrics, area: PixelSize) {
    self.sampling = sampling
    self.metrics = metrics
    let heights: [Int]
    switch sampling {
    case .glyphs(let glyphs):
      columnsPerCell = glyphs.sampleColumns
      heights = glyphs.sampleHeights
    case .pixels:
      columnsPerCell = Int(metrics.cell.width.rounded(.up))
      heights = Array(repeating: 1, count: Int(metrics.cell.height.rounded(.up)))
    }
    let columns = Self.count(of: metrics.cell.width, in: area.width, limit: 10_000)
    cells = CellSize(
      columns: columns,
      rows: Self.count(
        of: metrics.cell.height, in: area.height, limit: Self.limit / max(columns, 1)))
    let units = Double(heights.reduce(0, +))
    var edge = 0
    var edges = [0.0]
    for height in heights {
      edge += height
      edges.append(Double(edge) / units)
    }
    rowEdges = edges
  }

  /// Sample rows in a cell.
  var rowsPerCell: Int { rowEdges.count - 1 }
  /// Sample columns in the picture area.
  var width: Int { cells.columns * columnsPerCell }
  /// Sample rows in the picture area.
  var height: Int { cells.rows * rowsPerCell }
  /// The width of a sample in pixels.
  var sampleWidth: Double { metrics.cell.width / Double(columnsPerCell) }

  /// The sample columns whose middles lie between two places in pixels.
  func columns(from left: Double, to right: Double) -> Range<Int> {
    func first(from x: Double) -> Int {
      Int((x / sampleWidth - 0.5).rounded(.up).clamped(to: 0...Double(width)))
    }
    let start = first(from: left)
    return start..<max(start, first(from: right))
  }

  /// The sample rows whose middles lie between two places in pixels.
  func rows(from top: Double, to bottom: Double) -> Range<Int> {
    func first(from y: Double) -> Int {
      let position = (y / metrics.cell.height).clamped(to: 0...Double(cells.rows))
      let cell = position.rounded(.down)
      let above = (0..<rowsPerCell).count {
        (rowEdges[$0] + rowEdges[$0 + 1]) / 2 < position - cell
      }
      return min(Int(cell) * rowsPerCell + above, height)
    }
    let start = first(from: top)
    return start..<max(start, first(from: bottom))
  }

  /// The cells that samples lie in; none where there are no samples.
  func cells(ofColumns columns: Range<Int>, rows: Range<Int>) -> CellRect {
    guard !columns.isEmpty, !rows.isEmpty else {
      return CellRect(
        origin: CellPoint(column: 0, row: 0), size: CellSize(columns: 0, rows: 0))
    }
    let origin = CellPoint(
      column: columns.lowerBound / columnsPerCell, row: rows.lowerBound / rowsPerCell)
    return CellRect(
      origin: origin,
      size: CellSize(
        columns: (columns.upperBound - 1) / columnsPerCell + 1 - origin.column,
        rows: (rows.upperBound - 1) / rowsPerCell + 1 - origin.row))
  }

  /// Where a sample row begins and ends, in pixels.
  func extent(ofRow row: Int) -> ClosedRange<Double> {
    let (cell, part) = row.quotientAndRemainder(dividingBy: rowsPerCell)
    let top = (Double(cell) + rowEdges[part]) * metrics.cell.height
    return top...max(top, (Double(cell) + rowEdges[part + 1]) * metrics.cell.height)
  }

  /// Where a line of the parts of a sample row begins and ends, in pixels; the whole row if it is not
  /// cut.
  func extent(ofRow row: Int, line: Int, of cut: SampleCut?) -> ClosedRange<Double> {
    let whole = extent(ofRow: row)
    guard let cut else { return whole }
    let lines = cut.lines(ofRow: row % rowsPerCell)
    let height = (whole.upperBound - whole.lowerBound) / Double(lines.count)
    let top = whole.lowerBound + Double(line - lines.lowerBound) * height
    return top...max(top, top + height)
  }

  /// More cells than any terminal or page has; a bound for memory if a size is a fault.
  private static let limit = 4_000_000

  /// Cells that a length covers.
  private static func count(of cell: Double, in length: Double, limit: Int) -> Int {
    // A hair less, so that rounding in a layout does not make another cell.
    Int((length / cell - 1e-6).rounded(.up).clamped(to: 0...Double(limit)))
  }
}

extension Double {
  /// The nearest value in the range; its lower bound where this is not a number.
  func clamped(to range: ClosedRange<Double>) -> Double {
    self > range.lowerBound ? min(self, range.upperBound) : range.lowerBound
  }
}
