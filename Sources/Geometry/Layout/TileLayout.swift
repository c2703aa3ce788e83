/// The frames of the photos' tiles in one of the layouts.
///
/// Coordinates are content coordinates: pixels from the top left of the scrollable content.
package enum TileLayout: Equatable, Sendable {
  /// Square tiles in rows and columns.
  case grid(GridLayout)
  /// Segments of one to three tiles.
  case mosaic(MosaicLayout)
  /// A page divided by a pattern.
  case bento(BentoLayout)
  /// Whole photos in rows.
  case rows(RowsLayout)
  case sections(SectionedLayout)

  package var count: Int {
    switch self {
    case .grid(let layout): layout.count
    case .mosaic(let layout): layout.tiles.count
    case .bento(let layout): layout.tiles.count
    case .rows(let layout): layout.count
    case .sections(let layout): layout.count
    }
  }

  /// The height of the content in pixels, including margins; 0 without photos.
  package var contentHeight: Double {
    switch self {
    case .grid(let layout): layout.contentHeight
    case .mosaic(let layout): layout.tiles.contentHeight
    case .bento(let layout): layout.tiles.contentHeight
    case .rows(let layout): layout.contentHeight
    case .sections(let layout): layout.contentHeight
    }
  }

  /// The distance that one notch of the wheel scrolls, in pixels: a row of tiles, a segment, or
  /// half a page.
  package var scrollStep: Double {
    switch self {
    case .grid(let layout): layout.rowPitch
    case .mosaic(let layout): layout.segmentPitch
    case .bento(let layout): layout.pagePitch / 2
    case .rows(let layout): layout.rowPitch
    case .sections(let layout): layout.scrollStep
    }
  }

  /// Returns the frame of the tile at an index; indices past the end continue the pattern.
  package func frame(at index: Int) -> PixelRect {
    switch self {
    case .grid(let layout): layout.frame(at: index)
    case .mosaic(let layout): layout.tiles.frame(at: index)
    case .bento(let layout): layout.tiles.frame(at: index)
    case .rows(let layout): layout.frame(at: index)
    case .sections(let layout): layout.frame(at: index)
    }
  }

  /// Returns the frame of the text row below a tile; nil without labels, which only a grid has.
  package func labelFrame(at index: Int) -> PixelRect? {
    switch self {
    case .grid(let layout): layout.labelFrame(at: index)
    case .mosaic, .bento, .rows: nil
    case .sections(let layout): layout.labelFrame(at: index)
    }
  }

  /// Returns the index of the tile that contains a point; nil in the gaps and past the last photo.
  package func index(at point: PixelPoint) -> Int? {
    switch self {
    case .grid(let layout): layout.index(at: point)
    case .mosaic(let layout): layout.tiles.index(at: point)
    case .bento(let layout): layout.tiles.index(at: point)
    case .rows(let layout): layout.index(at: point)
    case .sections(let layout): layout.index(at: point)
    }
  }

  /// Returns a range that includes every tile that overlaps a rectangle vertically, and few others;
  /// its left and right edges are ignored.
  package func indices(in rect: PixelRect) -> Range<Int> {
    switch self {
    case .grid(let layout): layout.indices(in: rect)
    case .mosaic(let layout): layout.tiles.indices(in: rect)
    case .bento(let layout): layout.tiles.indices(in: rect)
    case .rows(let layout): layout.indices(in: rect)
    case .sections(let layout): layout.indices(in: rect)
    }
  }

  /// Changes the aspect ratios of items; only the tiles of `rows` depend on them, in sections too.
  ///
  /// - Parameter changes: The indices and the new aspect ratios, width divided by height.
  /// - Returns: Whether any tile has changed.
  package mutating func updateAspectRatios(_ changes: [(index: Int, ratio: Double)]) -> Bool {
    switch self {
    case .grid, .mosaic, .bento: return false
    case .rows(var layout):
      guard layout.updateAspectRatios(changes) else { return false }
      self = .rows(layout)
    case .sections(var layout):
      guard layout.updateAspectRatios(changes) else { return false }
      self = .sections(layout)
    }
    return true
  }

  // MARK: - Sections

  /// The layout of the sections; nil without sections.
  package var sectioned: SectionedLayout? {
    if case .sections(let layout) = self { layout } else { nil }
  }

  /// The height of the heading that stays at the top of the screen while its section scrolls, in
  /// pixels; 0 without sections.
  package var headingHeight: Double { sectioned?.headingHeight ?? 0 }

  /// An upper bound of the free space between tiles above each other, in pixels.
  package var maxGap: Double { max(scrollStep, sectioned?.maxGap ?? 0) }
}

/// A direction from a tile to its neighbor.
package enum Direction: CaseIterable, Hashable, Sendable {
  case left, right, up, down

  var axis: Axis {
    switch self {
    case .left, .right: .horizontal
    case .up, .down: .vertical
    }
  }
}

extension TileLayout {
  /// Returns the index of the nearest tile that lies wholly in a direction; nil at the edge.
  ///
  /// Tiles straight in that direction come first, ordered by the distance of their edge, then by
  /// the offset of their center, then by index. If no tile is straight above or below, as under the
  /// last full row of a grid, the nearest of the others is chosen; to the left and right, there is
  /// no neighbor then.
  package func neighbor(of index: Int, in direction: Direction) -> Int? {
    if case .sections(let layout) = self { return layout.neighbor(of: index, in: direction) }
    guard (0..<count).contains(index) else { return nil }
    let frame = frame(at: index)
    return Self.nearest(
      to: frame, among: indices(in: surroundings(of: frame, in: direction)), in: direction,
      frame: self.frame(at:))
  }

  /// Returns the candidate nearest to a frame; nil if none lies wholly in the direction.
  package static func nearest(
    to frame: PixelRect, among candidates: some Sequence<Int>, in direction: Direction,
    frame frameOfTile: (Int) -> PixelRect
  ) -> Int? {
    var nearest: (index: Int, remoteness: Remoteness)?
    for candidate in candidates {
      guard let remoteness = Remoteness(of: frameOfTile(candidate), from: frame, in: direction)
      else { continue }
      if nearest.map({ remoteness < $0.remoteness }) ?? true {
        nearest = (candidate, remoteness)
      }
    }
    return nearest?.index
  }

  /// Returns a rectangle that intersects the neighbor's tile if there is one.
  ///
  /// No layout leaves more than a scroll step free between tiles above each other.
  private func surroundings(of frame: PixelRect, in direction: Direction) -> PixelRect {
    // A grid can overflow the width, so the content has no width of its own.
    let beyond = 1e12
    return switch direction {
    case .left, .right:
      PixelRect(x: -beyond, y: frame.minY, width: 2 * beyond, height: frame.height)
    case .up:
      PixelRect(x: -beyond, y: frame.minY - scrollStep, width: 2 * beyond, height: scrollStep)
    case .down:
      PixelRect(x: -beyond, y: frame.maxY, width: 2 * beyond, height: scrollStep)
    }
  }
}

/// The distance of a tile from another one, for choosing the nearest.
private struct Remoteness: Comparable {
  /// Whether the tile is not straight in the direction.
  private let isOffAxis: Bool
  /// The distance from edge to edge, in units of `tolerance`.
  private let gap: Double
  /// The distance from center to center across the direction, in units of `tolerance`.
  private let offset: Double

  /// The rounding error of touching edges, in pixels; it must not decide which tile is nearer.
  private static let tolerance = 0.01

  /// Creates the distance of a tile; nil if it does not lie in the direction.
  init?(of tile: PixelRect, from origin: PixelRect, in direction: Direction) {
    let ahead =
      switch direction {
      case .left: origin.minX - tile.maxX
      case .right: tile.minX - origin.maxX
      case .up: origin.minY - tile.maxY
      case .down: tile.minY - origin.maxY
      }
    let beside: Double
    let offset: Double
    switch direction.axis {
    case .horizontal:
      beside = max(tile.minY - origin.maxY, origin.minY - tile.maxY)
      offset = abs(tile.center.y - origin.center.y)
    case .vertical:
      beside = max(tile.minX - origin.maxX, origin.minX - tile.maxX)
      offset = abs(tile.center.x - origin.center.x)
    }
    isOffAxis = beside >= -Self.tolerance
    guard ahead >= -Self.tolerance, !isOffAxis || direction.axis == .vertical else { return nil }
    let distance = PixelPoint(x: max(ahead, 0), y: max(beside, 0)).distance(to: .zero)
    gap = (distance / Self.tolerance).rounded()
    self.offset = (offset / Self.tolerance).rounded()
  }

  static func < (left: Remoteness, right: Remoteness) -> Bool {
    if left.isOffAxis != right.isOffAxis { return right.isOffAxis }
    return (left.gap, left.offset) < (right.gap, right.offset)
  }
}

/// The page that mosaic, bento and rows fill with tiles: its area, gaps and rounding.
struct TilePage: Equatable, Sendable {
  private(set) var area: PixelRect
  /// The step to which lengths are rounded, in pixels; 0 to keep fractions.
  let step: PixelSize
  let gap: PixelSize
  /// The smallest tile when a page is divided: a step or a pixel larger than a gap, so that beside
  /// every tile there is another tile and not only a gap.
  let minTile: PixelSize

  /// The smallest size of a tile: a step, or a pixel if lengths keep fractions.
  var minStep: PixelSize { step == .zero ? PixelSize(width: 1, height: 1) : step }

  /// Returns a page whose edges are all on whole placement steps, with a gap around it for the
  /// selection ring.
  ///
  /// - Returns: The page.
  static func snapping(
    width: Double, height: Double, spacing: Int, metrics: CellMetrics
  ) -> TilePage {
    let (placementStep, border) = (metrics.placementStep, metrics.gap)
    let across =
      (sanitized(width) / placementStep.width).rounded() * placementStep.width - 2 * border.width
    let down =
      (sanitized(height) / placementStep.height).rounded() * placementStep.height - 2
      * border.height
    let gap = PixelSize(
      width: Double(max(spacing, 0)) * border.width,
      height: Double(max(spacing, 1)) * border.height)
    return TilePage(
      area: PixelRect(
        x: border.width, y: border.height, width: max(across, placementStep.width),
        height: max(down, placementStep.height)),
      step: placementStep,
      gap: gap,
      minTile: PixelSize(
        width: gap.width + placementStep.width, height: gap.height + placementStep.height))
  }

  /// Returns a page that fills the available size, in pixels.
  static func exact(width: Double, height: Double, spacing: PixelSize) -> TilePage {
    let gap = PixelSize(width: sanitized(spacing.width), height: sanitized(spacing.height))
    return TilePage(
      area: PixelRect(
        x: 0, y: 0, width: max(sanitized(width), 1), height: max(sanitized(height), 1)),
      step: .zero,
      gap: gap,
      minTile: PixelSize(width: gap.width + 1, height: gap.height + 1))
  }

  func rounded(
    _ length: Double, along axis: Axis,
    _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) -> Double {
    let step = step.length(along: axis)
    return step > 0 ? (length / step).rounded(rule) * step : length
  }

  /// Returns this page, enlarged to at least the given size; excess width is clipped later.
  func growing(to size: PixelSize) -> TilePage {
    var page = self
    page.area.size = PixelSize(
      width: max(area.width, size.width), height: max(area.height, size.height))
    return page
  }

  private static func sanitized(_ length: Double) -> Double {
    length.isFinite ? min(max(length, 0), 1e9) : 0
  }
}
