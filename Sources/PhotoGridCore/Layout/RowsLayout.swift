/// Whole photos in rows, each row scaled to fill the width; the last one keeps the usual height.
///
/// The rows are broken within blocks of a fixed number of items, so that a shape that becomes known
/// moves no tile outside of its block across the page; the blocks below it move up or down as they
/// are. All coordinates are content coordinates, in pixels.
package struct RowsLayout: Equatable, Sendable {
  /// The number of items.
  package private(set) var count = 0
  private let measures: RowMeasures
  /// The items, `measures.blockLength` in each but the last one, which is not empty.
  private var blocks: [RowBlock] = []
  /// The upper edge of each block from that of the first one, and of one more below the last.
  private var tops = [0.0]
  /// The height in whose middle rows stand that do not fill it, and a row that is not full in the
  /// middle of the width; nil for tiles at the upper left.
  private let windowHeight: Double?

  /// The layout as it is drawn: every edge on a whole quantum, one gap free all round.
  ///
  /// - Parameters:
  ///   - count: The number of items.
  ///   - width: The width offered, in pixels.
  ///   - rowHeight: The height that rows are near to, in pixels.
  ///   - spacing: Between tiles, in whole gaps.
  ///   - metrics: The terminal's cells.
  ///   - windowHeight: The height in whose middle rows stand that do not fill it; nil for tiles at
  ///     the upper left.
  ///   - ratio: The shape of the item at an index, width by height; nil if it is not known.
  package init(
    snapping count: Int, width: Double, rowHeight: Double, spacing: Int = 1, metrics: CellMetrics,
    windowHeight: Double? = nil, ratio: (Int) -> Double? = { _ in nil }
  ) {
    let page = TilePage.snapping(width: width, height: 0, spacing: spacing, metrics: metrics)
    self.init(
      count, RowMeasures(page: page, rowHeight: rowHeight), windowHeight: windowHeight, ratio)
  }

  /// The exact layout, fractions kept, without margins.
  ///
  /// - Parameters:
  ///   - count: The number of items.
  ///   - width: The width offered, in pixels.
  ///   - rowHeight: The height that rows are near to, in pixels.
  ///   - spacing: Between tiles, in pixels, across and down.
  ///   - ratio: The shape of the item at an index, width by height; nil if it is not known.
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
  ///   - added: How many.
  ///   - ratio: The shape of the item at an index of all items.
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
    // Blocks of unknown shapes share their storage.
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

  /// Changes the shapes of items.
  ///
  /// - Parameter changes: The indices and the new shapes, width by height.
  /// - Returns: Whether any tile has become another one.
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

  /// From a row's top to the next one's, at the usual height.
  package var rowPitch: Double { measures.rowHeight + measures.page.gap.height }

  /// The height of everything, margins included; 0 without items.
  package var contentHeight: Double { count > 0 ? rowsHeight + 2 * margin : 0 }

  /// The height of the rows.
  private var rowsHeight: Double { (tops.last ?? 0) - measures.page.gap.height }

  /// Free space above the first row and below the last one.
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

  /// The tile of the item at an index; indexes past the end continue below it with tiles of unknown
  /// shapes.
  package func frame(at index: Int) -> PixelRect {
    guard index < count else { return frameOfUnknown(at: index - count) }
    let (block, item) = index.quotientAndRemainder(dividingBy: measures.blockLength)
    return blocks[block].frame(at: item, measures: measures)
      .offset(x: left, y: margin + tops[block])
  }

  /// A block of tiles of unknown shapes.
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

  /// The item whose tile holds the point; nil in the gaps and past the last item.
  package func index(at point: PixelPoint) -> Int? {
    indices(in: PixelRect(origin: point, size: .zero)).first { frame(at: $0).contains(point) }
  }

  /// The items of all rows that meet the rectangle, or touch it.
  package func indices(in rect: PixelRect) -> Range<Int> {
    guard count > 0 else { return 0..<0 }
    let first = row(at: rect.minY - margin)
    let last = row(at: rect.maxY - margin)
    let lower = first.isPast ? first.items.upperBound : first.items.lowerBound
    let upper = last.isBefore ? last.items.lowerBound : last.items.upperBound
    return lower..<max(lower, upper)
  }

  /// The row at a distance from the first row's top, or the nearest one: the items in it, and whether
  /// it ends before that distance or begins after it.
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
