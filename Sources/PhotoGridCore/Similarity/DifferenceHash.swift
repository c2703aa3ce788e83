/// A hash of how a photo looks: those of similar photos differ in few of its 64 bits.
///
/// A bit says whether one of 9 by 8 areas is darker than the area to its right, so the hash does not
/// depend on the size, the brightness or the contrast of the picture, and little on its compression.
package struct DifferenceHash: Hashable, Sendable {
  /// The bits, row by row from the lowest one.
  package let bits: UInt64

  private static let (columns, rows) = (9, 8)
  /// The most pixels across or down that are read of each area.
  private static let mostSamples = 16

  /// Creates the hash with the given bits.
  package init(bits: UInt64) { self.bits = bits }

  /// Creates the hash of a picture; nil for a picture of one colour, which is similar to nothing.
  package init?(_ picture: Bitmap) {
    guard picture.width > 0, picture.height > 0 else { return nil }
    let areas = Self.areas(of: picture)
    guard areas.contains(where: { $0 != areas[0] }) else { return nil }
    var bits: UInt64 = 0
    for row in 0..<Self.rows {
      for column in 0..<(Self.columns - 1) {
        let place = row * Self.columns + column
        if areas[place] < areas[place + 1] {
          bits |= 1 << UInt64(row * (Self.columns - 1) + column)
        }
      }
    }
    self.bits = bits
  }

  /// The number of bits in which two hashes differ.
  package func distance(to other: DifferenceHash) -> Int { (bits ^ other.bits).nonzeroBitCount }

  /// The mean luminance of each area, row by row.
  private static func areas(of picture: Bitmap) -> [Int] {
    let (width, height) = (picture.width, picture.height)
    func range(_ place: Int, of count: Int, in side: Int) -> Range<Int> {
      // A picture smaller than the areas gives some of them the same pixels.
      let start = min(place * side / count, side - 1)
      return start..<max((place + 1) * side / count, start + 1)
    }
    // Of a large picture, a part of the pixels tells as much.
    func samples(_ range: Range<Int>) -> StrideTo<Int> {
      stride(
        from: range.lowerBound, to: range.upperBound,
        by: (range.count + mostSamples - 1) / mostSamples)
    }
    return picture.pixels.withUnsafeBufferPointer { pixels in
      (0..<(columns * rows)).map { area in
        let across = samples(range(area % columns, of: columns, in: width))
        let down = samples(range(area / columns, of: rows, in: height))
        var (sum, count) = (0, 0)
        for y in down {
          for x in across {
            let pixel = (y * width + x) * 4
            sum += 54 * Int(pixels[pixel]) + 183 * Int(pixels[pixel + 1])
            sum += 19 * Int(pixels[pixel + 2])
            count += 1
          }
        }
        return sum / count
      }
    }
  }
}
