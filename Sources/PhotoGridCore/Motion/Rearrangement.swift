/// Tiles on their way from one layout to another.
///
/// As with `Animated`, each change adds a leg, for every tile the offset from its new frame to its
/// old one, which shrinks to nothing; so a second change in the middle of the first takes over from
/// where the tiles are.
package struct Rearrangement: Equatable, Sendable {
  /// A layout and how far it is scrolled, in pixels.
  package struct Arrangement: Equatable, Sendable {
    package var layout: TileLayout
    package var scroll: Double

    /// A layout scrolled by a distance.
    package init(layout: TileLayout, scroll: Double) {
      self.layout = layout
      self.scroll = scroll
    }

    /// A tile's frame in the picture area.
    func frame(at index: Int) -> PixelRect {
      layout.frame(at: index).offset(x: 0, y: -scroll)
    }
  }

  private struct Leg: Equatable, Sendable {
    var from: Arrangement
    var to: Arrangement
    var timing: Timing
    var start: Instant
  }

  private var legs: [Leg] = []

  /// Tiles at rest.
  package init() {}

  /// Sends all tiles from one arrangement to another.
  package mutating func add(
    from: Arrangement, to: Arrangement, _ timing: Timing, at now: Instant
  ) {
    settle(at: now)
    legs.append(Leg(from: from, to: to, timing: timing, start: now))
  }

  /// Drops what has arrived.
  package mutating func settle(at now: Instant) {
    legs.removeAll { $0.timing.isOver(after: now.seconds(since: $0.start)) }
  }

  /// Whether every tile is in its place.
  package func isOver(at now: Instant) -> Bool {
    legs.allSatisfy { $0.timing.isOver(after: now.seconds(since: $0.start)) }
  }

  /// Where a tile is at a moment whose place is `frame`.
  package func frame(at index: Int, from frame: PixelRect, at now: Instant) -> PixelRect {
    legs.reduce(frame) { frame, leg in
      let share = leg.timing.remaining(after: now.seconds(since: leg.start))
      let old = leg.from.frame(at: index)
      let new = leg.to.frame(at: index)
      return PixelRect(
        x: frame.minX + (old.minX - new.minX) * share,
        y: frame.minY + (old.minY - new.minY) * share,
        width: max(frame.width + (old.width - new.width) * share, 1),
        height: max(frame.height + (old.height - new.height) * share, 1))
    }
  }

  /// The tiles that were seen in an area before they set out.
  package func departed(from area: PixelRect) -> [Range<Int>] {
    legs.map { $0.from.layout.indices(in: area.offset(x: 0, y: $0.from.scroll)) }
  }
}
