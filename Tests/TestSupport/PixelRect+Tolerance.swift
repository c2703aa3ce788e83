import Geometry

extension PixelRect {
  /// Whether no edge differs by more than a distance.
  package func isClose(to other: PixelRect, within distance: Double = 1) -> Bool {
    abs(minX - other.minX) <= distance && abs(minY - other.minY) <= distance
      && abs(maxX - other.maxX) <= distance && abs(maxY - other.maxY) <= distance
  }

  /// Whether the rectangle lies in another one.
  package func isInside(_ other: PixelRect) -> Bool {
    minX >= other.minX - 1e-6 && minY >= other.minY - 1e-6 && maxX <= other.maxX + 1e-6
      && maxY <= other.maxY + 1e-6
  }
}
