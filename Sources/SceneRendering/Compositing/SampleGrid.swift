import PhotoGridCore

/// Where the samples of a picture area lie: what is between pixels and cells.
///
/// Samples are numbered over the whole area, in columns from the left and in rows from the top.
struct SampleGrid: Equatable {
  let glyphs: GlyphSet
  let metrics: CellMetrics
  /// The picture area in whole cells.
  let cells: CellSize
  /// Where the sample rows of a cell begin, as shares of its height, and at the end 1.
  let rowEdges: [Double]

  /// The samples of a picture area; a cell that the area covers in part belongs to it.
  init(glyphs: GlyphSet, metrics: CellMetrics, area: PixelSize) {
    self.glyphs = glyphs
    self.metrics = metrics
    let columns = Self.count(of: metrics.cell.width, in: area.width, limit: 10_000)
    cells = CellSize(
      columns: columns,
      rows: Self.count(
        of: metrics.cell.height, in: area.height, limit: Self.limit / max(columns, 1)))
    let units = Double(glyphs.sampleHeights.reduce(0, +))
    var edge = 0
    var edges = [0.0]
    for height in glyphs.sampleHeights {
      edge += height
      edges.append(Double(edge) / units)
    }
    rowEdges = edges
  }

  /// Sample rows in a cell.
  var rowsPerCell: Int { rowEdges.count - 1 }
  /// Sample columns in a cell.
  var columnsPerCell: Int { glyphs.sampleColumns }
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

  /// Where a sample row begins and ends, in pixels.
  func extent(ofRow row: Int) -> ClosedRange<Double> {
    let (cell, part) = row.quotientAndRemainder(dividingBy: rowsPerCell)
    let top = (Double(cell) + rowEdges[part]) * metrics.cell.height
    return top...max(top, (Double(cell) + rowEdges[part + 1]) * metrics.cell.height)
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
