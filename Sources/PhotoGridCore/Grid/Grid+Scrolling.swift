/// Scrolling, by whole text rows, so that labels and half blocks rest on cells.
extension Grid {
  /// The largest offset.
  func scrollLimit(in viewport: Viewport) -> Double {
    let row = viewport.metrics.cell.height
    let overflow = layout.contentHeight - viewport.pictureSize.height
    return max((overflow / row).rounded(.up) * row, 0)
  }

  /// The offset nearest to another one at which a tile is in sight, and a part of the next row.
  ///
  /// - Parameters:
  ///   - index: The tile.
  ///   - offset: The other offset, in pixels.
  ///   - viewport: The screen.
  ///   - peek: How much of the next row, in pixels; nil is a quarter of it.
  /// - Returns: The offset, in pixels.
  func scrollOffset(
    showing index: Int, from offset: Double, in viewport: Viewport, peek: Double? = nil
  ) -> Double {
    let peek = peek ?? layout.scrollStep / 4
    let row = viewport.metrics.cell.height
    let frame = layout.frame(at: index)
    let bottom = layout.labelFrame(at: index)?.maxY ?? frame.maxY
    let highest = ((bottom + peek - viewport.pictureSize.height) / row).rounded(.up) * row
    let lowest = (highestTop(of: frame, peek: peek) / row).rounded(.down) * row
    // Of a tile that is higher than the screen the top is in sight.
    return min(max(min(max(offset, highest), lowest), 0), scrollLimit(in: viewport))
  }

  /// The highest offset at which all of a tile is below the heading of its section at the top of the
  /// screen, and a part of the row before it; of the first row of a section the heading is enough.
  private func highestTop(of frame: PixelRect, peek: Double) -> Double {
    let top = frame.minY - layout.headingHeight - peek
    guard let sectioned = layout.sectioned, sectioned.sectionCount > 0 else { return top }
    let heading = sectioned.heading(ofSection: sectioned.section(at: frame.minY))
    return frame.minY - heading.maxY < layout.scrollStep ? max(top, heading.minY) : top
  }

  /// Jumps to the offset nearest to another one, the current one where it is nil, at which a tile is
  /// in sight.
  mutating func scrollIntoSight(
    _ index: Int, from offset: Double? = nil, in viewport: Viewport
  ) {
    scroll.jump(to: scrollOffset(showing: index, from: offset ?? scroll.target, in: viewport))
  }

  /// The longest way that scrolling is eased over, in screens; nothing could be seen of a longer one.
  private static let longestEasedWay = 4.0

  /// Scrolls to an offset, eased if it is near; a new target takes over from the old one.
  mutating func scroll(to offset: Double, in context: Context) {
    if offset != scroll.target { scrollsUp = offset < scroll.target }
    let isNear =
      abs(offset - scroll.target) <= Self.longestEasedWay * context.viewport.pictureSize.height
    if context.motion.travels, isNear {
      scroll.retarget(to: offset, context.motion.scroll, at: context.now)
    } else {
      scroll.jump(to: offset)
    }
  }

  /// Scrolls by rows of tiles; the selection moves only as far as it must to stay in sight.
  mutating func scrollRows(_ rows: Int, in context: Context) {
    guard !context.collection.items.isEmpty else { return }
    let row = context.viewport.metrics.cell.height
    let step = layout.scrollStep
    // From whole rows of tiles to whole rows, so that there and back is the same place.
    let present = (scroll.target / step).rounded()
    let wanted = ((present + Double(rows)) * step / row).rounded() * row
    let offset = min(max(wanted, 0), scrollLimit(in: context.viewport))
    keepSelection(inSightAt: offset, in: context)
    scroll(to: offset, in: context)
  }

  /// Jumps to an offset, or to the end; the selection moves only as far as it must to stay in sight.
  mutating func jump(to offset: Double, in context: Context) {
    guard !context.collection.items.isEmpty else { return }
    let row = context.viewport.metrics.cell.height
    let limit = scrollLimit(in: context.viewport)
    let offset = offset < limit ? max((offset / row).rounded(.down) * row, 0) : limit
    keepSelection(inSightAt: offset, in: context)
    if offset != scroll.target { scrollsUp = offset < scroll.target }
    scroll.jump(to: offset)
  }

  /// The offset at which a tile is at the top, under the heading of its section.
  func offset(showingAtTop index: Int) -> Double {
    let top = layout.frame(at: index).minY - layout.headingHeight
    guard let sectioned = layout.sectioned, sectioned.sectionCount > 0 else { return top }
    let heading = sectioned.heading(ofSection: sectioned.section(at: top + layout.headingHeight))
    // In the first row of a section its own heading is right above it.
    return top - heading.minY < layout.largestGap ? heading.minY : top
  }

  private mutating func keepSelection(inSightAt offset: Double, in context: Context) {
    let selection = selection(in: context.collection)
    if scrollOffset(showing: selection, from: offset, in: context.viewport, peek: 0) != offset {
      let nearest = nearestInSight(to: selection, at: offset, in: context.viewport)
      selected = context.collection.items[nearest]
    }
  }

  /// The index of the tile nearest to another one among those in sight at an offset, whole if any is.
  private func nearestInSight(to index: Int, at offset: Double, in viewport: Viewport) -> Int {
    let view = PixelRect(origin: PixelPoint(x: 0, y: offset), size: viewport.pictureSize)
    let seen = layout.indices(in: view).filter { layout.frame(at: $0).intersects(view) }
    let whole = seen.filter {
      let frame = layout.frame(at: $0)
      return frame.minY >= view.minY + layout.headingHeight && frame.maxY <= view.maxY
    }
    let center = layout.frame(at: index).center
    return nearest(to: center, among: whole.isEmpty ? seen : whole) ?? index
  }
}
