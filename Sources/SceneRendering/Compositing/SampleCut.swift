/// How the samples of a cell are cut into parts, all of one size: a sample is too coarse to tell a
/// slanted edge from a level one.
struct SampleCut: Equatable {
  /// The parts of a sample side by side.
  let columns = 2
  /// The first line of parts of each sample row of a cell, and at the end the number of lines.
  private let starts: [Int]
  /// The sample of each part, line by line.
  let samples: [Int]

  /// A cut of the samples of a set into parts as high as the lowest of them.
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

  /// The cut for pictures that do not move; nil if no wedges are drawn.
  init?(_ glyphs: GlyphSet, for appearance: Appearance) {
    guard Self.isUsed(with: glyphs, appearance) else { return nil }
    self.init(glyphs)
  }

  /// Whether wedges are drawn, for which pictures that do not move are cut.
  static func isUsed(with glyphs: GlyphSet, _ appearance: Appearance) -> Bool {
    appearance.hasWedges && !glyphs.wedges.isEmpty
  }

  /// The number of lines of parts in a cell.
  var lineCount: Int { starts[starts.count - 1] }

  /// The lines of parts in a sample row of a cell.
  func lines(ofRow row: Int) -> Range<Int> { starts[row]..<starts[row + 1] }
}
