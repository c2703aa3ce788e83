/// The EXIF orientation that turns stored rows and columns into an upright picture (EXIF 2.3, tag
/// 0x0112).
///
///     1  as stored                     5  as 2, then as 8
///     2  left and right swapped        6  a quarter turn clockwise
///     3  a half turn                   7  as 2, then as 6
///     4  top and bottom swapped        8  a quarter turn counterclockwise
package struct Orientation: Hashable, Sendable {
  package let number: Int

  /// Creates an orientation from an EXIF value; a value outside 1 to 8 becomes upright.
  package init(number: Int) { self.number = (1...8).contains(number) ? number : 1 }

  /// Creates an orientation from an EXIF value; nil for a value outside 1 to 8.
  package init?(exif number: Int) {
    guard (1...8).contains(number) else { return nil }
    self.number = number
  }

  /// The orientation of a picture that is stored upright.
  package static let upright = Orientation(number: 1)

  /// Whether stored rows are displayed as columns.
  package var swapsSides: Bool { number >= 5 }

  /// Converts stored sides to upright ones, or upright sides to stored ones.
  package func turned(width: Int, height: Int) -> (width: Int, height: Int) {
    swapsSides ? (height, width) : (width, height)
  }

  /// Returns the mapping from stored pixels to indices of pixels in the upright picture, which has
  /// its rows one after the other, top to bottom.
  ///
  /// The pixel at (x, y) of a picture with the given stored size has the index
  /// `start + x * perColumn + y * perRow` in the upright picture.
  package func placement(width: Int, height: Int) -> (start: Int, perColumn: Int, perRow: Int) {
    let (right, bottom) = (width - 1, height - 1)
    return switch number {
    case 2: (right, -1, width)
    case 3: (bottom * width + right, -1, -width)
    case 4: (bottom * width, 1, -width)
    case 5: (0, height, 1)
    case 6: (bottom, height, -1)
    case 7: (right * height + bottom, -height, -1)
    case 8: (right * height, -height, 1)
    default: (0, 1, width)
    }
  }
}

// Orientations form a group: applying two in a row is always one of the eight.
extension Orientation {
  /// A quarter turn clockwise.
  package static let quarterTurn = Orientation(number: 6)
  /// A quarter turn counterclockwise.
  package static let quarterTurnBack = Orientation(number: 8)
  package static let mirrored = Orientation(number: 2)
  package static let flipped = Orientation(number: 4)

  package func followed(by next: Orientation) -> Orientation {
    let (first, second) = (matrix, next.matrix)
    let product = Matrix(
      xx: second.xx * first.xx + second.xy * first.yx,
      xy: second.xx * first.xy + second.xy * first.yy,
      yx: second.yx * first.xx + second.yy * first.yx,
      yy: second.yx * first.xy + second.yy * first.yy)
    return Orientation(number: (Self.matrices.firstIndex(of: product) ?? 0) + 1)
  }

  package var inverse: Orientation {
    switch number {
    case 6: Orientation(number: 8)
    case 8: Orientation(number: 6)
    default: self
    }
  }

  package func turned(_ size: PixelSize) -> PixelSize {
    swapsSides ? PixelSize(width: size.height, height: size.width) : size
  }

  /// Returns the position of a point after this orientation is applied.
  ///
  /// Points are in fractions of the picture.
  package func turned(_ point: PixelPoint) -> PixelPoint {
    let (x, y) = (point.x - 0.5, point.y - 0.5)
    return PixelPoint(
      x: 0.5 + Double(matrix.xx) * x + Double(matrix.xy) * y,
      y: 0.5 + Double(matrix.yx) * x + Double(matrix.yy) * y)
  }

  /// The linear map of coordinates relative to the center: x' = xx·x + xy·y, y' = yx·x + yy·y.
  private struct Matrix: Equatable {
    var (xx, xy): (Int, Int)
    var (yx, yy): (Int, Int)

    init(xx: Int, xy: Int, yx: Int, yy: Int) {
      (self.xx, self.xy) = (xx, xy)
      (self.yx, self.yy) = (yx, yy)
    }
  }

  private var matrix: Matrix { Self.matrices[number - 1] }

  private static let matrices = [
    Matrix(xx: 1, xy: 0, yx: 0, yy: 1), Matrix(xx: -1, xy: 0, yx: 0, yy: 1),
    Matrix(xx: -1, xy: 0, yx: 0, yy: -1), Matrix(xx: 1, xy: 0, yx: 0, yy: -1),
    Matrix(xx: 0, xy: 1, yx: 1, yy: 0), Matrix(xx: 0, xy: -1, yx: 1, yy: 0),
    Matrix(xx: 0, xy: -1, yx: -1, yy: 0), Matrix(xx: 0, xy: 1, yx: -1, yy: 0),
  ]
}
