/// Sections below each other, each with a heading and a layout for its tiles.
///
/// All coordinates are content coordinates, in pixels. If a layout depends only on the number of
/// tiles, sections with the same number share a layout, so memory grows by a few bytes for each
/// section.
package struct SectionedLayout: Equatable, Sendable {
  /// The position and layout of a section.
  private struct Part: Equatable, Sendable {
    /// The index of the section's first tile.
    var start: Int
    var top: Double
    var layout: Int
  }

  private var parts: [Part] = []
  private var layouts: [TileLayout] = []
  package private(set) var count = 0
  /// The height of the content in pixels, including margins; 0 without sections.
  package private(set) var contentHeight = 0.0
  package let headingHeight: Double
  private let width: Double
  /// The step to which the tops of headings are rounded, in pixels; nil for no rounding.
  private let row: Double?
  /// The distance that one notch of the wheel scrolls, in pixels.
  package private(set) var scrollStep = 0.0

  /// An upper bound of the free space between the tiles of two sections, in pixels.
  private(set) var maxGap = 0.0

  /// Creates the layout of sections.
  ///
  /// - `sections`: The items of each section, one range after the other from 0.
  /// - `width`: The width of headings, in pixels.
  /// - `headingHeight`: The height of headings, in pixels.
  /// - `row`: The step that the tops of headings are rounded to, in pixels; nil for no rounding.
  /// - `dependsOnCountOnly`: Whether sections with the same number of items have the same layout.
  /// - `layout`: Returns the layout of a range of items, as if there were no others.
  package init(
    _ sections: [Range<Int>], width: Double, headingHeight: Double, row: Double?,
    dependsOnCountOnly: Bool = true, layout: (Range<Int>) -> TileLayout
  ) {
    self.headingHeight = headingHeight
    self.width = width
    self.row = row
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
      parts.append(Part(start: range.lowerBound, top: 0, layout: index))
    }
    count = sections.last?.upperBound ?? 0
    stack(from: 0)
    scrollStep = layouts.map(\.scrollStep).max() ?? 0
    let margin = layouts.map { $0.count > 0 ? $0.frame(at: 0).minY : 0 }.max() ?? 0
    maxGap = headingHeight + (row ?? 0) + 2 * margin
  }

  /// Updates the tops of the sections after a given one, and the height of the content.
  private mutating func stack(from first: Int) {
    var y = first < parts.count ? parts[first].top : 0
    for number in first..<parts.count {
      parts[number].top = y
      let height = headingHeight + layouts[parts[number].layout].contentHeight
      y += row.map { (height / $0 - 1e-6).rounded(.up) * $0 } ?? height
    }
    contentHeight = y
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
    stack(from: first)
    return true
  }

  // MARK: - Sections

  package var sectionCount: Int { parts.count }

  package func heading(ofSection section: Int) -> PixelRect {
    PixelRect(x: 0, y: parts[section].top, width: width, height: headingHeight)
  }

  /// Returns the number of the section at a height, or of the nearest one; 0 if there are no
  /// sections.
  package func section(at y: Double) -> Int { lastPart { $0.top <= y } }

  package func heading(at point: PixelPoint) -> Int? {
    guard !parts.isEmpty else { return nil }
    let section = section(at: point.y)
    return heading(ofSection: section).contains(point) ? section : nil
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

  /// Returns the top of a section's tiles, below its heading.
  private func bodyTop(ofSection section: Int) -> Double { parts[section].top + headingHeight }

  // MARK: - Tiles

  package func frame(at index: Int) -> PixelRect {
    guard !parts.isEmpty else { return PixelRect(x: 0, y: 0, width: 0, height: 0) }
    let section = section(ofTile: index)
    return layout(ofSection: section).frame(at: index - parts[section].start)
      .offset(x: 0, y: bodyTop(ofSection: section))
  }

  /// Returns the frame of the text row below a tile; nil without labels.
  package func labelFrame(at index: Int) -> PixelRect? {
    guard !parts.isEmpty else { return nil }
    let section = section(ofTile: index)
    return layout(ofSection: section).labelFrame(at: index - parts[section].start)?
      .offset(x: 0, y: bodyTop(ofSection: section))
  }

  /// Returns the index of the tile that contains a point; nil in the gaps and on headings.
  package func index(at point: PixelPoint) -> Int? {
    guard !parts.isEmpty else { return nil }
    let section = section(at: point.y)
    let inside = PixelPoint(x: point.x, y: point.y - bodyTop(ofSection: section))
    guard inside.y >= 0 else { return nil }
    return layout(ofSection: section).index(at: inside).map { $0 + parts[section].start }
  }

  /// Returns a range that includes every tile that overlaps a rectangle vertically, and few others.
  package func indices(in rect: PixelRect) -> Range<Int> {
    guard !parts.isEmpty else { return 0..<0 }
    let (first, last) = (section(at: rect.minY), section(at: rect.maxY))
    let lower = indices(of: first, in: rect).lowerBound
    return lower..<max(indices(of: last, in: rect).upperBound, lower)
  }

  private func indices(of section: Int, in rect: PixelRect) -> Range<Int> {
    let start = parts[section].start
    let inside = layout(ofSection: section)
      .indices(in: rect.offset(x: 0, y: -bodyTop(ofSection: section)))
    return inside.lowerBound + start..<inside.upperBound + start
  }

  // MARK: - Neighbors

  /// Returns the index of the nearest tile in a direction: in the same section, or else in the
  /// nearest row of the adjacent section; nil at the edge.
  func neighbor(of index: Int, in direction: Direction) -> Int? {
    guard (0..<count).contains(index) else { return nil }
    let section = section(ofTile: index)
    let start = parts[section].start
    if let near = layout(ofSection: section).neighbor(of: index - start, in: direction) {
      return near + start
    }
    switch direction {
    case .left, .right: return nil
    case .up:
      guard start > 0 else { return nil }
      return nearest(to: index, inRowOf: start - 1, in: direction)
    case .down:
      guard section + 1 < parts.count else { return nil }
      return nearest(to: index, inRowOf: parts[section + 1].start, in: direction)
    }
  }

  /// Returns the tile nearest to `index` in the row that holds `edge`, the first or last tile of an
  /// adjacent section.
  private func nearest(to index: Int, inRowOf edge: Int, in direction: Direction) -> Int? {
    let section = section(ofTile: edge)
    let frame = frame(at: edge)
    let all = parts[section].start..<(section + 1 < parts.count ? parts[section + 1].start : count)
    let candidates = indices(in: frame).clamped(to: all).filter {
      let other = self.frame(at: $0)
      return other.minY < frame.maxY && frame.minY < other.maxY
    }
    return TileLayout.nearest(
      to: self.frame(at: index), among: candidates, in: direction, frame: self.frame(at:))
  }
}

extension LayoutStyle {
  /// Whether a layout depends only on the number of tiles, not on the photos' aspect ratios.
  private var dependsOnCountOnly: Bool { [.grid, .mosaic, .bento].contains(kind) }

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
    let row = metrics.cell.height
    return .sections(
      SectionedLayout(
        sections, width: area.width, headingHeight: row, row: row,
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
        sections, width: area.width, headingHeight: metrics.cell.height, row: nil,
        dependsOnCountOnly: dependsOnCountOnly
      ) { range in
        exact(range.count, in: area, metrics: metrics, ratio: { ratio(range.lowerBound + $0) })
      })
  }
}
