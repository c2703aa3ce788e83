import Geometry

/// Rearranging the grid when items, order or layout change: every tile flies from its old position
/// to its new one.
extension Grid {
  /// The state of the grid before a change.
  struct Snapshot {
    var items: GridItems
    var layout: TileLayout
    var scroll: Double
    /// The top of the selected tile after scrolling, in the picture area.
    var selectedTop: Double
    /// The items whose tiles are visible.
    var seen: [ItemID]
  }

  /// Returns the current state of the grid, from which to move tiles.
  func snapshot(in context: Context) -> Snapshot {
    let selection = selection(in: context.items)
    return Snapshot(
      items: context.items, layout: layout, scroll: scroll.value(at: context.now),
      selectedTop: layout.frame(at: selection).minY - scroll.target,
      seen: visibleIndices(in: context).map { context.items[$0] })
  }

  /// Keeps the selection, or moves it to the replacement of a removed item.
  mutating func followSelection(from old: GridItems, in items: GridItems) {
    // Dates and hashes arrive late and can bring other photos to the front. Until the order is
    // final or the user has acted, the selection stays on the first photo.
    guard items.isOrderFinal || hasUserInteracted else { return selectFirst(of: items) }
    selected = selected.flatMap { items.replacement(for: $0, in: old) } ?? items.first
  }

  /// Moves the tiles to their positions in the current layout and order.
  ///
  /// The selected tile stays at its place on the screen, as far as possible.
  mutating func moveTiles(from before: Snapshot, removed: ItemID? = nil, in context: Context) {
    let hasSameItems = context.items.hasSameItems(as: before.items)
    let hasSameSections = context.items.sections == before.items.sections
    if !hasSameItems || !hasSameSections || !keepsScrolling(in: context) {
      anchorSelection(from: before, in: context)
    }
    animate(from: before, removed: removed, in: context)
  }

  /// Animates the tiles from their old poses to their current ones, without scrolling.
  ///
  /// New tiles fade in, and tiles without an item fade out.
  mutating func animate(from before: Snapshot, removed: ItemID? = nil, in context: Context) {
    guard context.motion != .none, !before.items.isEmpty else {
      rearrangement = Rearrangement()
      return
    }
    let scroll = scroll.value(at: context.now)
    rearrangement.shiftExitingTiles(by: scroll - before.scroll)
    // Compute these before adding exiting tiles: an exiting tile may come back.
    let offsets = offsets(from: before, in: context)
    let gone = before.seen.filter { context.items.index(of: $0) == nil && $0 != removed }
    for item in gone.sorted(by: { ($0.file?.number ?? 0) < ($1.file?.number ?? 0) }) {
      guard let index = before.items.index(of: item) else { continue }
      let pose =
        Self.pose(of: index, in: before.layout, scroll: before.scroll, context)
        + .moved(by: scroll)
      var end = pose.vanished(in: context.motion)
      if context.motion.travels, let tile = context.items.index(ofTileWith: item) {
        // The item was folded into a stack or a pair: it disappears into that tile.
        end = Self.pose(of: tile, in: layout, scroll: scroll, context) + .moved(by: scroll)
        end.opacity = 0
      }
      rearrangement.fade(item, from: pose, to: end, context.motion.rearrangement, at: context.now)
    }
    rearrangement.start(offsets, context.motion.rearrangement, at: context.now) {
      context.items.index(of: $0)
    }
  }

  /// Whether the selected tile is visible without scrolling.
  private func keepsScrolling(in context: Context) -> Bool {
    let selection = selection(in: context.items)
    return !context.items.isEmpty
      && scroll.target <= scrollLimit(in: context.viewport)
      && scrollOffset(showing: selection, from: scroll.target, in: context.viewport)
        == scroll.target
  }

  /// Scrolls so that the selected tile stays at its place on the screen, as far as possible.
  private mutating func anchorSelection(from before: Snapshot, in context: Context) {
    guard !context.items.isEmpty else { return scroll.jump(to: 0) }
    let selection = selection(in: context.items)
    let row = context.viewport.metrics.cell.height
    var top = before.selectedTop
    if layout.sectioned != nil, let anchor, anchor.item == selected, anchor.offset == scroll.target
    {
      top = anchor.top
    }
    let wanted = ((layout.frame(at: selection).minY - top) / row).rounded() * row
    let limit = scrollLimit(in: context.viewport)
    let offset = scrollOffset(
      showing: selection, from: min(max(wanted, 0), limit), in: context.viewport)
    scroll.shift(by: offset - scroll.target)
    anchor = layout.sectioned == nil ? nil : Anchor(item: selected, top: top, offset: offset)
  }

  /// Returns the offset of each tile visible before or after the change, from its new pose back to
  /// its old one.
  private func offsets(from before: Snapshot, in context: Context) -> [ItemID: Pose] {
    let scroll = scroll.value(at: context.now)
    let exitingTiles = rearrangement.exitingTiles(at: context.now)
    var indices = arrivingIndices(in: context)
    for item in before.seen { context.items.index(of: item).map { _ = indices.insert($0) } }
    var offsets: [ItemID: Pose] = [:]
    for index in indices {
      let item = context.items[index]
      let new = Self.pose(of: index, in: layout, scroll: scroll, context)
      if let oldIndex = before.items.index(of: item) {
        let old = Self.pose(of: oldIndex, in: before.layout, scroll: before.scroll, context)
        let offset = old - new
        if offset != .zero { offsets[item] = context.motion.travels ? offset : .unseen }
      } else if let exitingTile = exitingTiles.last(where: { $0.item == item }) {
        offsets[item] = exitingTile.pose + .moved(by: -scroll) - new
      } else if context.motion.travels,
        let tile = context.items.origin(of: item, in: before.items)
      {
        // The item was hidden in a stack or a pair: it emerges from that tile.
        let old = Self.pose(of: tile, in: before.layout, scroll: before.scroll, context)
        offsets[item] = old - new + .unseen
      } else {
        offsets[item] = new.vanished(in: context.motion) - new
      }
    }
    return offsets
  }

  /// Returns the indices of the tiles whose layout position is visible now or after scrolling.
  private func arrivingIndices(in context: Context) -> Set<Int> {
    let area = context.viewport.pictureArea
    return [scroll.value(at: context.now), scroll.target].reduce(into: Set()) { all, offset in
      all.formUnion(layout.indices(in: area.offset(x: 0, y: offset)))
    }
  }
}

extension Pose {
  /// The scale from which new tiles grow, and to which removed ones shrink.
  private static let smallTile = 0.8

  /// Returns the pose from which a new tile appears, or to which a removed one disappears.
  func vanished(in motion: MotionSetting) -> Pose {
    vanished(to: motion.travels ? Self.smallTile : 1)
  }
}
