/// A block of items that is broken into rows independently of the other blocks.
///
/// Coordinates are in pixels, from the top left of its first row.
struct RowBlock: Equatable, Sendable {
  /// The tiles' aspect ratios, width divided by height.
  private(set) var ratios: [Float]
  /// The rows, top to bottom; empty without items.
  private(set) var rows: [Row] = []
  /// The height of all rows and the gaps between them, in pixels.
  private(set) var height = 0.0

  /// A row of tiles of one height.
  struct Row: Equatable, Sendable {
    /// The index of its first item in the block.
    var start: Int
    /// The top of the row.
    var top: Double
    /// The height of its tiles.
    var height: Double
    /// The total width of its tiles, without the gaps.
    var width: Double
    /// The sum of its tiles' aspect ratios.
    var ratio: Double
  }

  /// Creates a block of tiles with the given aspect ratios.
  ///
  /// - Parameters:
  ///   - ratios: The aspect ratios, width divided by height.
  ///   - isEnd: Whether this is the last block, whose last row need not be full.
  ///   - measures: The measures of rows.
  init(_ ratios: [Float], isEnd: Bool, measures: RowMeasures) {
    self.ratios = ratios
    breakRows(isEnd: isEnd, measures: measures)
  }

  /// Changes the tiles' aspect ratios and breaks the rows again.
  ///
  /// - Parameters:
  ///   - isEnd: Whether this is the last block.
  ///   - measures: The measures of rows.
  ///   - change: Changes the aspect ratios.
  mutating func update(
    isEnd: Bool, measures: RowMeasures, _ change: (inout [Float]) -> Void = { _ in }
  ) {
    change(&ratios)
    breakRows(isEnd: isEnd, measures: measures)
  }

  /// The fraction of the width from which the last row is stretched to fill it.
  private static let nearlyFull = 0.9

  private mutating func breakRows(isEnd: Bool, measures: RowMeasures) {
    let starts = RowBreaks(ratios, isEnd: isEnd, measures: measures).starts()
    let page = measures.page
    var top = 0.0
    rows = []
    rows.reserveCapacity(starts.count)
    for (number, start) in starts.enumerated() {
      let end = number + 1 < starts.count ? starts[number + 1] : ratios.count
      let ratio = ratios[start..<end].reduce(0) { $0 + Double($1) }
      let natural = measures.naturalWidth(ratio, count: end - start)
      let isFull = !isEnd || end < ratios.count || natural >= Self.nearlyFull * measures.width
      let least = page.smallestStep.width * Double(end - start)
      let width =
        isFull
        ? measures.width - measures.gaps(end - start)
        : page.rounded(ratio * measures.rowHeight, along: .horizontal)
      let height =
        isFull ? page.rounded(width / ratio, along: .vertical) : measures.rowHeight
      rows.append(
        Row(
          start: start, top: top, height: max(height, page.smallestStep.height),
          width: max(width, least), ratio: ratio))
      top = rows[rows.count - 1].top + rows[rows.count - 1].height + page.gap.height
    }
    height = max(top - page.gap.height, 0)
  }

  /// Returns the indices of a row's items.
  func items(ofRow number: Int) -> Range<Int> {
    let next = number + 1
    return rows[number].start..<(next < rows.count ? rows[next].start : ratios.count)
  }

  /// Returns the number of the row that contains an item.
  func row(of index: Int) -> Int {
    rows.partitioningIndex { $0.start > index } - 1
  }

  /// Returns the frame of an item's tile.
  func frame(at index: Int, measures: RowMeasures) -> PixelRect {
    let number = row(of: index)
    let row = rows[number]
    var before = 0.0
    for other in row.start..<index { before += Double(ratios[other]) }
    let isLast = index + 1 == items(ofRow: number).upperBound
    func edge(_ ratio: Double) -> Double {
      measures.page.rounded(row.width * ratio / row.ratio, along: .horizontal)
    }
    let left = edge(before)
    let right = isLast ? row.width : edge(before + Double(ratios[index]))
    let gaps = measures.page.gap.width * Double(index - row.start)
    return PixelRect(x: left + gaps, y: row.top, width: right - left, height: row.height)
  }
}

extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element that satisfies a predicate, which all elements after it
  /// must satisfy too; the end index if none does.
  ///
  /// - Complexity: O(log n), where n is the number of elements.
  func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
