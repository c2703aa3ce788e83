import PhotoGridCore

/// The pixels of a rectangle of cells.
struct PixelPiece {
  private(set) var width = 0
  private(set) var height = 0
  /// Rows from top to bottom: red, green, blue and alpha from the lowest byte on; alpha is 255, or 0
  /// where nothing covers a background that is not known.
  private(set) var pixels: [UInt32] = []
  /// The cells, in runs of a row, in which not every pixel is opaque: they have to be blank before.
  private(set) var openCells: [CellRect] = []

  /// The pixels as a picture; there must be some.
  var bitmap: Bitmap {
    let bytes = pixels.withUnsafeBytes { Array($0) }
    return Bitmap(width: width, height: height, pixels: bytes, isOpaque: openCells.isEmpty)
  }

  /// Samples that are painted at once, so that they stay in the processor's cache.
  private static let samplesAtOnce = 1 << 13

  /// Paints some cells of a scene.
  mutating func paint(_ rect: CellRect, of compositor: inout Compositor) {
    let grid = compositor.grid
    let columns =
      rect.columns.lowerBound * grid.columnsPerCell..<rect.columns.upperBound * grid.columnsPerCell
    let rows = rect.rows.lowerBound * grid.rowsPerCell..<rect.rows.upperBound * grid.rowsPerCell
    (width, height) = (columns.count, rows.count)
    let count = width * height
    if pixels.count != count { pixels = Array(repeating: 0, count: count) }
    openCells.removeAll(keepingCapacity: true)
    let rowsAtOnce = max(1, Self.samplesAtOnce / max(width, 1))
    var isOpaque = true
    for top in stride(from: rows.lowerBound, to: rows.upperBound, by: rowsAtOnce) {
      let band = top..<min(top + rowsAtOnce, rows.upperBound)
      compositor.paint(rows: band, columns: columns)
      let start = (top - rows.lowerBound) * width
      if !pack(compositor, into: start..<start + band.count * width) { isOpaque = false }
    }
    if !isOpaque { findOpenCells(of: rect, grid) }
  }

  /// Turns what the compositor has painted into pixels.
  ///
  /// Over a background that is not known, what is transparent by more than half is so wholly.
  ///
  /// - Returns: whether all are opaque.
  private mutating func pack(_ compositor: Compositor, into range: Range<Int>) -> Bool {
    let backdrop = compositor.appearance.backdrop
    let behind = SIMD4(
      Float(backdrop.red), Float(backdrop.green), Float(backdrop.blue), 255)
    // Adding this to a number leaves the nearest whole one in the lowest bits of the sum.
    let rounding = SIMD4<Float>(repeating: 8_388_608)
    let isKnown = compositor.appearance.background != nil
    return pixels.withUnsafeMutableBufferPointer { pixels in
      compositor.band.withUnsafeBufferPointer { band in
        var all = UInt32.max
        for index in 0..<range.count {
          let sample = band[index]
          let color =
            isKnown ? sample + behind * (1 - sample.w * (1 / 255)) : sample * (255 / sample.w)
          let bits = unsafeBitCast(color + rounding, to: SIMD4<UInt32>.self)
          let packed = unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: bits), to: UInt32.self)
          let pixel = isKnown || sample.w >= 127.5 ? packed : 0
          pixels[range.lowerBound + index] = pixel
          all &= pixel
        }
        return all >> 31 == 1
      }
    }
  }

  private mutating func findOpenCells(of rect: CellRect, _ grid: SampleGrid) {
    for row in 0..<rect.size.rows {
      var start: Int?
      for column in 0...rect.size.columns {
        let isOpen = column < rect.size.columns && isOpen(column: column, row: row, grid)
        if isOpen, start == nil { start = column }
        guard !isOpen, let first = start else { continue }
        openCells.append(
          CellRect(
            origin: CellPoint(column: rect.origin.column + first, row: rect.origin.row + row),
            size: CellSize(columns: column - first, rows: 1)))
        start = nil
      }
    }
  }

  private func isOpen(column: Int, row: Int, _ grid: SampleGrid) -> Bool {
    (row * grid.rowsPerCell..<(row + 1) * grid.rowsPerCell).contains { y in
      let start = y * width + column * grid.columnsPerCell
      return pixels[start..<start + grid.columnsPerCell].contains { $0 >> 31 == 0 }
    }
  }
}
