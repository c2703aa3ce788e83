/// Removes the scans from a progressive JPEG that are not needed for a small picture.
package enum ProgressiveScans {
  /// Returns a file without the scans that a picture at an eighth of the size does not depend on;
  /// nil if all scans are needed, or the file is truncated.
  ///
  /// Brightness depends only on each block's DC coefficient (ITU-T T.81, annex G: the scans whose
  /// spectral selection starts at 0). The first scan of its AC coefficients is kept too: without
  /// it, libjpeg-turbo would estimate the missing details from neighboring blocks and change the DC
  /// coefficients. Colors are mostly subsampled, and need the first AC coefficients.
  package static func reduced(_ file: [UInt8]) -> [UInt8]? {
    var kept: [Range<Int>] = []
    var start: Int? = 0
    var brightness: UInt8?
    var hasDetail = false
    var walk = JPEGSegments(file)
    while let segment = walk.next() {
      let marker = segment.contents.lowerBound - 4
      if start == nil { start = marker }
      // The first component of the frame follows its precision, sides and count.
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

  /// The header of a scan.
  private struct Scan {
    /// Its first component, which is the only one if the scan does not start at coefficient 0.
    var component: UInt8
    /// The index of its first coefficient.
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
