/// How stored rows and columns become an upright picture (EXIF 2.3, tag 0x0112).
package struct Orientation: Hashable, Sendable {
  /// 1 to 8.
  package let number: Int

  /// The orientation of that number; upright for numbers that do not exist.
  package init(number: Int) { self.number = (1...8).contains(number) ? number : 1 }

  /// Stored as it is shown.
  package static let upright = Orientation(number: 1)

  /// Whether stored rows are shown as columns.
  package var swapsSides: Bool { number >= 5 }

  /// The sides after turning, from the stored ones, or the other way round.
  package func turned(width: Int, height: Int) -> (width: Int, height: Int) {
    swapsSides ? (height, width) : (width, height)
  }

  /// Where stored pixels go in the upright picture, as indices of pixels.
  ///
  /// The stored pixel at (x, y), of a picture of the stored size given, goes to
  /// `start + x * perColumn + y * perRow`.
  package func placement(
    width: Int, height: Int
  ) -> (start: Int, perColumn: Int, perRow: Int) {
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

// Turning is a group: one after another is one of the eight again.
extension Orientation {
  /// A quarter turn to the right, as the hands of a clock go.
  package static let quarterTurn = Orientation(number: 6)
  /// A quarter turn to the left.
  package static let quarterTurnBack = Orientation(number: 8)
  /// Left and right exchanged.
  package static let mirrored = Orientation(number: 2)
  /// Top and bottom exchanged.
  package static let flipped = Orientation(number: 4)

  /// This turning and then another one.
  package func followed(by next: Orientation) -> Orientation {
    let (first, second) = (matrix, next.matrix)
    let product = Matrix(
      xx: second.xx * first.xx + second.xy * first.yx,
      xy: second.xx * first.xy + second.xy * first.yy,
      yx: second.yx * first.xx + second.yy * first.yx,
      yy: second.yx * first.xy + second.yy * first.yy)
    return Orientation(number: (Self.matrices.firstIndex(of: product) ?? 0) + 1)
  }

  /// The turning that takes this one back.
  package var inverse: Orientation {
    switch number {
    case 6: Orientation(number: 8)
    case 8: Orientation(number: 6)
    default: self
    }
  }

  /// The sides after turning.
  package func turned(_ size: PixelSize) -> PixelSize {
    swapsSides ? PixelSize(width: size.height, height: size.width) : size
  }

  /// Where a point goes, both in fractions of the picture.
  package func turned(_ point: PixelPoint) -> PixelPoint {
    let (x, y) = (point.x - 0.5, point.y - 0.5)
    return PixelPoint(
      x: 0.5 + Double(matrix.xx) * x + Double(matrix.xy) * y,
      y: 0.5 + Double(matrix.yx) * x + Double(matrix.yy) * y)
  }

  /// The way of the stored axes: x' = xx·x + xy·y, y' = yx·x + yy·y about the middle.
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
