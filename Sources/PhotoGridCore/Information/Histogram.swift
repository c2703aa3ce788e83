/// The distribution of brightness in a picture.
package struct Histogram: Equatable, Sendable {
  /// The number of pixels of each brightness, from black to white; 256 counts.
  package private(set) var counts: [Int]

  /// The largest number of pixels that are counted, if a mipmap level of that size exists: more
  /// would make no visible difference.
  private static let maxCountedPixels = 1 << 16

  /// Counts the pixels of a picture by brightness, with the luma weights of ITU-R BT.709.
  ///
  /// Fully transparent pixels are ignored.
  package init(_ picture: Mipmap) {
    let bitmap =
      picture.levels.first { $0.width * $0.height <= Self.maxCountedPixels } ?? picture.full
    counts = Array(repeating: 0, count: 256)
    let pixels = bitmap.pixels
    for index in stride(from: 0, to: pixels.count - 3, by: 4) where pixels[index + 3] > 0 {
      let red = Int(pixels[index]) * 54
      let green = Int(pixels[index + 1]) * 183
      let blue = Int(pixels[index + 2]) * 19
      counts[min((red + green + blue + 128) >> 8, 255)] += 1
    }
  }

  /// Returns the heights of the columns, from 0 to 1, dark to bright.
  ///
  /// The first and the last column, for black and white, are clipped to the height of the others:
  /// otherwise a dark frame would leave nothing else visible.
  package func heights(columns: Int) -> [Double] {
    guard columns > 0 else { return [] }
    let sums = (0..<columns).map { column in
      let (first, last) = (column * 256 / columns, (column + 1) * 256 / columns)
      let bins = counts[first..<max(last, first + 1)]
      return Double(bins.reduce(0, +)) / Double(bins.count)
    }
    let inner = sums.dropFirst().dropLast().max() ?? 0
    let top = inner > 0 ? inner : sums.max() ?? 0
    return sums.map { top > 0 ? min($0 / top, 1) : 0 }
  }

  /// Returns the histogram drawn as rows of text.
  ///
  /// - Returns: The rows, top to bottom.
  package func drawn(columns: Int, rows: Int, isPlain: Bool) -> [String] {
    let steps: [Character] = isPlain ? Array(" .:#") : Array(" ▁▂▃▄▅▆▇█")
    let most = steps.count - 1
    let levels = heights(columns: columns).map { height in
      // Any nonzero count remains visible.
      height > 0 ? max(Int((height * Double(rows * most)).rounded()), 1) : 0
    }
    return (0..<rows).reversed().map { row in
      String(levels.map { steps[min(max($0 - row * most, 0), most)] })
    }
  }
}
