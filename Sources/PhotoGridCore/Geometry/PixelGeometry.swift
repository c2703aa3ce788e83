/// A position in pixels, with fractions where a layout computes them; y grows downward.
package struct PixelPoint: Hashable, Sendable {
  /// The distance from the left edge of the coordinate space.
  package var x: Double
  /// The distance from the top edge of the coordinate space.
  package var y: Double

  /// Creates a point at the given coordinates.
  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The origin of the coordinate space.
  package static let zero = PixelPoint(x: 0, y: 0)

  /// Returns the distance to another point, in pixels.
  package func distance(to other: PixelPoint) -> Double {
    let dx = x - other.x
    let dy = y - other.y
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// A size in pixels; never negative in a layout's result.
package struct PixelSize: Hashable, Sendable {
  /// The horizontal length.
  package var width: Double
  /// The vertical length.
  package var height: Double

  /// Creates a size with the given sides.
  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The size with no width and no height.
  package static let zero = PixelSize(width: 0, height: 0)

  /// Whether the size has no area.
  package var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Width divided by height; 1 if the size is empty.
  package var aspectRatio: Double { isEmpty ? 1 : width / height }

  /// Returns the largest size of this shape that fits in `bounds`; small sizes are scaled up.
  package func fitted(in bounds: PixelSize) -> PixelSize {
    scaled(by: min(bounds.width / max(width, .ulpOfOne), bounds.height / max(height, .ulpOfOne)))
  }

  /// Returns this size with both sides multiplied by a factor.
  package func scaled(by factor: Double) -> PixelSize {
    PixelSize(width: width * factor, height: height * factor)
  }
}

/// An axis-aligned rectangle in pixels.
package struct PixelRect: Hashable, Sendable {
  /// The top left corner.
  package var origin: PixelPoint
  /// The lengths of the sides.
  package var size: PixelSize

  /// Creates a rectangle with the given top left corner and size.
  package init(origin: PixelPoint, size: PixelSize) {
    self.origin = origin
    self.size = size
  }

  /// Creates a rectangle with the given left and top edges and sides.
  package init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: PixelPoint(x: x, y: y), size: PixelSize(width: width, height: height))
  }

  /// Creates a rectangle of the given size around a center.
  package init(center: PixelPoint, size: PixelSize) {
    self.init(
      x: center.x - size.width / 2, y: center.y - size.height / 2,
      width: size.width, height: size.height)
  }

  /// The left edge.
  package var minX: Double { origin.x }
  /// The top edge.
  package var minY: Double { origin.y }
  /// The right edge.
  package var maxX: Double { origin.x + size.width }
  /// The bottom edge.
  package var maxY: Double { origin.y + size.height }
  /// The horizontal length.
  package var width: Double { size.width }
  /// The vertical length.
  package var height: Double { size.height }

  /// The center of the rectangle.
  package var center: PixelPoint {
    PixelPoint(x: origin.x + size.width / 2, y: origin.y + size.height / 2)
  }

  /// Whether the rectangle contains the point; it includes its left and top edges, not the others.
  package func contains(_ point: PixelPoint) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  /// Whether the two rectangles share any area.
  package func intersects(_ other: PixelRect) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }

  /// Returns the common part of two rectangles; nil if they share no area.
  package func intersection(_ other: PixelRect) -> PixelRect? {
    let (left, top) = (max(minX, other.minX), max(minY, other.minY))
    let (right, bottom) = (min(maxX, other.maxX), min(maxY, other.maxY))
    guard left < right, top < bottom else { return nil }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Returns the part of a photo that this rectangle shows as a part of a larger frame.
  ///
  /// - Parameters:
  ///   - crop: The part of the photo that the whole frame shows, in fractions of the photo.
  ///   - frame: The whole frame.
  /// - Returns: The part, in fractions of the photo.
  package func crop(showing crop: PixelRect, in frame: PixelRect) -> PixelRect {
    let (across, down) = (crop.width / frame.width, crop.height / frame.height)
    return PixelRect(
      x: crop.minX + (minX - frame.minX) * across, y: crop.minY + (minY - frame.minY) * down,
      width: min(width * across, 1), height: min(height * down, 1))
  }

  /// Returns this rectangle moved by the given distances.
  package func offset(x: Double, y: Double) -> PixelRect {
    PixelRect(
      origin: PixelPoint(x: origin.x + x, y: origin.y + y), size: size)
  }

  /// Returns this rectangle scaled about its center.
  package func scaledAboutCenter(by factor: Double) -> PixelRect {
    PixelRect(center: center, size: size.scaled(by: factor))
  }

  /// Returns the centered part of a photo that fills a shape when the rest is clipped.
  ///
  /// The photo's size can be in any unit; the result is in fractions of the photo, from 0 to 1 in
  /// both directions.
  package static func fillCrop(of photo: PixelSize, in shape: PixelSize) -> PixelRect {
    guard !photo.isEmpty, !shape.isEmpty else { return .unit }
    let relative = photo.aspectRatio / shape.aspectRatio
    let width = relative > 1 ? 1 / relative : 1
    let height = relative < 1 ? relative : 1
    return PixelRect(x: (1 - width) / 2, y: (1 - height) / 2, width: width, height: height)
  }

  /// The rectangle that covers all of a space measured in fractions.
  package static let unit = PixelRect(x: 0, y: 0, width: 1, height: 1)
}

/// The terminal's size and the part of it that displays pictures.
///
///     (0, 0) ┌───────────────────┐
///            │                   │
///            │   picture area    │  pictureCells.rows
///            │                   │
///            ├───────────────────┤
///            │ status bar        │  1 row, if hasBar
///            └───────────────────┘
package struct Viewport: Equatable, Sendable {
  /// The size of the whole terminal, in cells.
  package var cells: CellSize
  /// The size of a cell, and the precision at which pictures can be placed.
  package var metrics: CellMetrics
  /// Whether the last row belongs to the status bar.
  package var hasBar: Bool

  /// Creates the viewport of a terminal of the given size; negative sides become 0.
  package init(cells: CellSize, metrics: CellMetrics = .standard, hasBar: Bool = true) {
    self.cells = CellSize(columns: max(cells.columns, 0), rows: max(cells.rows, 0))
    self.metrics = metrics
    self.hasBar = hasBar
  }

  /// Whether everything has the same frame as in another viewport, even if drawn at another
  /// resolution.
  package func isLaidOut(as other: Viewport) -> Bool {
    cells == other.cells && hasBar == other.hasBar && metrics.cell == other.metrics.cell
      && metrics.grain == other.metrics.grain
  }

  /// The size of the picture area in cells: all rows above the bar, none in a terminal of one row.
  package var pictureCells: CellSize {
    CellSize(columns: cells.columns, rows: max(cells.rows - (hasBar ? 1 : 0), 0))
  }

  /// The size of the picture area, in pixels.
  package var pictureSize: PixelSize { metrics.size(of: pictureCells) }

  /// The picture area in pixels; its origin is the terminal's top left.
  package var pictureArea: PixelRect { PixelRect(origin: .zero, size: pictureSize) }
}
