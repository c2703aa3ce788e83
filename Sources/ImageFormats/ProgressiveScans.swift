/// Leaving out what a small picture does not need of a progressive JPEG.
package enum ProgressiveScans {
  /// The file without the scans that a picture of an eighth of the size does not depend on; nil
  /// where nothing can be left out.
  ///
  /// The brightness is made of each block's mean alone (T.81, annex G: the scans whose spectral
  /// selection starts at 0). One more of its scans stays: where there is none at all, libjpeg-turbo
  /// guesses at the missing details from the neighbours and changes the means. The colours, of
  /// which there are mostly fewer samples, need the first coefficients too. A file that ends early
  /// is left as it is, so that the decoder notices.
  package static func reduced(_ file: [UInt8]) -> [UInt8]? {
    var kept: [Range<Int>] = []
    var start: Int? = 0
    var brightness: UInt8?
    var hasDetail = false
    var walk = JPEGSegments(file)
    while let segment = walk.next() {
      let marker = segment.contents.lowerBound - 4
      if start == nil { start = marker }
      // The frame's first component comes after its precision, sides and count.
      if segment.marker == 0xc2 { brightness = file[segment.contents].dropFirst(6).first }
      guard segment.marker == 0xda, let from = start, let scan = Scan(file[segment.contents])
      else { continue }
      if scan.component == brightness, scan.firstCoefficient > 0 {
        if !hasDetail {
          hasDetail = true
          continue
        }
      } else if scan.firstCoefficient < 10 {
        continue
      }
      kept.append(from..<marker)
      start = nil
    }
    guard !kept.isEmpty, let end = walk.endOfImage else { return nil }
    kept.append((start ?? end)..<(end + 2))
    return kept.reduce(into: []) { $0 += file[$1] }
  }

  /// What a scan's header says.
  private struct Scan {
    /// The only one, except in scans that start at coefficient 0.
    var component: UInt8
    var firstCoefficient: UInt8

    init?(_ contents: ArraySlice<UInt8>) {
      let bytes = Array(contents)
      guard let count = bytes.first, count > 0, bytes.count >= Int(count) * 2 + 4 else {
        return nil
      }
      component = bytes[1]
      firstCoefficient = bytes[Int(count) * 2 + 1]
    }
  }
}
