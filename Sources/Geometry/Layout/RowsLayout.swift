/// Whole photos in rows, each row scaled to fill the width; the last row keeps the usual height.
///
/// Rows are broken within blocks of a fixed number of items, so a newly known aspect ratio moves
/// tiles sideways only in its own block; the blocks below it just move up or down. All coordinates
/// are content coordinates, in pixels.
package struct RowsLayout: Equatable, Sendable {
  package private(set) var count = 0
  private let measures: RowMeasures
  /// The items in blocks of `measures.blockLength`; the last block may be shorter, but is not
  /// empty.
  private var blocks: [RowBlock] = []
  /// The top of each block and the end of the last one, relative to the first block.
  private var tops = [0.0]
  /// The height in which rows that do not fill it are centered; nil for tiles at the top left.
  ///
  /// With a height, a single row that is not full is centered horizontally too.
  private let windowHeight: Double?

  /// Creates the layout to draw: every edge is on a whole placement step, and a margin of one gap stays
  /// free around the tiles.
  package init(
    snapping count: Int, width: Double, rowHeight: Double, spacing: Int = 1, metrics: CellMetrics,
    windowHeight: Double? = nil, ratio: (Int) -> Double? = { _ in nil }
  ) {
    let page = TilePage.snapping(width: width, height: 0, spacing: spacing, metrics: metrics)
    self.init(
      count, RowMeasures(page: page, rowHeight: rowHeight), windowHeight: windowHeight, ratio)
  }

  /// Creates the exact layout, with fractions and without margins.
  package init(
    exactly count: Int, width: Double, rowHeight: Double, spacing: PixelSize,
    ratio: (Int) -> Double? = { _ in nil }
  ) {
    let page = TilePage.exact(width: width, height: 0, spacing: spacing)
    self.init(count, RowMeasures(page: page, rowHeight: rowHeight), windowHeight: nil, ratio)
  }

  private init(
    _ count: Int, _ measures: RowMeasures, windowHeight: Double?, _ ratio: (Int) -> Double?
  ) {
    self.measures = measures
    self.windowHeight = windowHeight
    extend(by: max(count, 0), ratio)
  }

  // MARK: - Changes

  /// Adds items at the end.
  package mutating func extend(by added: Int, _ ratio: (Int) -> Double?) {
    guard added > 0 else { return }
    let length = measures.blockLength
    let end = count + added
    if let last = blocks.indices.last {
      let range = count..<min((last + 1) * length, end)
      let new = range.map { Float(measures.tileRatio(ratio($0))) }
      blocks[last].update(isEnd: range.upperBound == end, measures: measures) { $0 += new }
      count = range.upperBound
    }
    // Blocks whose aspect ratios are all unknown share one storage, to save memory.
    let unknown = count + length < end ? unknown : nil
    while count < end {
      let range = count..<min(count + length, end)
      let ratios = range.map { Float(measures.tileRatio(ratio($0))) }
      let isFull = range.upperBound < end
      let shared = isFull ? unknown.flatMap { $0.ratios == ratios ? $0 : nil } : nil
      blocks.append(shared ?? RowBlock(ratios, isEnd: !isFull, measures: measures))
      count = range.upperBound
    }
    updateTops()
  }

  /// Changes the aspect ratios of items.
  ///
  /// - Parameter changes: The indices and the new aspect ratios, width divided by height.
  /// - Returns: Whether any tile's aspect ratio has changed.
  /// - Complexity: Linear in the items of the blocks that change, and in the number of blocks.
  package mutating func updateAspectRatios(_ changes: [(index: Int, ratio: Double)]) -> Bool {
    var shapes: [Int: [Int: Float]] = [:]
    for (index, ratio) in changes where (0..<count).contains(index) {
      let (block, item) = index.quotientAndRemainder(dividingBy: measures.blockLength)
      shapes[block, default: [:]][item] = Float(measures.tileRatio(ratio))
    }
    shapes = shapes.filter { block, changes in
      changes.contains { blocks[block].ratios[$0.key] != $0.value }
    }
    for (block, changes) in shapes {
      blocks[block].update(isEnd: block == blocks.count - 1, measures: measures) { ratios in
        for (item, ratio) in changes { ratios[item] = ratio }
      }
    }
    if !shapes.isEmpty { updateTops() }
    return !shapes.isEmpty
  }

  private mutating func updateTops() {
    tops = [0]
    tops.reserveCapacity(blocks.count + 1)
    var top = 0.0
    for block in blocks {
      top += block.height + measures.page.gap.height
      tops.append(top)
    }
  }

  // MARK: - Frames

  /// The distance from the top of one row of the usual height to the top of the next, in pixels.
  package var rowPitch: Double { measures.rowHeight + measures.page.gap.height }

  /// The height of the content in pixels, including margins; 0 without items.
  package var contentHeight: Double { count > 0 ? rowsHeight + 2 * margin : 0 }

  private var rowsHeight: Double { (tops.last ?? 0) - measures.page.gap.height }

  /// The free space above the first row and below the last one, in pixels.
  private var margin: Double {
    let border = measures.page.area.minY
    guard let windowHeight, count > 0 else { return border }
    let free = max(windowHeight - rowsHeight - 2 * border, 0) / 2
    let step = measures.page.minStep.height
    return border + ((free / step + 1e-6).rounded(.down) * step)
  }

  private var left: Double {
    let page = measures.page
    guard windowHeight != nil, blocks.count == 1, blocks[0].rows.count == 1 else {
      return page.area.minX
    }
    let used = blocks[0].rows[0].width + page.gap.width * Double(count - 1)
    let step = page.minStep.width
    return page.area.minX + (max(measures.width - used, 0) / 2 / step + 1e-6).rounded(.down) * step
  }

  /// Returns the frame of the tile at an index; indices past the end continue below the content, as
  /// if their aspect ratios were unknown.
  package func frame(at index: Int) -> PixelRect {
    guard index < count else { return frameOfUnknown(at: index - count) }
    let (block, item) = index.quotientAndRemainder(dividingBy: measures.blockLength)
    return blocks[block].frame(at: item, measures: measures)
      .offset(x: left, y: margin + tops[block])
  }

  /// A block of tiles whose aspect ratios are unknown.
  private var unknown: RowBlock {
    let guess = Float(measures.tileRatio(nil))
    return RowBlock(
      Array(repeating: guess, count: measures.blockLength), isEnd: false, measures: measures)
  }

  private func frameOfUnknown(at index: Int) -> PixelRect {
    let unknown = unknown
    let (block, item) = index.quotientAndRemainder(dividingBy: measures.blockLength)
    let pitch = unknown.height + measures.page.gap.height
    return unknown.frame(at: item, measures: measures)
      .offset(x: measures.page.area.minX, y: margin + (tops.last ?? 0) + Double(block) * pitch)
  }

  /// Returns the index of the tile that contains a point; nil in the gaps and past the last item.
  package func index(at point: PixelPoint) -> Int? {
    indices(in: PixelRect(origin: point, size: .zero)).first { frame(at: $0).contains(point) }
  }

  /// Returns the indices of the items in all rows that intersect or touch a rectangle.
  package func indices(in rect: PixelRect) -> Range<Int> {
    guard count > 0 else { return 0..<0 }
    let first = row(at: rect.minY - margin)
    let last = row(at: rect.maxY - margin)
    let lower = first.isPast ? first.items.upperBound : first.items.lowerBound
    let upper = last.isBefore ? last.items.lowerBound : last.items.upperBound
    return lower..<max(lower, upper)
  }

  /// Returns the items of the row at a distance from the first row's top, or of the nearest row,
  /// and whether that row ends before the distance or begins after it.
  private func row(at y: Double) -> (items: Range<Int>, isPast: Bool, isBefore: Bool) {
    let block = min(max(tops.partitioningIndex { $0 > y } - 1, 0), blocks.count - 1)
    let rows = blocks[block].rows
    let inside = y - tops[block]
    let number = max(rows.partitioningIndex { $0.top > inside } - 1, 0)
    let items = blocks[block].items(ofRow: number)
    let start = block * measures.blockLength
    let row = rows[number]
    return (
      start + items.lowerBound..<start + items.upperBound,
      isPast: row.top + row.height < inside, isBefore: row.top > inside
    )
  }
}

/// The measures that all rows of a `RowsLayout` share.
struct RowMeasures: Equatable, Sendable {
  /// The page that the rows are on; its height is not used.
  let page: TilePage
  /// The usual height of rows, in pixels; full rows deviate from it a little.
  let rowHeight: Double
  /// The number of items that are broken into rows together.
  let blockLength: Int

  /// The aspect ratio assumed for an item while its own is unknown: 3 to 2, as most cameras use.
  static let guess = 1.5
  /// The aspect ratio of the narrowest tile; a narrower photo is shown inside a tile of this shape.
  private static let narrowest = 1.0 / 3
  /// The number of rows in a block whose aspect ratios are all `guess`; `blockLengths` limits the
  /// number of items.
  ///
  /// A block's last rows deviate a little from the usual height so that all are full. With more
  /// rows in a block that is less noticeable; with fewer, a change of a shape moves fewer tiles.
  private static let blockRows = 8.0
  /// The smallest and the largest number of items in a block.
  private static let blockLengths = 64.0...4096

  init(page: TilePage, rowHeight: Double) {
    let area = page.area
    let nominal = page.rounded(rowHeight, along: .vertical)
    let height = nominal.isFinite ? min(max(nominal, page.minStep.height), area.width) : 1
    self.page = page.growing(to: PixelSize(width: page.minStep.width, height: 0))
    self.rowHeight = height
    let columns = area.width / (height * Self.guess + page.gap.width)
    let length = min(
      max(Self.blockRows * columns, Self.blockLengths.lowerBound), Self.blockLengths.upperBound)
    blockLength = Int(length.rounded(.up))
  }

  /// The width of a full row, in pixels.
  var width: Double { page.area.width }

  /// Returns the aspect ratio of the tile for a photo, limited so that the tile is no wider than a
  /// row and wide enough to be seen.
  ///
  /// - Parameter ratio: Width divided by height; nil, or a value that is not finite and positive,
  ///   counts as unknown.
  /// - Returns: Width divided by height.
  func tileRatio(_ ratio: Double?) -> Double {
    guard let ratio, ratio.isFinite, ratio > 0 else { return limited(Self.guess) }
    return limited(ratio)
  }

  private func limited(_ ratio: Double) -> Double {
    // Rows can be lower than `rowHeight`, down to half of it.
    let least = max(Self.narrowest, 2 * page.minStep.width / rowHeight)
    return max(min(ratio, width / rowHeight), min(least, width / rowHeight))
  }

  /// Returns the width of tiles side by side at `rowHeight`, with their gaps, for the sum of their
  /// aspect ratios.
  func naturalWidth(_ ratios: Double, count: Int) -> Double { ratios * rowHeight + gaps(count) }

  /// Returns the height of tiles that fill a row, for the sum of their aspect ratios.
  func fullHeight(_ ratios: Double, count: Int) -> Double {
    max(width - gaps(count), 0) / max(ratios, .ulpOfOne)
  }

  func gaps(_ count: Int) -> Double { page.gap.width * Double(max(count - 1, 0)) }
}

/// A block of items that is broken into rows independently of the other blocks.
///
/// Coordinates are in pixels, from the top left of its first row.
struct RowBlock: Equatable, Sendable {
  /// The tiles' aspect ratios, width divided by height.
  private(set) var ratios: [Float]
  private(set) var rows: [Row] = []
  /// The height of all rows and the gaps between them, in pixels.
  private(set) var height = 0.0

  struct Row: Equatable, Sendable {
    /// The index of its first item in the block.
    var start: Int
    var top: Double
    var height: Double
    /// The total width of its tiles, without the gaps.
    var width: Double
    /// The sum of its tiles' aspect ratios.
    var ratio: Double
  }

  /// Creates a block of tiles with the given aspect ratios.
  init(_ ratios: [Float], isEnd: Bool, measures: RowMeasures) {
    self.ratios = ratios
    breakRows(isEnd: isEnd, measures: measures)
  }

  /// Changes the tiles' aspect ratios and breaks the rows again.
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
      let least = page.minStep.width * Double(end - start)
      let width =
        isFull
        ? measures.width - measures.gaps(end - start)
        : page.rounded(ratio * measures.rowHeight, along: .horizontal)
      let height =
        isFull ? page.rounded(width / ratio, along: .vertical) : measures.rowHeight
      rows.append(
        Row(
          start: start, top: top, height: max(height, page.minStep.height),
          width: max(width, least), ratio: ratio))
      top = rows[rows.count - 1].top + rows[rows.count - 1].height + page.gap.height
    }
    height = max(top - page.gap.height, 0)
  }

  func items(ofRow number: Int) -> Range<Int> {
    let next = number + 1
    return rows[number].start..<(next < rows.count ? rows[next].start : ratios.count)
  }

  func row(of index: Int) -> Int { rows.partitioningIndex { $0.start > index } - 1 }

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

/// The division of a block of tiles into rows.
///
/// A row takes photos until it is full; the last of them stays only if it brings the row's height
/// closer to the usual height. A row therefore depends only on its own photos and the next one, and
/// visible rows keep their photos while aspect ratios further down become known. Only the last few
/// rows of a block are chosen together, because a block must end with a full row.
struct RowBreaks {
  private let ratios: [Float]
  private let measures: RowMeasures
  private let isEnd: Bool

  init(_ ratios: [Float], isEnd: Bool, measures: RowMeasures) {
    (self.ratios, self.isEnd, self.measures) = (ratios, isEnd, measures)
  }

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

  /// Returns the starts of the last rows, from an index on, such that their heights deviate least
  /// from the usual height; they are found by dynamic programming from the end.
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
