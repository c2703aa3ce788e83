/// A way from a tile to the next one.
package enum Direction: CaseIterable, Equatable, Sendable {
  case left, right, up, down

  /// The axis of the way.
  var axis: Axis {
    switch self {
    case .left, .right: .horizontal
    case .up, .down: .vertical
    }
  }
}

extension TileLayout {
  /// The nearest photo whose tile lies wholly in a direction; nil at the edge.
  ///
  /// Tiles straight in that direction come first, the nearest edge before others, then the middle
  /// that is least off the line, then the lowest index. Where none is straight above or below, as
  /// under the last full row of a grid, the nearest of the others does; to the left and right,
  /// there it ends.
  package func neighbor(of index: Int, in direction: Direction) -> Int? {
    if case .sections(let layout) = self { return layout.neighbor(of: index, in: direction) }
    guard (0..<count).contains(index) else { return nil }
    let frame = frame(at: index)
    return Self.nearest(
      to: frame, among: indices(in: surroundings(of: frame, in: direction)), in: direction,
      frame: self.frame(at:))
  }

  /// The tile nearest to a frame of some tiles; nil where none lies wholly in the direction.
  static func nearest(
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

  /// A rectangle that the neighbour's tile meets if there is one.
  ///
  /// No layout leaves more than a step of scrolling free between tiles above each other.
  private func surroundings(of frame: PixelRect, in direction: Direction) -> PixelRect {
    // Content has no width of its own where a grid overflows.
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

/// How far a tile lies from another one, for the choice of the nearest.
private struct Remoteness: Comparable {
  /// Whether no straight line in the direction leads to it.
  private let isAside: Bool
  /// From edge to edge.
  private let gap: Double
  /// From middle to middle, across the direction.
  private let offset: Double

  /// Rounding errors of edges that touch, in pixels; they must not decide what is nearer.
  private static let tolerance = 0.01

  /// Nil if the tile does not lie in that direction.
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
    isAside = beside >= -Self.tolerance
    guard ahead >= -Self.tolerance, !isAside || direction.axis == .vertical else { return nil }
    let distance = PixelPoint(x: max(ahead, 0), y: max(beside, 0)).distance(to: .zero)
    gap = (distance / Self.tolerance).rounded()
    self.offset = (offset / Self.tolerance).rounded()
  }

  static func < (left: Remoteness, right: Remoteness) -> Bool {
    if left.isAside != right.isAside { return right.isAside }
    return (left.gap, left.offset) < (right.gap, right.offset)
  }
}
