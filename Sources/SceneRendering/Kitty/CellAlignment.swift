import Geometry

/// The alignment of an image to whole cells, so that it shows its part of a subject at the right
/// position, to fractions of a pixel.
///
/// The terminal places images in whole cells, and only whole pixels of an image. So cells are
/// chosen, and the part of the image that is exactly under them is shown. At an edge with a
/// transparent border, these are all cells that the frame touches; at other edges, only cells
/// wholly inside the frame:
///
///     cells          │     │     │     │     │
///     frame             ├─────────────────┤
///     with border    ├─────┼─────┼─────┼─────┤
///     without              ├─────┼─────┤
struct CellAlignment {
  let cells: CellRect
  private let horizontal: Axis
  private let vertical: Axis

  /// Creates the alignment of an image in a frame that shows a crop of its subject; returns nil if
  /// no cell is left.
  ///
  /// - Parameters:
  ///   - spec: The image.
  ///   - frame: The position of the crop, in pixels of the picture area.
  ///   - crop: The part of the subject in the frame, in fractions of the subject.
  ///   - cell: A cell's size in pixels.
  ///   - area: The picture area in cells.
  init?(
    _ spec: KittySpec, frame: PixelRect, crop: PixelRect, cell: PixelSize, area: CellSize
  ) {
    let horizontal = Axis(
      region: (spec.region.minX, spec.region.width), pixels: spec.width,
      border: (spec.border.left, spec.border.right), frame: (frame.minX, frame.width),
      crop: (crop.minX, crop.width), cell: cell.width, limit: area.columns)
    let vertical = Axis(
      region: (spec.region.minY, spec.region.height), pixels: spec.height,
      border: (spec.border.top, spec.border.bottom), frame: (frame.minY, frame.height),
      crop: (crop.minY, crop.height), cell: cell.height, limit: area.rows)
    guard let horizontal, let vertical else { return nil }
    (self.horizontal, self.vertical) = (horizontal, vertical)
    cells = CellRect(
      origin: CellPoint(column: horizontal.cells.lowerBound, row: vertical.cells.lowerBound),
      size: CellSize(columns: horizontal.cells.count, rows: vertical.cells.count))
  }

  /// Returns the pixels of the image under some of the cells.
  func source(under part: CellRect) -> KittySource {
    let x = horizontal.pixels(
      under: part.origin.column..<part.origin.column + part.size.columns)
    let y = vertical.pixels(under: part.origin.row..<part.origin.row + part.size.rows)
    return KittySource(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)
  }

  private struct Axis {
    let cells: Range<Int>
    /// The position of the image's first pixel, in pixels of the picture area.
    private let origin: Double
    /// The number of image pixels in a pixel of the picture area.
    private let scale: Double
    /// The length of the image in pixels, including its borders.
    private let total: Int
    private let cell: Double

    init?(
      region: (start: Double, length: Double), pixels: Int, border: (Int, Int),
      frame: (start: Double, length: Double), crop: (start: Double, length: Double),
      cell: Double, limit: Int
    ) {
      guard frame.length > 0, crop.length > 0, region.length > 0, pixels > 0 else { return nil }
      // The position of the region.
      let magnification = frame.length / crop.length
      let start = frame.start + (region.start - crop.start) * magnification
      let length = region.length * magnification
      let end = start + length
      scale = Double(pixels) / length
      origin = start - Double(border.0) / scale
      total = border.0 + pixels + border.1
      self.cell = cell
      let last = origin + Double(total) / scale
      guard scale.isFinite, scale > 0, abs(start) < 1e7, abs(end) < 1e7 else { return nil }

      let boundaries = Boundaries(cell: cell)
      // An edge of the region within half a pixel of the frame's edge is the edge of the picture.
      let frameEnd = frame.start + frame.length
      var lower = boundaries.inner(max(start, frame.start), .up)
      if start > frame.start - 0.5 {
        let edge = boundaries.outer(start, .down)
        if max(edge, 0) * cell >= origin - 0.5 / scale { lower = edge }
      }
      var upper = boundaries.inner(min(end, frameEnd), .down)
      if end < frameEnd + 0.5 {
        let edge = boundaries.outer(end, .up)
        if min(edge, Double(limit)) * cell <= last + 0.5 / scale { upper = edge }
      }
      (lower, upper) = (max(lower, 0), min(upper, Double(limit)))
      guard lower < upper else { return nil }
      cells = Int(lower)..<Int(upper)
    }

    func pixels(under part: Range<Int>) -> Range<Int> {
      func pixel(at boundary: Int) -> Int {
        Int(((Double(boundary) * cell - origin) * scale).rounded().clamped(to: 0...Double(total)))
      }
      let first = min(pixel(at: part.lowerBound), total - 1)
      return first..<max(pixel(at: part.upperBound), first + 1)
    }
  }
}

/// The boundaries between cells in one direction, numbered from 0.
private struct Boundaries {
  let cell: Double

  /// Returns the next boundary from a position in a direction, or one up to half a pixel away in
  /// the other direction.
  func inner(_ position: Double, _ rule: FloatingPointRoundingRule) -> Double {
    boundary(at: position, tolerance: 0.5, rule)
  }

  /// Returns the next boundary from a position in a direction, apart from rounding errors.
  func outer(_ position: Double, _ rule: FloatingPointRoundingRule) -> Double {
    boundary(at: position, tolerance: 1e-3, rule)
  }

  private func boundary(
    at position: Double, tolerance: Double, _ rule: FloatingPointRoundingRule
  ) -> Double {
    let nearest = (position / cell).rounded()
    return abs(nearest * cell - position) <= tolerance ? nearest : (position / cell).rounded(rule)
  }
}

extension CellRect {
  /// Creates the rectangle of the cells that lie wholly inside a frame; returns nil if there are
  /// none.
  init?(inside frame: PixelRect, cell: PixelSize, area: CellSize) {
    let left = (frame.minX / cell.width).rounded(.up).clamped(to: 0...Double(area.columns))
    let right = (frame.maxX / cell.width).rounded(.down).clamped(to: 0...Double(area.columns))
    let top = (frame.minY / cell.height).rounded(.up).clamped(to: 0...Double(area.rows))
    let bottom = (frame.maxY / cell.height).rounded(.down).clamped(to: 0...Double(area.rows))
    guard left < right, top < bottom else { return nil }
    self.init(
      origin: CellPoint(column: Int(left), row: Int(top)),
      size: CellSize(columns: Int(right) - Int(left), rows: Int(bottom) - Int(top)))
  }

  /// Returns the rectangle in pixels of the picture area, for a size of cells.
  func frame(cell: PixelSize) -> PixelRect {
    PixelRect(
      x: Double(origin.column) * cell.width, y: Double(origin.row) * cell.height,
      width: Double(size.columns) * cell.width, height: Double(size.rows) * cell.height)
  }

  /// Returns the cells of this rectangle that are not in another one, as up to four rectangles.
  func without(_ other: CellRect) -> [CellRect] {
    let (columns, rows) = (self.columns, self.rows)
    let cut = (columns: other.columns.clamped(to: columns), rows: other.rows.clamped(to: rows))
    guard !cut.columns.isEmpty, !cut.rows.isEmpty else { return [self] }
    return [
      CellRect(columns: columns, rows: rows.lowerBound..<cut.rows.lowerBound),
      CellRect(columns: columns.lowerBound..<cut.columns.lowerBound, rows: cut.rows),
      CellRect(columns: cut.columns.upperBound..<columns.upperBound, rows: cut.rows),
      CellRect(columns: columns, rows: cut.rows.upperBound..<rows.upperBound),
    ].filter { $0.size.columns > 0 && $0.size.rows > 0 }
  }

  init(columns: Range<Int>, rows: Range<Int>) {
    self.init(
      origin: CellPoint(column: columns.lowerBound, row: rows.lowerBound),
      size: CellSize(columns: columns.count, rows: rows.count))
  }
}
