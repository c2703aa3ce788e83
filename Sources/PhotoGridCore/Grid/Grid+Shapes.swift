/// Shapes of photos that become known while rows are shown.
extension Grid {
  /// How long shapes are gathered before tiles move, in seconds, so that they move once.
  private static let reshapeDelay = 0.1

  /// Whether shapes that became known are to change the rows now; if they do later, `reshapeDue` is
  /// set.
  mutating func isReshapeDue(at now: Instant) -> Bool {
    let due = reshapeDue ?? now.advanced(bySeconds: Self.reshapeDelay)
    reshapeDue = due <= now ? nil : due
    return reshapeDue == nil
  }

  /// Gives items the tiles that their shapes ask for; those at the top of the screen keep their place.
  ///
  /// - Parameters:
  ///   - items: The items whose shapes have changed.
  ///   - context: The items now.
  mutating func reshape(_ items: [Photo.ID], in context: Context) {
    let before = snapshot(in: context)
    let anchor = firstVisibleTile(in: context.viewport)
    let collection = context.collection
    let isSelectionVisible = isVisible(selection(in: collection), in: context.viewport)
    let changes = items.compactMap { item in
      collection.index(of: item).flatMap { index in
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
        showing: selection(in: collection), from: scroll.target, in: context.viewport)
      scroll.shift(by: offset - scroll.target)
    }
    animate(from: before, in: context)
  }

  /// Whether there may be room for all tiles, so that their size depends on their shapes.
  private func mayFitAll(_ before: TileLayout, in viewport: Viewport) -> Bool {
    min(before.contentHeight, layout.contentHeight) <= viewport.pictureSize.height
  }

  /// The index of the first tile of which the upper edge is in sight, once the scrolling is over.
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
    // At the top the first row stays in sight.
    let offset = scroll.target <= 0 ? 0 : min(max(wanted, 0), scrollLimit(in: viewport))
    scroll.shift(by: offset - scroll.target)
  }
}
