import PhotoGridCore

extension CellRenderer {
  /// Marks cells as overwritten by other writers, so that they are drawn again.
  mutating func forget(_ rect: CellRect) {
    let columns = rect.columns.clamped(to: 0..<shownSize.columns)
    let rows = rect.rows.clamped(to: 0..<shownSize.rows)
    for row in rows {
      for column in columns { shown[row * shownSize.columns + column] = .unknown }
    }
    damage.add(columns: columns, rows: rows)
  }

  /// Returns the columns of a row that this renderer draws.
  func freeColumns(ofRow row: Int) -> [Range<Int>] {
    var free = [0..<shownSize.columns]
    func remove(_ rect: CellRect) {
      guard rect.rows.contains(row) else { return }
      free = free.flatMap { range in
        let cut = rect.columns.clamped(to: range)
        return cut.isEmpty
          ? [range] : [range.lowerBound..<cut.lowerBound, cut.upperBound..<range.upperBound]
      }
    }
    if let mask { remove(mask) }
    for rect in patches { remove(rect) }
    free.removeAll { $0.isEmpty }
    guard let reserved, reserved.size == shownSize else { return free }
    return free.flatMap { reserved.gaps(inRow: row, columns: $0) }
  }

  /// Replaces wide characters by blanks where the mask covers one of their halves.
  mutating func cutAtMask(_ free: [Range<Int>]) {
    for column in free.flatMap({ [$0.lowerBound, $0.upperBound] })
    where cells.indices.contains(column) && column > 0 {
      guard cells[column].glyph == .continuation else { continue }
      for half in [column - 1, column] {
        cells[half] = Cell(
          glyph: .pattern(0), foreground: cells[half].background,
          background: cells[half].background)
      }
    }
  }
}
