/// The direction along which a layout places its children.
package enum Axis: Equatable, Sendable {
  /// From top to bottom, or from left to right.
  case vertical, horizontal

  /// The other axis.
  package var flipped: Axis {
    switch self {
    case .vertical: .horizontal
    case .horizontal: .vertical
    }
  }
}

extension PixelSize {
  /// Returns the side along an axis.
  func length(along axis: Axis) -> Double {
    switch axis {
    case .vertical: height
    case .horizontal: width
    }
  }
}

extension PixelRect {
  /// Returns the slice that starts at a distance along an axis and has the given length there.
  func slice(along axis: Axis, from distance: Double, length: Double) -> PixelRect {
    switch axis {
    case .vertical: PixelRect(x: minX, y: minY + distance, width: width, height: length)
    case .horizontal: PixelRect(x: minX + distance, y: minY, width: length, height: height)
    }
  }
}
