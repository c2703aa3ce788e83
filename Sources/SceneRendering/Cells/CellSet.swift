import Geometry

struct CellSet: Equatable {
  let size: CellSize
  /// 1 for each cell in the set, 0 for all others; row by row.
  private var flags: [UInt8]

  init(size: CellSize) {
    self.size = size
    flags = Array(repeating: 0, count: size.columns * size.rows)
  }

  /// Whether a cell, which must lie in the area, is in the set.
  subscript(column: Int, row: Int) -> Bool { flags[row * size.columns + column] != 0 }

  var isEmpty: Bool { !flags.contains(1) }

  var count: Int { flags.reduce(0) { $0 &+ Int($1) } }

  /// Adds the cells in some columns and rows, as far as they lie in the area.
  mutating func insert(columns: Range<Int>, rows: Range<Int>) {
    fill(columns: columns, rows: rows, with: 1)
  }

  mutating func remove(columns: Range<Int>, rows: Range<Int>) {
    fill(columns: columns, rows: rows, with: 0)
  }

  /// Adds the cells of a rectangle, as far as they lie in the area.
  mutating func insert(_ rect: CellRect) { insert(columns: rect.columns, rows: rect.rows) }

  mutating func remove(_ rect: CellRect) { remove(columns: rect.columns, rows: rect.rows) }

  mutating func removeAll() { insertAll(0) }

  mutating func insertAll() { insertAll(1) }

  mutating func subtract(_ other: CellSet) { combine(other) { $0 & ~$1 } }

  mutating func formUnion(_ other: CellSet) { combine(other) { $0 | $1 } }

  mutating func formIntersection(_ other: CellSet) { combine(other) { $0 & $1 } }

  func contains(anyOfRow row: Int) -> Bool {
    flags[row * size.columns..<(row + 1) * size.columns].contains(1)
  }

  func contains(anyOf rect: CellRect) -> Bool {
    let columns = rect.columns.clamped(to: 0..<size.columns)
    return rect.rows.clamped(to: 0..<size.rows).contains { row in
      flags[row * size.columns + columns.lowerBound..<row * size.columns + columns.upperBound]
        .contains(1)
    }
  }

  /// Whether all cells of a rectangle lie in the area and are in the set.
  func contains(allOf rect: CellRect) -> Bool {
    guard rect.columns.clamped(to: 0..<size.columns) == rect.columns,
      rect.rows.clamped(to: 0..<size.rows) == rect.rows
    else { return false }
    return rect.rows.allSatisfy { row in
      !flags[row * size.columns + rect.origin.column..<row * size.columns + rect.columns.upperBound]
        .contains(0)
    }
  }

  /// Returns the cells in some columns of a row that are not in the set, as ranges from the left.
  func gaps(inRow row: Int, columns: Range<Int>) -> [Range<Int>] {
    ranges(of: 0, inRow: row, columns: columns)
  }

  /// Returns the cells in some columns of a row that are in the set, as ranges from the left.
  func runs(inRow row: Int, columns: Range<Int>) -> [Range<Int>] {
    ranges(of: 1, inRow: row, columns: columns)
  }

  private func ranges(of flag: UInt8, inRow row: Int, columns: Range<Int>) -> [Range<Int>] {
    let start = row * size.columns
    var rest = flags[start + columns.lowerBound..<start + columns.upperBound]
    var ranges: [Range<Int>] = []
    while let first = rest.firstIndex(of: flag) {
      let end = rest[first...].firstIndex(of: 1 - flag) ?? rest.endIndex
      ranges.append(first - start..<end - start)
      rest = rest[end...]
    }
    return ranges
  }

  private mutating func fill(columns: Range<Int>, rows: Range<Int>, with flag: UInt8) {
    let columns = columns.clamped(to: 0..<size.columns)
    let rows = rows.clamped(to: 0..<size.rows)
    flags.withUnsafeMutableBufferPointer { flags in
      for row in rows {
        let start = row * size.columns
        flags[start + columns.lowerBound..<start + columns.upperBound].update(repeating: flag)
      }
    }
  }

  private mutating func insertAll(_ flag: UInt8) {
    flags.withUnsafeMutableBufferPointer { $0.update(repeating: flag) }
  }

  private mutating func combine(_ other: CellSet, _ operation: (UInt8, UInt8) -> UInt8) {
    precondition(size == other.size, "the sizes of the sets differ: \(size) and \(other.size)")
    flags.withUnsafeMutableBufferPointer { flags in
      other.flags.withUnsafeBufferPointer { other in
        for index in flags.indices { flags[index] = operation(flags[index], other[index]) }
      }
    }
  }
}

extension CellSet {
  /// Returns a rectangle of cells in the set that starts at the first of them in reading order.
  ///
  /// It is as wide as the run of cells in that row, then as high as rows have all these cells. For
  /// example, with `#` for cells in the set, and `1` for those of the rectangle:
  ///
  ///     ··###·      ··111·
  ///     ·####·  →   ·#111·
  ///     ·##···      ·##···
  ///
  /// - Parameters:
  ///   - limit: The largest size; a wider run is cut into parts of about equal width.
  ///   - most: The most cells, unless a single row has more.
  /// - Returns: The rectangle; nil if the set is empty.
  func firstRectangle(atMost limit: CellSize, cells most: Int) -> CellRect? {
    guard let first = flags.firstIndex(of: 1) else { return nil }
    let (row, column) = first.quotientAndRemainder(dividingBy: size.columns)
    let line = flags[first..<(row + 1) * size.columns]
    let length = (line.firstIndex(of: 0) ?? line.endIndex) - first
    let widest = max(1, limit.columns)
    let parts = (length + widest - 1) / widest
    var rect = CellRect(
      origin: CellPoint(column: column, row: row),
      size: CellSize(columns: (length + parts - 1) / parts, rows: 1))
    let rows = min(max(1, limit.rows), max(1, most / rect.size.columns), size.rows - row)
    while rect.size.rows < rows {
      var next = rect
      next.origin.row += rect.size.rows
      next.size.rows = 1
      guard contains(allOf: next) else { break }
      rect.size.rows += 1
    }
    return rect
  }
}

extension CellRect {
  /// The range of its columns; empty for a width that is not positive.
  var columns: Range<Int> { origin.column..<origin.column + max(size.columns, 0) }
  /// The range of its rows; empty for a height that is not positive.
  var rows: Range<Int> { origin.row..<origin.row + max(size.rows, 0) }
}
