/// Sections in reading order, each with a heading and a layout for its tiles.
///
/// Sections are below each other. In a grid of equal columns, those that need less than a row are
/// beside each other in a row, with a free column between them, as many as fit.
///
/// All coordinates are content coordinates, in pixels. If a layout depends only on the number of
/// tiles, sections with the same number share a layout, so memory grows by a few bytes for each
/// section.
package struct SectionedLayout: Equatable, Sendable {
  /// The position and layout of a section.
  private struct Part: Equatable, Sendable {
    /// The index of the section's first tile.
    var start: Int
    /// The top of the heading, which sections beside each other have in common.
    var top = 0.0
    /// The distance by which the tiles are to the right of where their layout places them.
    var shift = 0.0
    var layout: Int
  }

  private var parts: [Part] = []
  private var layouts: [TileLayout] = []
  package private(set) var count = 0
  /// The height of the content in pixels, including margins; 0 without sections.
  package private(set) var contentHeight = 0.0
  package let headingHeight: Double
  /// The least width of a heading beside others, in pixels.
  private let minHeadingWidth: Double
  private let width: Double
  /// The size of a text cell, to which headings are aligned, in pixels; nil for no alignment.
  private let cell: PixelSize?
  /// The distance that one notch of the wheel scrolls, in pixels.
  package private(set) var scrollStep = 0.0

  /// An upper bound of the free space between the tiles of two sections, in pixels.
  private(set) var maxGap = 0.0

  /// Creates the layout of sections.
  ///
  /// - `sections`: The items of each section, one range after the other from 0.
  /// - `width`: The width of the content, in pixels.
  /// - `headingHeight`: The height of headings, in pixels.
  /// - `minHeadingWidth`: The least width of a heading beside others, in pixels.
  /// - `cell`: The size of a text cell, to which headings are aligned, in pixels; nil for no
  ///   alignment.
  /// - `dependsOnCountOnly`: Whether sections with the same number of items have the same layout.
  /// - `layout`: Returns the layout of a range of items, as if there were no others.
  package init(
    _ sections: [Range<Int>], width: Double, headingHeight: Double, minHeadingWidth: Double,
    cell: PixelSize?, dependsOnCountOnly: Bool = true, layout: (Range<Int>) -> TileLayout
  ) {
    self.headingHeight = headingHeight
    self.minHeadingWidth = minHeadingWidth
    self.width = width
    self.cell = cell
    parts.reserveCapacity(sections.count)
    // Indices in `layouts` by the number of tiles.
    var known: [Int: Int] = [:]
    for range in sections {
      let index: Int
      if let present = known[range.count] {
        index = present
      } else {
        let new = layout(range)
        index = layouts.count
        layouts.append(new)
        if dependsOnCountOnly { known[range.count] = index }
      }
      parts.append(Part(start: range.lowerBound, layout: index))
    }
    count = sections.last?.upperBound ?? 0
    place(from: 0)
    scrollStep = layouts.map(\.scrollStep).max() ?? 0
    let margin = layouts.map { $0.count > 0 ? $0.frame(at: 0).minY : 0 }.max() ?? 0
    maxGap = headingHeight + (cell?.height ?? 0) + 2 * margin
  }

  /// Places the sections from a given one on, which is not beside the one before it.
  private mutating func place(from first: Int) {
    let rows = layouts.map(\.singleRow)
    let heights = layouts.map { layout in
      let height = headingHeight + layout.contentHeight
      return cell.map { (height / $0.height - 1e-6).rounded(.up) * $0.height } ?? height
    }
    var (top, bottom) = (0.0, first < parts.count ? parts[first].top : 0)
    // The column of the last row that another section may begin at; none if that is too far right.
    var free = Int.max
    for number in first..<parts.count {
      let layout = parts[number].layout
      let row = rows[layout]
      let column = row.map { hasRoom(for: $0, fromColumn: free) } ?? false ? free : 0
      if column == 0 { top = bottom }
      parts[number].top = top
      parts[number].shift = row?.distance(toColumn: column) ?? 0
      bottom = top + heights[layout]
      free = row.map { nextColumn(after: $0, fromColumn: column) } ?? .max
    }
    contentHeight = bottom
  }

  /// Returns whether a section has room in a row of tiles from a column on, and so has its heading.
  private func hasRoom(for row: GridLayout, fromColumn column: Int) -> Bool {
    column <= row.columnCount - row.count
      && width - headingLeft(at: row.frame(at: column).minX) >= minHeadingWidth
  }

  /// Returns the column at which a section may begin beside another one: after a free column, and
  /// where the other's heading has room.
  private func nextColumn(after row: GridLayout, fromColumn column: Int) -> Int {
    func left(_ column: Int) -> Double { headingLeft(at: row.frame(at: column).minX) }
    var next = column + row.count + 1
    while next < row.columnCount, left(next) - left(column) < minHeadingWidth { next += 1 }
    return next
  }

  /// Changes the aspect ratios of items; only the tiles of `rows` depend on them.
  ///
  /// - Parameter changes: The indices and the new aspect ratios, width divided by height.
  /// - Returns: Whether any tile has changed.
  /// - Complexity: Linear in the items of the blocks that change, and in the number of sections.
  mutating func updateAspectRatios(_ changes: [(index: Int, ratio: Double)]) -> Bool {
    var changesBySection: [Int: [(index: Int, ratio: Double)]] = [:]
    for (index, ratio) in changes where (0..<count).contains(index) {
      let section = section(ofTile: index)
      changesBySection[section, default: []].append((index - parts[section].start, ratio))
    }
    var first = parts.count
    for (section, changes) in changesBySection {
      guard case .rows(var rows) = layout(ofSection: section), rows.updateAspectRatios(changes)
      else {
        continue
      }
      layouts[parts[section].layout] = .rows(rows)
      first = min(first, section)
    }
    guard first < parts.count else { return false }
    place(from: first)
    return true
  }

  // MARK: - Sections

  package var sectionCount: Int { parts.count }

  /// Returns the frame of a heading: from above its section's first tile to the next heading beside
  /// it, or to the right edge.
  package func heading(ofSection section: Int) -> PixelRect {
    let left = headingLeft(ofSection: section)
    let next = section + 1
    let right =
      next < parts.count && parts[next].top == parts[section].top
      ? headingLeft(ofSection: next) : width
    return PixelRect(
      x: left, y: parts[section].top, width: max(right - left, 0), height: headingHeight)
  }

  private func headingLeft(ofSection section: Int) -> Double {
    headingLeft(at: layout(ofSection: section).frame(at: 0).minX + parts[section].shift)
  }

  /// Returns the left edge of a heading above a tile: a text column before the first one that is
  /// wholly above the tile, since the text begins with a space.
  private func headingLeft(at x: Double) -> Double {
    guard let cell else { return max(x, 0) }
    return max((x / cell.width - 1e-6).rounded(.up) - 1, 0) * cell.width
  }

  /// Returns the sections at a height, which are beside each other, or the nearest ones; an empty
  /// range if there are no sections.
  package func sections(at y: Double) -> Range<Int> {
    parts.isEmpty ? 0..<0 : sections(beside: lastPart { $0.top <= y })
  }

  /// Returns the sections in the same row as a section, with itself.
  ///
  /// - Complexity: Linear in their number.
  package func sections(beside section: Int) -> Range<Int> {
    let top = parts[section].top
    var (first, end) = (section, section + 1)
    while first > 0, parts[first - 1].top == top { first -= 1 }
    while end < parts.count, parts[end].top == top { end += 1 }
    return first..<end
  }

  /// Returns the frame of a heading of the sections at a height; nil if there are no sections.
  package func heading(above y: Double) -> PixelRect? {
    sections(at: y).first.map { heading(ofSection: $0) }
  }

  /// Returns the section whose heading contains a point; nil if no heading does.
  package func heading(at point: PixelPoint) -> Int? {
    sections(at: point.y).first { heading(ofSection: $0).contains(point) }
  }

  /// Returns the number of the last part that satisfies a predicate, which all parts up to some
  /// point satisfy and none after it; 0 if none does.
  private func lastPart(where isBefore: (Part) -> Bool) -> Int {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(parts[middle]) { low = middle + 1 } else { high = middle }
    }
    return max(low - 1, 0)
  }

  private func section(ofTile index: Int) -> Int { lastPart { $0.start <= index } }

  private func layout(ofSection section: Int) -> TileLayout { layouts[parts[section].layout] }

  /// Returns the top left corner of what a section's layout places.
  private func origin(ofSection section: Int) -> PixelPoint {
    PixelPoint(x: parts[section].shift, y: parts[section].top + headingHeight)
  }

  // MARK: - Tiles

  package func frame(at index: Int) -> PixelRect {
    guard !parts.isEmpty else { return PixelRect(x: 0, y: 0, width: 0, height: 0) }
    let section = section(ofTile: index)
    let origin = origin(ofSection: section)
    return layout(ofSection: section).frame(at: index - parts[section].start)
      .offset(x: origin.x, y: origin.y)
  }

  /// Returns the frame of the text row below a tile; nil without labels.
  package func labelFrame(at index: Int) -> PixelRect? {
    guard !parts.isEmpty else { return nil }
    let section = section(ofTile: index)
    let origin = origin(ofSection: section)
    return layout(ofSection: section).labelFrame(at: index - parts[section].start)?
      .offset(x: origin.x, y: origin.y)
  }

  /// Returns the index of the tile that contains a point; nil in the gaps and on headings.
  package func index(at point: PixelPoint) -> Int? {
    for section in sections(at: point.y) {
      let origin = origin(ofSection: section)
      let inside = PixelPoint(x: point.x - origin.x, y: point.y - origin.y)
      guard inside.y >= 0 else { return nil }
      if let index = layout(ofSection: section).index(at: inside) {
        return index + parts[section].start
      }
    }
    return nil
  }

  /// Returns a range that includes every tile that overlaps a rectangle vertically, and few others.
  package func indices(in rect: PixelRect) -> Range<Int> {
    guard !parts.isEmpty else { return 0..<0 }
    let lower = indices(of: sections(at: rect.minY), in: rect).lowerBound
    return lower..<max(indices(of: sections(at: rect.maxY), in: rect).upperBound, lower)
  }

  /// Returns the indices of the tiles that overlap a rectangle vertically, in sections beside each
  /// other; an empty range before them or after them if there are none.
  private func indices(of sections: Range<Int>, in rect: PixelRect) -> Range<Int> {
    let last = sections.upperBound - 1
    let start = parts[last].start
    let inside = layout(ofSection: last)
      .indices(in: rect.offset(x: 0, y: -origin(ofSection: last).y))
    // Beside each other, all tiles are in one row.
    func index(_ inside: Int) -> Int {
      inside == 0 ? parts[sections.lowerBound].start : start + inside
    }
    return index(inside.lowerBound)..<index(inside.upperBound)
  }

  // MARK: - Neighbors

  /// Returns the index of the nearest tile in a direction: in the same section, or else beside it
  /// or in the nearest row above or below it; nil at the edge.
  func neighbor(of index: Int, in direction: Direction) -> Int? {
    guard (0..<count).contains(index) else { return nil }
    let section = section(ofTile: index)
    let start = parts[section].start
    if let near = layout(ofSection: section).neighbor(of: index - start, in: direction) {
      return near + start
    }
    let tiles = tiles(ofSections: sections(beside: section))
    switch direction {
    case .left, .right:
      let next = direction == .left ? index - 1 : index + 1
      // Of a section with more rows, what comes next is in another row.
      return tiles.contains(next) && self.section(ofTile: next) != section ? next : nil
    case .up:
      guard tiles.lowerBound > 0 else { return nil }
      return nearest(to: index, inRowOf: tiles.lowerBound - 1, in: direction)
    case .down:
      guard tiles.upperBound < count else { return nil }
      return nearest(to: index, inRowOf: tiles.upperBound, in: direction)
    }
  }

  private func tiles(ofSections sections: Range<Int>) -> Range<Int> {
    let end = sections.upperBound
    return parts[sections.lowerBound].start..<(end < parts.count ? parts[end].start : count)
  }

  /// Returns the tile nearest to `index` in the row that holds `edge`, the first or last tile of
  /// sections beside each other.
  private func nearest(to index: Int, inRowOf edge: Int, in direction: Direction) -> Int? {
    let frame = frame(at: edge)
    let all = tiles(ofSections: sections(beside: section(ofTile: edge)))
    let candidates = indices(in: frame).clamped(to: all).filter {
      let other = self.frame(at: $0)
      return other.minY < frame.maxY && frame.minY < other.maxY
    }
    return TileLayout.nearest(
      to: self.frame(at: index), among: candidates, in: direction, frame: self.frame(at:))
  }
}

extension TileLayout {
  /// The layout of a section beside which others may be: a grid of equal columns with one row; nil
  /// for all others.
  fileprivate var singleRow: GridLayout? {
    if case .grid(let grid) = self, grid.rowCount == 1, grid.hasEqualColumns { grid } else { nil }
  }
}

extension LayoutStyle {
  /// Whether a layout depends only on the number of tiles, not on the photos' aspect ratios.
  private var dependsOnCountOnly: Bool { [.grid, .mosaic, .bento].contains(kind) }

  /// The least width of a heading beside others, in text columns: enough for most dates, and no more
  /// than a usual tile has with the gaps beside it.
  private static let minHeadingColumns = 20.0

  /// Returns the layout of sections to draw, with headings on text rows and tiles on whole
  /// placement steps.
  ///
  /// - `sections`: The items of each section, one range after the other from 0.
  /// - `area`: The size of the picture area, in pixels.
  /// - `ratio`: Returns the aspect ratio of the photo at an index, width divided by height; nil if
  ///   it is unknown.
  package func snapped(
    _ sections: [Range<Int>], in area: PixelSize, metrics: CellMetrics,
    ratio: (Int) -> Double? = { _ in nil }
  ) -> TileLayout {
    .sections(
      SectionedLayout(
        sections, width: area.width, headingHeight: metrics.cell.height,
        minHeadingWidth: Self.minHeadingColumns * metrics.cell.width, cell: metrics.cell,
        dependsOnCountOnly: dependsOnCountOnly
      ) { range in
        snapped(range.count, in: area, metrics: metrics, ratio: { ratio(range.lowerBound + $0) })
      })
  }

  /// Returns the exact layout of sections, with fractions.
  package func exact(
    _ sections: [Range<Int>], in area: PixelSize, metrics: CellMetrics,
    ratio: (Int) -> Double? = { _ in nil }
  ) -> TileLayout {
    .sections(
      SectionedLayout(
        sections, width: area.width, headingHeight: metrics.cell.height,
        minHeadingWidth: Self.minHeadingColumns * metrics.cell.width, cell: nil,
        dependsOnCountOnly: dependsOnCountOnly
      ) { range in
        exact(range.count, in: area, metrics: metrics, ratio: { ratio(range.lowerBound + $0) })
      })
  }
}
