import Geometry
import Photos

/// The pixels of a rectangle of cells.
struct PixelPiece {
  private(set) var width = 0
  private(set) var height = 0
  /// Rows from top to bottom: red, green, blue and alpha from the lowest byte on.
  ///
  /// Alpha is 255, or 0 where the background shows and its color is unknown.
  private(set) var pixels: [UInt32] = []
  /// The cells with transparent pixels, as runs within rows; they must be blank before the piece is
  /// drawn.
  private(set) var openCells: [CellRect] = []

  /// The pixels as a bitmap; there must be at least one.
  var bitmap: Bitmap {
    let bytes = pixels.withUnsafeBytes { Array($0) }
    return Bitmap(width: width, height: height, pixels: bytes, isOpaque: openCells.isEmpty)
  }

  /// The number of samples painted in one band, which fit into the processor's cache.
  private static let samplesAtOnce = 1 << 13

  /// The pixel where a picture was left out (see `Compositor.Part.allButPictures`).
  static let hole: UInt32 = 1 << 24

  mutating func paint(_ rect: CellRect, of compositor: inout Compositor) {
    let grid = compositor.grid
    let isOpaque = paint(
      columns: grid.sampleColumns(of: rect), rows: grid.sampleRows(of: rect), of: &compositor)
    openCells =
      isOpaque ? [] : grid.runs(of: rect) { pixels[$0] >> 31 == 0 }
  }

  @discardableResult
  mutating func paint(
    columns: Range<Int>, rows: Range<Int>, of compositor: inout Compositor,
    _ part: Compositor.Part = .everything
  ) -> Bool {
    (width, height) = (columns.count, rows.count)
    let count = width * height
    if pixels.count != count { pixels = Array(repeating: 0, count: count) }
    let rowsAtOnce = max(1, Self.samplesAtOnce / max(width, 1))
    var isOpaque = true
    for top in stride(from: rows.lowerBound, to: rows.upperBound, by: rowsAtOnce) {
      let band = top..<min(top + rowsAtOnce, rows.upperBound)
      compositor.paint(rows: band, columns: columns, part)
      let start = (top - rows.lowerBound) * width
      if !pack(compositor, into: start..<start + band.count * width) { isOpaque = false }
    }
    return isOpaque
  }

  /// Converts the samples that the compositor has painted to pixels.
  ///
  /// If the background is unknown, samples that cover less than half of it become transparent, and
  /// all others opaque.
  ///
  /// - Returns: Whether all pixels are opaque.
  private mutating func pack(_ compositor: Compositor, into range: Range<Int>) -> Bool {
    let backdrop = compositor.appearance.backdrop
    let behind = SIMD4(
      Float(backdrop.red), Float(backdrop.green), Float(backdrop.blue), 255)
    // 2^23: the lowest bits of the sum with a number are the number rounded to an integer.
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
          let shown = isKnown || sample.w >= 127.5 ? packed : 0
          let pixel = sample.x < -128 ? Self.hole : shown
          pixels[range.lowerBound + index] = pixel
          all &= pixel
        }
        return all >> 31 == 1
      }
    }
  }
}

extension SampleGrid {
  func sampleColumns(of rect: CellRect) -> Range<Int> {
    rect.columns.lowerBound * columnsPerCell..<rect.columns.upperBound * columnsPerCell
  }

  func sampleRows(of rect: CellRect) -> Range<Int> {
    rect.rows.lowerBound * rowsPerCell..<rect.rows.upperBound * rowsPerCell
  }

  /// Returns the cells of a rectangle with at least one sample that satisfies a condition, as runs
  /// within rows.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - isIncluded: The condition; its argument is the index of a sample in the rectangle, row by
  ///     row.
  /// - Returns: The runs, from top to bottom.
  func runs(of rect: CellRect, where isIncluded: (Int) -> Bool) -> [CellRect] {
    let width = rect.size.columns * columnsPerCell
    func hasSample(column: Int, row: Int) -> Bool {
      (row * rowsPerCell..<(row + 1) * rowsPerCell).contains { y in
        let start = y * width + column * columnsPerCell
        return (start..<start + columnsPerCell).contains(where: isIncluded)
      }
    }
    var runs: [CellRect] = []
    for row in 0..<rect.size.rows {
      var start: Int?
      for column in 0...rect.size.columns {
        let belongs = column < rect.size.columns && hasSample(column: column, row: row)
        if belongs, start == nil { start = column }
        guard !belongs, let first = start else { continue }
        runs.append(
          CellRect(
            origin: CellPoint(column: rect.origin.column + first, row: rect.origin.row + row),
            size: CellSize(columns: column - first, rows: 1)))
        start = nil
      }
    }
    return runs
  }
}

/// A renderer that sends the pixels of scenes at rest in pieces, and draws moving scenes by cells.
protocol PieceRenderer: SceneRenderer {
  /// The cells that show pixels, and those whose pixels are still to be sent.
  var screen: PixelScreen { get set }
}

extension PieceRenderer {
  package var placementUnit: CellMetrics.PlacementUnit { .pixels }

  package func samplesPerPixel(cell: PixelSize) -> Double { 1 }

  /// The pixels of a piece, their colors as they are chosen, and the bytes that are sent.
  package var bytesPerPixel: Int { 12 }

  package var mask: CellRect? {
    get { screen.mask }
    set { screen.mask = newValue }
  }

  package var hasRowBelow: Bool {
    get { screen.hasRowBelow }
    set { screen.hasRowBelow = newValue }
  }

  package var byteBudget: Int {
    get { screen.byteBudget }
    set { screen.byteBudget = newValue }
  }

  package var shownCells: ShownCells? {
    get { screen.shownCells }
    set { screen.shownCells = newValue }
  }
}
