/// Whole photos in rows, each row scaled to fill the width; the last row keeps the usual height.
///
/// Rows are broken within blocks of a fixed number of items, so a newly known aspect ratio moves
/// tiles sideways only in its own block; the blocks below it just move up or down. All coordinates
/// are content coordinates, in pixels.
package struct RowsLayout: Equatable, Sendable {
  /// The number of items.
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

  /// Creates the layout to draw: every edge is on a whole quantum, and a margin of one gap stays
  /// free around the tiles.
  ///
  /// - Parameters:
  ///   - count: The number of items.
  ///   - width: The available width, in pixels.
  ///   - rowHeight: The usual height of rows, in pixels; full rows deviate from it a little.
  ///   - spacing: The distance between tiles, in whole gaps.
  ///   - metrics: The terminal's cells.
  ///   - windowHeight: The height in which to center rows that do not fill it, in pixels; nil for
  ///     tiles at the top left.
  ///   - ratio: Returns the aspect ratio of the item at an index, width divided by height; nil if
  ///     it is unknown.
  package init(
    snapping count: Int, width: Double, rowHeight: Double, spacing: Int = 1, metrics: CellMetrics,
    windowHeight: Double? = nil, ratio: (Int) -> Double? = { _ in nil }
  ) {
    let page = TilePage.snapping(width: width, height: 0, spacing: spacing, metrics: metrics)
    self.init(
      count, RowMeasures(page: page, rowHeight: rowHeight), windowHeight: windowHeight, ratio)
  }

  /// Creates the exact layout, with fractions and without margins.
  ///
  /// - Parameters:
  ///   - count: The number of items.
  ///   - width: The available width, in pixels.
  ///   - rowHeight: The usual height of rows, in pixels; full rows deviate from it a little.
  ///   - spacing: The horizontal and vertical distances between tiles, in pixels.
  ///   - ratio: Returns the aspect ratio of the item at an index, width divided by height; nil if
  ///     it is unknown.
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
    append(max(count, 0), ratio)
  }

  // MARK: - Changes

  /// Adds items at the end.
  ///
  /// - Parameters:
  ///   - added: The number of items to add.
  ///   - ratio: Returns the aspect ratio of the item at an index, counted from the first item of
  ///     the layout; nil if it is unknown.
  package mutating func append(_ added: Int, _ ratio: (Int) -> Double?) {
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
  package mutating func reshape(_ changes: [(index: Int, ratio: Double)]) -> Bool {
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

  /// The height of the rows.
  private var rowsHeight: Double { (tops.last ?? 0) - measures.page.gap.height }

  /// The free space above the first row and below the last one, in pixels.
  private var margin: Double {
    let border = measures.page.area.minY
    guard let windowHeight, count > 0 else { return border }
    let free = max(windowHeight - rowsHeight - 2 * border, 0) / 2
    let step = measures.page.smallestStep.height
    return border + ((free / step + 1e-6).rounded(.down) * step)
  }

  /// The left edge of all rows.
  private var left: Double {
    let page = measures.page
    guard windowHeight != nil, blocks.count == 1, blocks[0].rows.count == 1 else {
      return page.area.minX
    }
    let used = blocks[0].rows[0].width + page.gap.width * Double(count - 1)
    let step = page.smallestStep.width
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
      .offset(
        x: measures.page.area.minX, y: margin + (tops.last ?? 0) + Double(block) * pitch)
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
