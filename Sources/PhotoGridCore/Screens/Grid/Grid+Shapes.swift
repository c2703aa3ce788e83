/// Adapting the layout to the aspect ratios of photos, which become known one after the other.
extension Grid {
  /// The time during which new aspect ratios are collected, in seconds, so that tiles move only
  /// once.
  private static let reshapeDelay = 0.1

  /// Returns whether to apply newly known aspect ratios now; if not, sets `reshapeDue` to the time
  /// at which to apply them.
  mutating func isReshapeDue(at now: Instant) -> Bool {
    let due = reshapeDue ?? now.advanced(bySeconds: Self.reshapeDelay)
    reshapeDue = due <= now ? nil : due
    return reshapeDue == nil
  }

  /// Adapts the tiles of photos to newly known aspect ratios; the first visible tile keeps its place
  /// on the screen.
  mutating func reshape(_ photos: [Photo.ID], in context: Context) {
    let before = snapshot(in: context)
    let anchor = firstVisibleTile(in: context.viewport)
    let isSelectionVisible = isVisible(selection(in: context.items), in: context.viewport)
    let collection = context.items.collection
    let changes = photos.compactMap { photo in
      collection.index(of: photo).flatMap { index in
        collection.aspectRatio(at: index).map { (index: index, ratio: $0) }
      }
    }
    guard layout.reshape(changes) else { return }
    if style.growsToFit, isComplete, mayFitAll(before.layout, in: context.viewport) {
      layOut(in: context)
    }
    if let anchor { hold(anchor, from: before, in: context.viewport) }
    if isSelectionVisible {
      let offset = scrollOffset(
        showing: selection(in: context.items), from: scroll.target, in: context.viewport)
      scroll.shift(by: offset - scroll.target)
    }
    animate(from: before, in: context)
  }

  /// Returns whether all tiles fit on the screen before or after the change, so that their size may
  /// depend on their shapes.
  private func mayFitAll(_ before: TileLayout, in viewport: Viewport) -> Bool {
    min(before.contentHeight, layout.contentHeight) <= viewport.pictureSize.height
  }

  /// Returns the index of the first tile whose upper edge is visible after scrolling; nil if there
  /// is none.
  private func firstVisibleTile(in viewport: Viewport) -> Int? {
    let view = restingView(in: viewport)
    return layout.indices(in: view).first { layout.frame(at: $0).minY >= view.minY }
  }

  private func isVisible(_ index: Int, in viewport: Viewport) -> Bool {
    index < layout.count && layout.frame(at: index).intersects(restingView(in: viewport))
  }

  /// Scrolls so that a tile keeps its place on the screen, as far as whole text rows allow.
  private mutating func hold(_ index: Int, from before: Snapshot, in viewport: Viewport) {
    let row = viewport.metrics.cell.height
    let moved = layout.frame(at: index).minY - before.layout.frame(at: index).minY
    let wanted = scroll.target + (moved / row).rounded() * row
    // At the top, the first row stays visible.
    let offset = scroll.target <= 0 ? 0 : min(max(wanted, 0), scrollLimit(in: viewport))
    scroll.shift(by: offset - scroll.target)
  }
}
