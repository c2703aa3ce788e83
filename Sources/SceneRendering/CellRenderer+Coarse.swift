import PhotoGridCore

extension CellRenderer {
  /// Draws a row of the scene into `cells` as a row of blocks, each the mean of the row of cells in
  /// its middle.
  mutating func drawCoarsely(row: Int, _ block: Coarseness.Block) {
    let middle = min(row - row % block.rows + block.rows / 2, compositor.grid.cells.rows - 1)
    guard !compositor.isEmpty(row: middle, columns: 0..<cells.count) else {
      for column in cells.indices { cells[column] = .blank }
      return
    }
    compositor.paint(row: middle)
    let grid = compositor.grid
    for start in stride(from: 0, to: cells.count, by: block.columns) {
      let columns = start..<min(start + block.columns, cells.count)
      let samples =
        columns.lowerBound * grid.columnsPerCell..<columns.upperBound * grid.columnsPerCell
      var sum = SIMD4<Float>.zero
      for line in 0..<grid.rowsPerCell {
        for x in samples { sum += compositor.band[line * grid.width + x] }
      }
      let mean = sum / Float(samples.count * grid.rowsPerCell)
      let cell = mean.w == 0 ? .blank : flatCell(mean)
      for column in columns { cells[column] = cell }
    }
  }

  /// A cell of one colour, of which a mean of samples covers the background.
  private func flatCell(_ mean: SIMD4<Float>) -> Cell {
    func channel(_ value: Float, _ behind: UInt8) -> UInt32 {
      UInt32(min(max(value + Float(behind) * (1 - mean.w / 255), 0), 255).rounded())
    }
    let backdrop = appearance.backdrop
    let packed =
      channel(mean.x, backdrop.red) << 16 | channel(mean.y, backdrop.green) << 8
      | channel(mean.z, backdrop.blue)
    let color = CellColor(coarsely: packed, depth: depth)
    return Cell(glyph: .pattern(0), foreground: color, background: color)
  }
}
