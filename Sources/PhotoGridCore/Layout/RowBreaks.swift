/// The division of a block of tiles into rows.
///
/// A row takes photos until it is full; the last of them stays only if it brings the row's height
/// closer to the usual height. A row therefore depends only on its own photos and the next one, and
/// visible rows keep their photos while aspect ratios further down become known. Only the last few
/// rows of a block are chosen together, because a block must end with a full row.
struct RowBreaks {
  private let ratios: [Float]
  private let measures: RowMeasures
  /// Whether this is the last block, whose last row need not be full.
  private let isEnd: Bool

  /// Prepares to break tiles with the given aspect ratios into rows.
  init(_ ratios: [Float], isEnd: Bool, measures: RowMeasures) {
    (self.ratios, self.isEnd, self.measures) = (ratios, isEnd, measures)
  }

  /// The largest total width of the tiles whose rows are chosen together, in full rows.
  private static let closingRows = 4.0

  /// The smallest height of a row of more than one photo, as a fraction of the usual height.
  private static let lowest = 0.5

  /// Returns the index of each row's first photo.
  func starts() -> [Int] {
    var starts: [Int] = []
    var start = 0
    var left = ratios.reduce(0) { $0 + Double($1) }
    while start < ratios.count {
      let width = measures.naturalWidth(left, count: ratios.count - start)
      if !isEnd, width <= Self.closingRows * measures.width {
        return starts + closingStarts(from: start)
      }
      starts.append(start)
      let end = end(ofRowAt: start)
      for index in start..<end { left -= Double(ratios[index]) }
      start = end
    }
    return starts
  }

  /// Returns the end of the row that begins at an index.
  private func end(ofRowAt start: Int) -> Int {
    let usual = measures.rowHeight
    var (end, ratio, height, heightBefore) = (start, 0.0, Double.infinity, Double.infinity)
    while end < ratios.count, height > usual {
      ratio += Double(ratios[end])
      end += 1
      (heightBefore, height) = (height, measures.fullHeight(ratio, count: end - start))
    }
    guard end - start > 1 else { return end }
    // Ratios are compared: twice the usual height is as far from it as half of it.
    let isNearerWithout = heightBefore * height < usual * usual
    return isNearerWithout || height < usual * Self.lowest ? end - 1 : end
  }

  /// Returns the starts of the rows from an index to the end that deviate least from the usual
  /// height, found by dynamic programming from the end.
  private func closingStarts(from first: Int) -> [Int] {
    var costs = Array(repeating: 0.0, count: ratios.count - first + 1)
    var ends = Array(repeating: ratios.count, count: ratios.count - first)
    for start in (first..<ratios.count).reversed() {
      var (best, ratio) = (Double.infinity, 0.0)
      for end in (start + 1)...ratios.count {
        ratio += Double(ratios[end - 1])
        let height = measures.fullHeight(ratio, count: end - start) / measures.rowHeight
        if height < Self.lowest, best.isFinite { break }
        // Twice the usual height costs as much as half of it.
        let cost = height + 1 / max(height, .ulpOfOne) - 2 + costs[end - first]
        if cost < best { (best, ends[start - first]) = (cost, end) }
      }
      costs[start - first] = best
    }
    var starts: [Int] = []
    var start = first
    while start < ratios.count {
      starts.append(start)
      start = ends[start - first]
    }
    return starts
  }
}
