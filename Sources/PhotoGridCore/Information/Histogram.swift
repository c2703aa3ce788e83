/// How often each brightness is in a picture.
package struct Histogram: Equatable, Sendable {
  /// Pixels by their brightness, from black to white; 256 counts.
  package private(set) var counts: [Int]

  /// Of so many pixels at most a picture's brightness is taken: more would not show.
  private static let enoughPixels = 1 << 16

  /// The brightness of a picture's pixels as Rec 709 weighs colours; transparent ones do not count.
  package init(_ picture: Mipmap) {
    let bitmap =
      picture.levels.first { $0.width * $0.height <= Self.enoughPixels } ?? picture.full
    counts = Array(repeating: 0, count: 256)
    let pixels = bitmap.pixels
    for place in stride(from: 0, to: pixels.count - 3, by: 4) where pixels[place + 3] > 0 {
      let red = Int(pixels[place]) * 54
      let green = Int(pixels[place + 1]) * 183
      let blue = Int(pixels[place + 2]) * 19
      counts[min((red + green + blue + 128) >> 8, 255)] += 1
    }
  }

  /// Heights of columns side by side, 0 to 1.
  ///
  /// All black and all white are cut to the height of the others: a dark frame would leave nothing
  /// else to see.
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

  /// The columns drawn as rows of text.
  ///
  /// - Parameters:
  ///   - columns: The width, in cells.
  ///   - rows: The height, in cells.
  ///   - isPlain: Whether only ASCII is drawn, else eighths of blocks.
  /// - Returns: The rows, top to bottom.
  package func drawn(columns: Int, rows: Int, isPlain: Bool) -> [String] {
    let steps: [Character] = isPlain ? Array(" .:#") : Array(" ▁▂▃▄▅▆▇█")
    let most = steps.count - 1
    let levels = heights(columns: columns).map { height in
      // What is there at all is seen.
      height > 0 ? max(Int((height * Double(rows * most)).rounded()), 1) : 0
    }
    return (0..<rows).reversed().map { row in
      String(levels.map { steps[min(max($0 - row * most, 0), most)] })
    }
  }
}
