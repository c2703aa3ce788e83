package struct PixelPoint: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  package static let zero = PixelPoint(x: 0, y: 0)

  package func distance(to other: PixelPoint) -> Double {
    let dx = x - other.x
    let dy = y - other.y
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// A size in pixels; never negative in a layout's result.
package struct PixelSize: Hashable, Sendable {
  package var width: Double
  package var height: Double

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  package static let zero = PixelSize(width: 0, height: 0)

  package var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Width divided by height; 1 if the size is empty.
  package var aspectRatio: Double { isEmpty ? 1 : width / height }

  /// Returns the largest size of this shape that fits in `bounds`; small sizes are scaled up.
  package func fitted(in bounds: PixelSize) -> PixelSize {
    scaled(by: min(bounds.width / max(width, .ulpOfOne), bounds.height / max(height, .ulpOfOne)))
  }

  package func scaled(by factor: Double) -> PixelSize {
    PixelSize(width: width * factor, height: height * factor)
  }
}

package struct PixelRect: Hashable, Sendable {
  package var origin: PixelPoint
  package var size: PixelSize

  package init(origin: PixelPoint, size: PixelSize) {
    self.origin = origin
    self.size = size
  }

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: PixelPoint(x: x, y: y), size: PixelSize(width: width, height: height))
  }

  package init(center: PixelPoint, size: PixelSize) {
    self.init(
      x: center.x - size.width / 2, y: center.y - size.height / 2,
      width: size.width, height: size.height)
  }

  package var minX: Double { origin.x }
  package var minY: Double { origin.y }
  package var maxX: Double { origin.x + size.width }
  package var maxY: Double { origin.y + size.height }
  package var width: Double { size.width }
  package var height: Double { size.height }

  package var center: PixelPoint {
    PixelPoint(x: origin.x + size.width / 2, y: origin.y + size.height / 2)
  }

  /// Whether the rectangle contains the point; it includes its left and top edges, not the others.
  package func contains(_ point: PixelPoint) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  package func intersects(_ other: PixelRect) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }

  package func intersection(_ other: PixelRect) -> PixelRect? {
    let (left, top) = (max(minX, other.minX), max(minY, other.minY))
    let (right, bottom) = (min(maxX, other.maxX), min(maxY, other.maxY))
    guard left < right, top < bottom else { return nil }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Returns the part of a photo that this rectangle shows as a part of a larger frame.
  ///
  /// - Returns: The part, in fractions of the photo.
  package func crop(showing crop: PixelRect, in frame: PixelRect) -> PixelRect {
    let (across, down) = (crop.width / frame.width, crop.height / frame.height)
    return PixelRect(
      x: crop.minX + (minX - frame.minX) * across, y: crop.minY + (minY - frame.minY) * down,
      width: min(width * across, 1), height: min(height * down, 1))
  }

  package func offset(x: Double, y: Double) -> PixelRect {
    PixelRect(origin: PixelPoint(x: origin.x + x, y: origin.y + y), size: size)
  }

  /// Returns the rectangle without a part of a width at its right.
  package func withoutRight(_ width: Double) -> PixelRect {
    PixelRect(x: minX, y: minY, width: max(size.width - width, 0), height: height)
  }

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
///            │ picture area      │
///            │ ┌────────────┐    │  pictureCells.rows
///            │ │ photo area │    │
///            ├─┴────────────┴────┤
///            │ status bar        │  1 row, if hasBar
///            └───────────────────┘
///
/// The photo area is the picture area without `panelColumns` at the right.
package struct Viewport: Equatable, Sendable {
  package var cells: CellSize
  /// The size of a cell, and the precision at which pictures can be placed.
  package var metrics: CellMetrics
  package var hasBar: Bool
  /// The columns at the right that an open photo leaves to a panel.
  package var panelColumns = 0

  package init(cells: CellSize, metrics: CellMetrics = .standard, hasBar: Bool = true) {
    self.cells = CellSize(columns: max(cells.columns, 0), rows: max(cells.rows, 0))
    self.metrics = metrics
    self.hasBar = hasBar
  }

  /// Whether everything has the same frame as in another viewport, even if drawn at another
  /// resolution.
  package func isLaidOut(as other: Viewport) -> Bool {
    cells == other.cells && hasBar == other.hasBar && metrics.cell == other.metrics.cell
      && metrics.placementUnit == other.metrics.placementUnit
  }

  /// The size of the picture area in cells: all rows above the bar, none in a terminal of one row.
  package var pictureCells: CellSize {
    CellSize(columns: cells.columns, rows: max(cells.rows - (hasBar ? 1 : 0), 0))
  }

  package var pictureSize: PixelSize { metrics.size(of: pictureCells) }

  /// The picture area in pixels; its origin is the terminal's top left.
  package var pictureArea: PixelRect { PixelRect(origin: .zero, size: pictureSize) }

  /// The cells for an open photo: the picture area, or the part of it beside a panel.
  package var photoCells: CellSize {
    CellSize(columns: max(pictureCells.columns - panelColumns, 0), rows: pictureCells.rows)
  }

  /// The area that an open photo fits into, in pixels.
  package var photoArea: PixelRect {
    PixelRect(origin: .zero, size: metrics.size(of: photoCells))
  }
}
