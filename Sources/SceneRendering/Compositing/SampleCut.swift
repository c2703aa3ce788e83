/// How the samples of a cell are cut into parts of equal size, because samples are too coarse to
/// distinguish a slanted edge from a level one.
struct SampleCut: Equatable {
  /// The parts of a sample side by side.
  let columns = 2
  /// The first line of parts in each sample row of a cell; at the end, the number of lines.
  private let starts: [Int]
  /// The index of the sample that each part belongs to, line by line.
  let samples: [Int]

  /// Creates a cut of the samples of a glyph set into parts as high as the lowest sample.
  init(_ glyphs: GlyphSet) {
    let heights = glyphs.sampleHeights
    starts = heights.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    let columns = columns
    samples = heights.indices.flatMap { row in
      (0..<heights[row] * glyphs.sampleColumns * columns).map { part in
        row * glyphs.sampleColumns + part % (glyphs.sampleColumns * columns) / columns
      }
    }
  }

  /// Creates the cut for pictures that do not move; returns nil if no wedges are drawn.
  init?(_ glyphs: GlyphSet, for appearance: Appearance) {
    guard Self.isUsed(with: glyphs, appearance) else { return nil }
    self.init(glyphs)
  }

  /// Whether wedges are drawn, so that samples of pictures that do not move are cut.
  static func isUsed(with glyphs: GlyphSet, _ appearance: Appearance) -> Bool {
    appearance.hasWedges && !glyphs.wedges.isEmpty
  }

  /// The number of lines of parts in a cell.
  var lineCount: Int { starts[starts.count - 1] }

  /// Returns the lines of parts in a sample row of a cell.
  func lines(ofRow row: Int) -> Range<Int> { starts[row]..<starts[row + 1] }
}
