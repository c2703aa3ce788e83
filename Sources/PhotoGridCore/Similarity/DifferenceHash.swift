/// A perceptual hash (dHash): the hashes of photos that look alike differ in few of their 64 bits.
///
/// The picture is divided into 9 by 8 areas. Each bit is set if an area is darker than the area to
/// its right, so the hash does not depend on the size, the brightness or the contrast of the
/// picture, and little on its compression.
package struct DifferenceHash: Hashable, Sendable {
  package let bits: UInt64

  private static let (columns, rows) = (9, 8)
  /// The largest number of pixels that are read across and down each area.
  private static let maxSamples = 16

  package init(bits: UInt64) { self.bits = bits }

  /// Creates the hash of a picture; nil if all areas have the same brightness, as in a picture of
  /// one color.
  package init?(_ picture: Bitmap) {
    guard picture.width > 0, picture.height > 0 else { return nil }
    let areas = Self.areas(of: picture)
    guard areas.contains(where: { $0 != areas[0] }) else { return nil }
    var bits: UInt64 = 0
    for row in 0..<Self.rows {
      for column in 0..<(Self.columns - 1) {
        let index = row * Self.columns + column
        if areas[index] < areas[index + 1] {
          bits |= 1 << UInt64(row * (Self.columns - 1) + column)
        }
      }
    }
    self.bits = bits
  }

  package func distance(to other: DifferenceHash) -> Int { (bits ^ other.bits).nonzeroBitCount }

  /// Returns the mean brightness of each area, row by row, with the luma weights of ITU-R BT.709.
  private static func areas(of picture: Bitmap) -> [Int] {
    let (width, height) = (picture.width, picture.height)
    func range(_ position: Int, of count: Int, in side: Int) -> Range<Int> {
      // In a picture with fewer pixels than areas, some areas share pixels.
      let start = min(position * side / count, side - 1)
      return start..<max((position + 1) * side / count, start + 1)
    }
    // In a large picture, a part of the pixels is sufficient.
    func samples(_ range: Range<Int>) -> StrideTo<Int> {
      stride(
        from: range.lowerBound, to: range.upperBound,
        by: (range.count + maxSamples - 1) / maxSamples)
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
