/// A direction in which a layout lays things out.
package enum Axis: Equatable, Sendable {
  case vertical, horizontal

  /// The other one.
  package var flipped: Axis {
    switch self {
    case .vertical: .horizontal
    case .horizontal: .vertical
    }
  }
}

extension PixelSize {
  /// The side that lies along an axis.
  func length(along axis: Axis) -> Double {
    switch axis {
    case .vertical: height
    case .horizontal: width
    }
  }
}

extension PixelRect {
  /// The part of this rectangle that starts at a distance along an axis and has a length there.
  func slice(along axis: Axis, from distance: Double, length: Double) -> PixelRect {
    switch axis {
    case .vertical: PixelRect(x: minX, y: minY + distance, width: width, height: length)
    case .horizontal: PixelRect(x: minX + distance, y: minY, width: length, height: height)
    }
  }
}
