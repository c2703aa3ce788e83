import Geometry

/// The grid of samples of a picture area: a sample is the part of a cell that has one color.
///
/// Samples are numbered over the whole area, in columns from the left and in rows from the top. For
/// example, with quadrants the cell in column 3 and row 1 has the sample columns 6 and 7, and the
/// sample rows 2 and 3.
struct SampleGrid: Equatable {
  let sampling: Sampling
  /// The size of a cell, and units that depend on it.
  let metrics: CellMetrics
  let cells: CellSize
  let columnsPerCell: Int
  /// The upper edges of the sample rows of a cell, as shares of its height; at the end, 1.
  let rowEdges: [Double]

  enum Sampling: Equatable {
    /// The smallest part of a cell that a glyph of the set can show.
    case glyphs(GlyphSet)
    /// A pixel; a cell with a fractional size has a whole number of them, rounded up.
    case pixels
  }

  /// Creates the grid of a picture area, in pixels; cells that the area covers in part belong to
  /// it.
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

  var rowsPerCell: Int { rowEdges.count - 1 }
  var width: Int { cells.columns * columnsPerCell }
  var height: Int { cells.rows * rowsPerCell }
  var sampleWidth: Double { metrics.cell.width / Double(columnsPerCell) }

  /// Returns the sample columns whose middles lie between two positions in pixels.
  func columns(from left: Double, to right: Double) -> Range<Int> {
    func first(from x: Double) -> Int {
      Int((x / sampleWidth - 0.5).rounded(.up).clamped(to: 0...Double(width)))
    }
    let start = first(from: left)
    return start..<max(start, first(from: right))
  }

  /// Returns the sample rows whose middles lie between two positions in pixels.
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

  /// Whether glyphs draw what is placed by pixels, so that a gap may be smaller than a sample.
  private var roundsGaps: Bool { sampling != .pixels && metrics.placementUnit == .pixels }

  /// Returns the sample columns of a tile between two positions in pixels.
  ///
  /// If gaps are smaller than samples, there is one column between tiles that are a gap apart,
  /// wherever they are; by their middles alone there would be one or none.
  func tileColumns(from left: Double, to right: Double) -> Range<Int> {
    let plain = columns(from: left, to: right)
    let next = right + metrics.gap.width
    guard roundsGaps, next <= Double(width) * sampleWidth else { return plain }
    let end = columns(from: next, to: next).lowerBound - 1
    return plain.lowerBound..<max(end, plain.lowerBound)
  }

  /// Returns the sample rows of a tile between two positions in pixels, as `tileColumns` does.
  func tileRows(from top: Double, to bottom: Double) -> Range<Int> {
    let plain = rows(from: top, to: bottom)
    let next = bottom + metrics.gap.height
    guard roundsGaps, next <= Double(cells.rows) * metrics.cell.height else { return plain }
    let end = rows(from: next, to: next).lowerBound - 1
    return plain.lowerBound..<max(end, plain.lowerBound)
  }

  /// Returns the cells that contain a rectangle of samples; an empty rectangle if there are none.
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

  /// Returns the top and bottom of a sample row in pixels.
  func extent(ofRow row: Int) -> ClosedRange<Double> {
    let (cell, part) = row.quotientAndRemainder(dividingBy: rowsPerCell)
    let top = (Double(cell) + rowEdges[part]) * metrics.cell.height
    return top...max(top, (Double(cell) + rowEdges[part + 1]) * metrics.cell.height)
  }

  /// Returns the top and bottom of a line of parts in a sample row in pixels; those of the whole
  /// row if it is not cut.
  func extent(ofRow row: Int, line: Int, of cut: SampleCut?) -> ClosedRange<Double> {
    let whole = extent(ofRow: row)
    guard let cut else { return whole }
    let lines = cut.lines(ofRow: row % rowsPerCell)
    let height = (whole.upperBound - whole.lowerBound) / Double(lines.count)
    let top = whole.lowerBound + Double(line - lines.lowerBound) * height
    return top...max(top, top + height)
  }

  /// More cells than any terminal has: a limit for memory if a size is wrong.
  private static let limit = 4_000_000

  /// Returns the number of cells that a length covers, at least in part.
  private static func count(of cell: Double, in length: Double, limit: Int) -> Int {
    // A little less, so that rounding errors in a layout do not add a cell.
    Int((length / cell - 1e-6).rounded(.up).clamped(to: 0...Double(limit)))
  }
}

extension Double {
  /// Returns the nearest value in the range; its lower bound if this is not a number.
  func clamped(to range: ClosedRange<Double>) -> Double {
    self > range.lowerBound ? min(self, range.upperBound) : range.lowerBound
  }
}

/// How the samples of a cell are cut into parts of equal size, because samples are too coarse to
/// distinguish a slanted edge from a level one.
struct SampleCut: Equatable {
  /// The parts of a sample side by side.
  let columns = 2
  /// The first line of parts in each sample row of a cell; at the end, the number of lines.
  private let starts: [Int]
  /// The index of the sample that each part belongs to, line by line.
  let samples: [Int]

  /// Creates a cut of the samples of a glyph set into parts as high as the lowest sample.
  init(_ glyphs: GlyphSet) {
    let heights = glyphs.sampleHeights
    starts = heights.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    let columns = columns
    samples = heights.indices.flatMap { row in
      (0..<heights[row] * glyphs.sampleColumns * columns).map { part in
        row * glyphs.sampleColumns + part % (glyphs.sampleColumns * columns) / columns
      }
    }
  }

  /// Creates the cut for pictures that do not move; returns nil if no wedges are drawn.
  init?(_ glyphs: GlyphSet, for appearance: Appearance) {
    guard Self.isUsed(with: glyphs, appearance) else { return nil }
    self.init(glyphs)
  }

  /// Whether wedges are drawn, so that samples of pictures that do not move are cut.
  static func isUsed(with glyphs: GlyphSet, _ appearance: Appearance) -> Bool {
    appearance.hasWedges && !glyphs.wedges.isEmpty
  }

  /// The number of lines of parts in a cell.
  var lineCount: Int { starts[starts.count - 1] }

  /// Returns the lines of parts in a sample row of a cell.
  func lines(ofRow row: Int) -> Range<Int> { starts[row]..<starts[row + 1] }
}
