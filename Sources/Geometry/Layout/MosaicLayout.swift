/// Segments of one to three photos stacked down the page, in four alternating styles.
///
/// The styles and their sequence follow Apple's sample *Customizing Collection View Layouts*;
/// unlike there, the last segments always hold exactly the remaining photos. The styles repeat
/// every eight photos, so a photo's frame follows from its index.
package struct MosaicLayout: Equatable, Sendable {
  /// The division of a segment into tiles, from left to right.
  ///
  /// ```
  /// full        half        twoThirdsByOneThird   oneThirdByTwoThirds
  /// ┌───────┐   ┌───┬───┐   ┌─────┬──┐            ┌──┬─────┐
  /// │       │   │   │   │   │     ├──┤            ├──┤     │
  /// └───────┘   └───┴───┘   └─────┴──┘            └──┴─────┘
  /// ```
  ///
  /// A segment is as high as the page, half of it, or a third of it in the last two styles.
  package enum Style: Equatable, Sendable {
    /// One photo, two equal ones, or a large one beside two stacked ones.
    case full, half, twoThirdsByOneThird, oneThirdByTwoThirds

    /// The number of photos in a segment of this style.
    package var photoCount: Int {
      switch self {
      case .full: 1
      case .half: 2
      case .twoThirdsByOneThird, .oneThirdByTwoThirds: 3
      }
    }

    static func first(count: Int) -> Style {
      switch count {
      case 1: .full
      case 2: .half
      case 3, 5: .oneThirdByTwoThirds
      default: .twoThirdsByOneThird
      }
    }

    func next(left: Int) -> Style {
      switch (left, self) {
      case (1, _): .full
      case (2, _): .half
      case (_, .full), (_, .oneThirdByTwoThirds): .half
      case (_, .half): .twoThirdsByOneThird
      case (_, .twoThirdsByOneThird): .oneThirdByTwoThirds
      }
    }

    /// Returns the styles of segments for a number of photos, after a segment or from the start.
    static func segments(count: Int, after previous: Style? = nil) -> [Style] {
      var styles: [Style] = []
      var left = count
      while left > 0 {
        let before = styles.last ?? previous
        let style = before.map { $0.next(left: left) } ?? first(count: count)
        styles.append(style)
        left -= style.photoCount
      }
      return styles
    }
  }

  package let tiles: RepeatedTiles
  /// The distance between the tops of two segments that are a third of a page high, in pixels.
  package let segmentPitch: Double

  /// Creates the layout to draw: every edge is on a whole placement step, and a margin of one gap stays
  /// free around the tiles.
  package init(
    snapping count: Int, width: Double, pageHeight: Double, spacing: Int = 1, metrics: CellMetrics
  ) {
    self.init(
      count,
      page: .snapping(width: width, height: pageHeight, spacing: spacing, metrics: metrics))
  }

  /// Creates the exact layout, without margins: heights keep fractions, divisions are in whole
  /// pixels.
  package init(exactly count: Int, width: Double, pageHeight: Double, spacing: PixelSize) {
    self.init(count, page: .exact(width: width, height: pageHeight, spacing: spacing))
  }

  private init(_ count: Int, page: TilePage) {
    let count = max(count, 0)
    let division = MosaicDivision(page: page)
    let cycle: [Style] = [.twoThirdsByOneThird, .oneThirdByTwoThirds, .half]
    let cycleCount = cycle.reduce(0) { $0 + $1.photoCount }
    // With fewer photos than a cycle holds, the first style depends on their number; otherwise the
    // photos that are left over follow the last cycle.
    let end = Style.segments(
      count: count % cycleCount, after: count < cycleCount ? nil : cycle.last)
    tiles = RepeatedTiles(
      count: count, pattern: division.frames(of: cycle), pitch: division.height(of: cycle),
      tail: division.frames(of: end), top: page.area.minY)
    segmentPitch = division.height(of: [.twoThirdsByOneThird])
  }
}

/// The division of a page into segments, and of segments into tiles.
private struct MosaicDivision {
  private let page: TilePage

  /// Creates the division of a page, enlarged if it is too small to be divided.
  init(page: TilePage) {
    let smallest = page.minTile
    let pair = PixelSize(
      width: smallest.width * 2 + page.gap.width, height: smallest.height * 2 + page.gap.height)
    self.page = page.growing(to: pair)
  }

  /// Returns the total height of stacked segments, each including the gap below it.
  func height(of styles: [MosaicLayout.Style]) -> Double {
    styles.reduce(0) { $0 + height(of: $1) + page.gap.height }
  }

  func frames(of styles: [MosaicLayout.Style]) -> [PixelRect] {
    var y = page.area.minY
    return styles.flatMap { style in
      let segment = PixelRect(
        x: page.area.minX, y: y, width: page.area.width, height: height(of: style))
      y += segment.height + page.gap.height
      return frames(of: style, in: segment)
    }
  }

  private func height(of style: MosaicLayout.Style) -> Double {
    let page = page.area.height
    switch style {
    case .full: return page
    case .half: return self.page.rounded(page / 2, along: .vertical, .down)
    case .twoThirdsByOneThird, .oneThirdByTwoThirds:
      // Two tiles are stacked here.
      let pair = self.page.minTile.height * 2 + self.page.gap.height
      return max(self.page.rounded(page / 3, along: .vertical, .down), pair)
    }
  }

  private func frames(of style: MosaicLayout.Style, in segment: PixelRect) -> [PixelRect] {
    switch style {
    case .full:
      return [segment]
    case .half:
      let halves = divide(segment, along: .horizontal, at: 1 / 2)
      return [halves.first, halves.second]
    case .twoThirdsByOneThird:
      let sides = divide(segment, along: .horizontal, at: 2 / 3)
      let stack = divide(sides.second, along: .vertical, at: 1 / 2)
      return [sides.first, stack.first, stack.second]
    case .oneThirdByTwoThirds:
      let sides = divide(segment, along: .horizontal, at: 1 / 3)
      let stack = divide(sides.first, along: .vertical, at: 1 / 2)
      return [stack.first, stack.second, sides.second]
    }
  }

  /// Divides a rectangle in two, rounding the first length; the gap comes out of the rest.
  ///
  /// Lengths are rounded to whole steps of the page, or to pixels if it has none.
  private func divide(
    _ rect: PixelRect, along axis: Axis, at fraction: Double
  ) -> (first: PixelRect, second: PixelRect) {
    let length = rect.size.length(along: axis)
    let gap = page.gap.length(along: axis)
    let smallest = page.minTile.length(along: axis)
    let step = page.step.length(along: axis)
    let unit = step > 0 ? step : 1
    let wanted = (length * fraction / unit).rounded() * unit
    let distance = max(min(wanted, length - gap - smallest), smallest)
    return (
      rect.slice(along: axis, from: 0, length: distance),
      rect.slice(along: axis, from: distance + gap, length: length - distance - gap)
    )
  }
}
