/// A page that is divided recursively into tiles, and repeated down the content.
///
/// The pattern does not depend on the photos: each repetition takes as many photos as the pattern
/// has leaves, in order. In the last repetition, leaves without a photo give their space to the
/// others, so every page is full.
package struct BentoLayout: Equatable, Sendable {
  package let tiles: RepeatedTiles
  /// The distance from the top of one repetition to the top of the next, in pixels.
  package let pagePitch: Double

  /// Creates the layout to draw: every edge is on a whole placement step, and a margin of one gap stays
  /// free around the tiles.
  package init(
    snapping count: Int, width: Double, pageHeight: Double, pattern: Split = .tray,
    spacing: Int = 1, metrics: CellMetrics
  ) {
    self.init(
      count, pattern,
      page: .snapping(width: width, height: pageHeight, spacing: spacing, metrics: metrics),
      cell: metrics.cell)
  }

  /// Creates the exact layout, with fractions and without margins.
  package init(
    exactly count: Int, width: Double, pageHeight: Double, pattern: Split = .tray,
    spacing: PixelSize, metrics: CellMetrics
  ) {
    self.init(
      count, pattern, page: .exact(width: width, height: pageHeight, spacing: spacing),
      cell: metrics.cell)
  }

  private init(_ count: Int, _ pattern: Split, page: TilePage, cell: PixelSize) {
    let count = max(count, 0)
    let page = page.growing(to: pattern.minimumSize(along: .vertical, on: page))
    let division = BentoDivision(page: page, cell: cell)
    pagePitch = page.area.height + page.gap.height
    tiles = RepeatedTiles(
      count: count, pattern: division.frames(of: pattern), pitch: pagePitch,
      tail: pattern.pruned(to: count % pattern.leafCount).map(division.frames(of:)) ?? [],
      top: page.area.minY)
  }
}

/// The division of a page by a pattern.
private struct BentoDivision {
  let page: TilePage
  /// The unit of fixed lengths, in pixels.
  let cell: PixelSize

  func frames(of pattern: Split) -> [PixelRect] {
    var frames: [PixelRect] = []
    frames.reserveCapacity(pattern.leafCount)
    place(pattern, in: page.area, along: .vertical, into: &frames)
    return frames
  }

  private func place(
    _ split: Split, in rect: PixelRect, along axis: Axis, into frames: inout [PixelRect]
  ) {
    guard !split.children.isEmpty else {
      frames.append(rect)
      return
    }
    let lengths = lengths(of: split.children, in: rect.size.length(along: axis), along: axis)
    var distance = 0.0
    for (child, length) in zip(split.children, lengths) {
      place(
        child, in: rect.slice(along: axis, from: distance, length: length), along: axis.flipped,
        into: &frames)
      distance += length + page.gap.length(along: axis)
    }
  }

  /// Returns the children's lengths, which add up to a total together with the gaps between them.
  ///
  /// A child with a fixed length gets that length as long as the others keep their minimum; the
  /// others share the rest equally, as in `GridColumns`. The total must be large enough for all
  /// minimums.
  private func lengths(of children: [Split], in total: Double, along axis: Axis) -> [Double] {
    var result = children.map { $0.minimumSize(along: axis.flipped, on: page).length(along: axis) }
    var reserved = result.reduce(0, +)
    var remaining = total - page.gap.length(along: axis) * Double(children.count - 1)
    func give(_ wanted: Double, to index: Int) {
      let minimum = result[index]
      reserved -= minimum
      result[index] = max(min(page.rounded(wanted, along: axis), remaining - reserved), minimum)
      remaining -= result[index]
    }
    let isFixedOnly = children.allSatisfy { $0.length != nil }
    var weights = children.map { Double($0.length ?? 1) }
    if !isFixedOnly {
      for (index, child) in children.enumerated() where child.length != nil {
        give(weights[index] * cell.length(along: axis), to: index)
        weights[index] = 0
      }
    }
    var weight = weights.reduce(0, +)
    for index in children.indices where weights[index] > 0 {
      give(remaining * weights[index] / weight, to: index)
      weight -= weights[index]
    }
    return result
  }
}
