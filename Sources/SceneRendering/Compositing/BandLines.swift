/// The memory of a band that is being painted, line by line.
///
/// A line is a row of samples, or of the parts of samples if they are cut.
struct BandLines {
  /// The first sample of the band.
  let base: UnsafeMutablePointer<SIMD4<Float>>
  /// The rows of samples in the band.
  let rows: Range<Int>
  /// The columns of samples in the band.
  let columns: Range<Int>
  /// How each sample is cut into parts; nil if it is not.
  let cut: SampleCut?

  /// The number of parts of a sample side by side.
  var split: Int { cut?.columns ?? 1 }

  /// Returns the lines in a row of samples.
  func lines(ofRow row: Int) -> Range<Int> {
    let index = row - rows.lowerBound
    return cut?.lines(ofRow: index) ?? index..<index + 1
  }

  /// Returns the address that column 0 of a line would have.
  ///
  /// Only the band's columns exist in memory.
  func samples(ofLine line: Int) -> UnsafeMutablePointer<SIMD4<Float>> {
    base + (line * columns.count - columns.lowerBound) * split
  }
}
