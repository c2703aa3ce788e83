/// How the samples of a cell are cut into parts, all of one size: a sample is too coarse to tell a
/// slanted edge from a level one.
struct SampleCut: Equatable {
  /// The parts of a sample side by side.
  let columns = 2
  /// The first line of parts of each sample row of a cell, and at the end the number of lines.
  private let starts: [Int]

  /// A cut of the samples of a set into parts as high as the lowest of them.
  init(_ glyphs: GlyphSet) {
    starts = glyphs.sampleHeights.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
  }

  /// The number of lines of parts in a cell.
  var lineCount: Int { starts[starts.count - 1] }

  /// The lines of parts in a sample row of a cell.
  func lines(ofRow row: Int) -> Range<Int> { starts[row]..<starts[row + 1] }
}
