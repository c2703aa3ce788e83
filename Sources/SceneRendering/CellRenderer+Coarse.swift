import PhotoGridCore

extension CellRenderer {
  /// Draws a row of the scene into `cells` in blocks of one colour.
  ///
  /// A block never spans two photos: its colour is the mean of its cells, which all lie wholly
  /// inside one photo. Cells at the edge of a photo, and between photos, show their own mean.
  mutating func drawCoarsely(row: Int, _ block: Coarseness.Block) {
    let own = coarseRow(row)
    var column = 0
    while column < cells.count {
      guard let tile = interior(ofLayer: own.fronts[column], row: row, column: column) else {
        cells[column] = flatCell(own.means[column])
        column += 1
        continue
      }
      let front = own.fronts[column]
      let columns = tile.block(block.columns, at: column, in: tile.columns)
      let rows = tile.block(block.rows, at: row, in: tile.rows)
      let cell = flatCell(mean(ofLayer: front, columns: columns, rows: rows))
      let start = column
      while column < columns.upperBound, own.fronts[column] == front {
        cells[column] = cell
        column += 1
      }
      assert(column > start, "a block has to be as wide as a cell")
    }
  }

  /// Returns the cells that lie wholly inside a layer; nil if the cell at this place does not.
  private func interior(ofLayer layer: Int32, row: Int, column: Int) -> Interior? {
    guard layer >= 0 else { return nil }
    let layer = compositor.layers[Int(layer)]
    let grid = compositor.grid
    func cells(_ samples: Range<Int>, _ perCell: Int) -> Range<Int> {
      let first = (samples.lowerBound + perCell - 1) / perCell
      return first..<max(first, samples.upperBound / perCell)
    }
    let interior = Interior(
      columns: cells(layer.columns, grid.columnsPerCell), rows: cells(layer.rows, grid.rowsPerCell))
    return interior.columns.contains(column) && interior.rows.contains(row) ? interior : nil
  }

  /// The cells that lie wholly inside of a layer.
  private struct Interior {
    var columns: Range<Int>
    var rows: Range<Int>

    /// Returns the block of a given length that contains a cell.
    ///
    /// Blocks are counted from the layer's edge, so that they move with the photo.
    func block(_ length: Int, at place: Int, in range: Range<Int>) -> Range<Int> {
      let start = place - (place - range.lowerBound) % length
      return start..<min(start + length, range.upperBound)
    }
  }

  /// Returns the mean of those cells of a block in which a layer is in front.
  private mutating func mean(
    ofLayer layer: Int32, columns: Range<Int>, rows: Range<Int>
  ) -> SIMD4<Float> {
    var (sum, count) = (SIMD4<Float>.zero, Float(0))
    for row in rows {
      let samples = coarseRow(row)
      for column in columns where samples.fronts[column] == layer {
        sum += samples.means[column]
        count += 1
      }
    }
    return sum / max(count, 1)
  }

  /// Returns the means of a row's cells, which are painted at most once in a frame.
  private mutating func coarseRow(_ row: Int) -> CoarseRow {
    if let known = coarseRows[row] { return known }
    compositor.paint(row: row)
    compositor.anchor(row: row, cells: cells.count, into: &planes.anchors)
    let grid = compositor.grid
    let count = Float(grid.columnsPerCell * grid.rowsPerCell)
    let means = cells.indices.map { column in
      var sum = SIMD4<Float>.zero
      for line in 0..<grid.rowsPerCell {
        let start = line * grid.width + column * grid.columnsPerCell
        for x in start..<start + grid.columnsPerCell { sum += compositor.band[x] }
      }
      return sum / count
    }
    let made = CoarseRow(fronts: planes.anchors.map(\.layer), means: means)
    coarseRows[row] = made
    return made
  }

  /// Returns a cell of one colour: a mean of samples, blended over the background.
  private func flatCell(_ mean: SIMD4<Float>) -> Cell {
    guard mean.w > 0 else { return .blank }
    let isKnown = appearance.background != nil
    func channel(_ value: Float, _ behind: UInt8) -> UInt8 {
      let color =
        isKnown ? value + Float(behind) * (1 - mean.w / 255) : value * (255 / mean.w)
      return UInt8(min(max(color, 0), 255).rounded())
    }
    let backdrop = appearance.backdrop
    let color = CellColor(
      RGB(
        channel(mean.x, backdrop.red), channel(mean.y, backdrop.green),
        channel(mean.z, backdrop.blue)), depth: depth)
    return Cell(glyph: .pattern(0), foreground: color, background: color)
  }
}

/// A row of cells as means of their samples.
struct CoarseRow {
  /// The layer in front of each cell; -1 if there is none.
  var fronts: [Int32]
  /// The mean of each cell's samples: RGBA, premultiplied, 0 to 255.
  var means: [SIMD4<Float>]
}
