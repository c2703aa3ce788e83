/// The part of a cell below a slanted line from edge to edge.
///
/// Unicode 13, "Symbols for Legacy Computing", has characters for 22 of these parts, and for the
/// parts above the same lines. The lines end at thirds of the cell's height, or at halves of its
/// width. For example, the first line goes from two thirds down the left edge to the middle of the
/// lower edge:
///
///     ┌────┐
///     │    │
///     │\   │
///     └─\──┘
package struct Wedge {
  package let index: Int
  /// The points where the line meets the cell's edges, in halves of its width and thirds of its
  /// height, from the upper left corner.
  private let ends: (left: (x: Int, y: Int), right: (x: Int, y: Int))

  /// The first character of the parts below the lines; the parts above follow after all of them.
  private static let firstScalar: UInt32 = 0x1FB3C

  /// The parts below all lines, in the order of their characters.
  package static let all: [Wedge] = [
    ((0, 2), (1, 3)), ((0, 2), (2, 3)), ((0, 1), (1, 3)), ((0, 1), (2, 3)), ((0, 0), (1, 3)),
    ((0, 1), (1, 0)), ((0, 1), (2, 0)), ((0, 2), (1, 0)), ((0, 2), (2, 0)), ((0, 3), (1, 0)),
    ((0, 2), (2, 1)), ((1, 3), (2, 2)), ((0, 3), (2, 2)), ((1, 3), (2, 1)), ((0, 3), (2, 1)),
    ((1, 3), (2, 0)), ((1, 0), (2, 1)), ((0, 0), (2, 1)), ((1, 0), (2, 2)), ((0, 0), (2, 2)),
    ((1, 0), (2, 3)), ((0, 1), (2, 2)),
  ].enumerated().map { Wedge(index: $0, ends: $1) }

  private init(index: Int, ends: ((Int, Int), (Int, Int))) {
    self.index = index
    self.ends = (left: (x: ends.0.0, y: ends.0.1), right: (x: ends.1.0, y: ends.1.1))
  }

  /// The number of characters, for the parts below the lines and those above.
  package static var glyphCount: Int { 2 * all.count }

  /// Returns the character of a part, by its index among the parts below the lines, then above
  /// them.
  package static func scalar(_ glyph: Int) -> Unicode.Scalar? {
    Unicode.Scalar(firstScalar + UInt32(glyph))
  }

  /// Returns the index of the other part of the cell, on the other side of the same line.
  package static func inverse(of glyph: Int) -> Int { (glyph + all.count) % glyphCount }

  /// Measures how much of a part of the cell lies below the line.
  ///
  /// - Parameters:
  ///   - columns: The part from left to right, as shares of the cell's width.
  ///   - rows: The part from top to bottom, as shares of the cell's height.
  /// - Returns: The share of the part, 0 to 1.
  package func share(ofColumns columns: ClosedRange<Double>, rows: ClosedRange<Double>) -> Float {
    let steps = 64
    let (x, y) = (Double(ends.left.x) / 2, Double(ends.left.y) / 3)
    let slope = (Double(ends.right.y) / 3 - y) / (Double(ends.right.x) / 2 - x)
    let width = columns.upperBound - columns.lowerBound
    let height = rows.upperBound - rows.lowerBound
    // The mean of thin columns. Beyond its ends the line continues outside of the cell.
    let sum = (0..<steps).reduce(0.0) { sum, step in
      let column = columns.lowerBound + (Double(step) + 0.5) / Double(steps) * width
      let line = y + slope * (column - x)
      return sum + ((rows.upperBound - line) / height).clamped(to: 0...1)
    }
    return Float(sum / Double(steps))
  }
}

extension GlyphSet {
  /// The wedges to use with the set's patterns, if the terminal draws them.
  ///
  /// They were added to Unicode together with sextants, so coarser sets have none.
  var wedges: [Wedge] { self == .sextant || self == .octant ? Wedge.all : [] }
}
