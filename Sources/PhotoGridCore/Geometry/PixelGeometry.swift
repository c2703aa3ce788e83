/// A place in pixels, in fractions where a layout gives them; y grows downwards.
package struct PixelPoint: Equatable, Sendable {
  package var x: Double
  package var y: Double

  /// The point at the given coordinates.
  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The origin of the space that the point lives in.
  package static let zero = PixelPoint(x: 0, y: 0)

  /// The straight distance to another point, in pixels.
  package func distance(to other: PixelPoint) -> Double {
    let dx = x - other.x
    let dy = y - other.y
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// An extent in pixels; never negative in a layout's result.
package struct PixelSize: Equatable, Hashable, Sendable {
  package var width: Double
  package var height: Double

  /// The size with the given sides.
  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// Nothing in either direction.
  package static let zero = PixelSize(width: 0, height: 0)

  /// Whether there is no area at all.
  package var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Width divided by height; 1 where there is no area to divide.
  package var aspectRatio: Double { isEmpty ? 1 : width / height }

  /// The largest size of this shape that lies inside `bounds`; small ones are scaled up.
  package func fitted(in bounds: PixelSize) -> PixelSize {
    scaled(by: min(bounds.width / max(width, .ulpOfOne), bounds.height / max(height, .ulpOfOne)))
  }

  /// This size with both sides multiplied.
  package func scaled(by factor: Double) -> PixelSize {
    PixelSize(width: width * factor, height: height * factor)
  }
}

/// An upright rectangle in pixels.
package struct PixelRect: Equatable, Sendable {
  package var origin: PixelPoint
  package var size: PixelSize

  /// The rectangle with the given top left corner and size.
  package init(origin: PixelPoint, size: PixelSize) {
    self.origin = origin
    self.size = size
  }

  /// The rectangle with the given left and top edge and sides.
  package init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: PixelPoint(x: x, y: y), size: PixelSize(width: width, height: height))
  }

  /// The rectangle of the given size around a centre.
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

  /// The point in the middle.
  package var center: PixelPoint {
    PixelPoint(x: origin.x + size.width / 2, y: origin.y + size.height / 2)
  }

  /// Whether the point lies inside; the left and top edges belong to it, the others do not.
  package func contains(_ point: PixelPoint) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  /// Whether the two share any area.
  package func intersects(_ other: PixelRect) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }

  /// This rectangle moved by the given distances.
  package func offset(x: Double, y: Double) -> PixelRect {
    PixelRect(
      origin: PixelPoint(x: origin.x + x, y: origin.y + y), size: size)
  }

  /// This rectangle scaled about its centre.
  package func scaledAboutCenter(by factor: Double) -> PixelRect {
    PixelRect(center: center, size: size.scaled(by: factor))
  }

  /// The part of a photo of the given size that fills this shape when clipped, centred.
  ///
  /// The photo's size may be in any unit; the result is in fractions of the photo, 0 to 1 in
  /// both directions.
  package static func fillCrop(of photo: PixelSize, in shape: PixelSize) -> PixelRect {
    guard !photo.isEmpty, !shape.isEmpty else { return .unit }
    let relative = photo.aspectRatio / shape.aspectRatio
    let width = relative > 1 ? 1 / relative : 1
    let height = relative < 1 ? relative : 1
    return PixelRect(x: (1 - width) / 2, y: (1 - height) / 2, width: width, height: height)
  }

  /// The whole of something measured in fractions.
  package static let unit = PixelRect(x: 0, y: 0, width: 1, height: 1)
}
