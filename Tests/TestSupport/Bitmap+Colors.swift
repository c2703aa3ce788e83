import Photos

extension Bitmap {
  /// Red, green, blue and alpha of a pixel.
  package func pixel(_ x: Int, _ y: Int) -> [Int] {
    pixels[((y * width + x) * 4)..<((y * width + x) * 4 + 4)].map(Int.init)
  }

  /// The pixels in the centers of the four quarters, left to right, top to bottom.
  package var quarters: [[Int]] {
    [height / 4, height * 3 / 4].flatMap { y in
      [width / 4, width * 3 / 4].map { x in pixel(x, y) }
    }
  }
}

/// Whether all channels differ by at most a tolerance, by default that of lossy formats.
package func areAlike(_ left: [[Int]], _ right: [[Int]], tolerance: Int = 12) -> Bool {
  left.count == right.count
    && zip(left.joined(), right.joined()).allSatisfy { abs($0 - $1) <= tolerance }
}
