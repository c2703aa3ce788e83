/// A page divided again and again into tiles, repeated down the content.
///
/// The pattern is separate from the photos: each repetition takes as many as the pattern has leaves,
/// in order. In the last one the leaves for which no photo is left give their space to the others,
/// so every page is full.
package struct BentoLayout: Equatable, Sendable {
  /// Where the tiles are.
  package let tiles: RepeatedTiles
  /// From one repetition's top to the next one's.
  package let pagePitch: Double

  /// The layout as it is drawn by cells: every edge on a whole quantum, one quantum free all round.
  ///
  /// - Parameters:
  ///   - count: How many photos there are.
  ///   - width: The width offered, in pixels.
  ///   - pageHeight: The height of a screenful, in pixels; a repetition is as high as what lies
  ///     inside its margins.
  ///   - pattern: How a page is divided.
  ///   - spacing: Between tiles, in whole quanta.
  ///   - metrics: The terminal's cells; their `quantum` is the step.
  package init(
    snapping count: Int, width: Double, pageHeight: Double, pattern: Split = .tray,
    spacing: Int = 1, metrics: CellMetrics
  ) {
    self.init(
      count, pattern,
      page: .snapping(width: width, height: pageHeight, spacing: spacing, metrics: metrics),
      cell: metrics.cell)
  }

  /// The exact layout, fractions kept, without margins.
  ///
  /// - Parameters:
  ///   - count: How many photos there are.
  ///   - width: The width offered, in pixels.
  ///   - pageHeight: The height of a repetition, in pixels.
  ///   - pattern: How a page is divided.
  ///   - spacing: Between tiles, in pixels, across and down.
  ///   - metrics: The terminal's cells, in which the pattern's fixed lengths count.
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

/// A pattern's parts measured out on a page.
private struct BentoDivision {
  let page: TilePage
  /// What a fixed length of 1 means.
  let cell: PixelSize

  /// The frames of all leaves, in order.
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
    let lengths = lengths(
      of: split.children, in: rect.size.length(along: axis), along: axis)
    var distance = 0.0
    for (child, length) in zip(split.children, lengths) {
      place(
        child, in: rect.slice(along: axis, from: distance, length: length), along: axis.flipped,
        into: &frames)
      distance += length + page.gap.length(along: axis)
    }
  }

  /// What every child gets of a length that is large enough for all of them.
  ///
  /// Fixed ones get theirs as long as there is room for the least that the others need; the others
  /// share the rest alike, as `GridColumns` does.
  private func lengths(of children: [Split], in total: Double, along axis: Axis) -> [Double] {
    var result = children.map {
      $0.minimumSize(along: axis.flipped, on: page).length(along: axis)
    }
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
