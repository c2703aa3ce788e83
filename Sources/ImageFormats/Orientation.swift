/// How stored rows and columns become an upright picture (EXIF 2.3, tag 0x0112).
package struct Orientation: Equatable, Sendable {
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
