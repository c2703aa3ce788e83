import Geometry

extension Grid {
  func scrollLimit(in viewport: Viewport) -> Double {
    let row = viewport.metrics.cell.height
    let overflow = layout.contentHeight - viewport.pictureSize.height
    return max((overflow / row).rounded(.up) * row, 0)
  }

  /// Returns the offset nearest to the given one at which a tile and a part of the next row are
  /// visible.
  ///
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
    // Of a tile higher than the screen, show the top.
    return min(max(min(max(offset, highest), lowest), 0), scrollLimit(in: viewport))
  }

  /// Returns the largest offset at which a tile is fully visible below the heading at the top of
  /// the screen, with a part of the row before it; in a section's first row, with its own heading
  /// instead.
  private func highestTop(of frame: PixelRect, peek: Double) -> Double {
    let top = frame.minY - layout.headingHeight - peek
    guard let heading = layout.sectioned?.heading(above: frame.minY) else { return top }
    return frame.minY - heading.maxY < layout.scrollStep ? max(top, heading.minY) : top
  }

  /// Jumps to the offset nearest to the given one at which a tile is visible.
  ///
  /// A nil offset means the current one.
  mutating func scrollIntoView(_ index: Int, from offset: Double? = nil, in viewport: Viewport) {
    scroll.jump(to: scrollOffset(showing: index, from: offset ?? scroll.target, in: viewport))
  }

  /// The longest distance over which scrolling is eased, in screens; a longer one would be too fast
  /// to see.
  private static let maxEasedDistance = 4.0

  mutating func scroll(to offset: Double, in context: Context) {
    if offset != scroll.target { lastScrolledUp = offset < scroll.target }
    let isNear =
      abs(offset - scroll.target) <= Self.maxEasedDistance * context.viewport.pictureSize.height
    if context.motion.travels, isNear {
      scroll.retarget(to: offset, context.motion.scroll, at: context.now)
    } else {
      scroll.jump(to: offset)
    }
  }

  /// Restarts scrolling from the nearest offset at which a tile, or a share of its height, is visible,
  /// unless it is visible all the way.
  mutating func keepInSight(_ index: Int, share: Double = 1, in context: Context) {
    let frame = layout.frame(at: index)
    let hidden = frame.height * (1 - share)
    let lowest = frame.maxY - hidden - context.viewport.pictureSize.height
    let highest = frame.minY + hidden - layout.headingHeight
    let course = scroll.course(from: context.now)
    // A tile that is higher than the screen is never visible as a whole.
    guard lowest <= highest, course.lowerBound < lowest || course.upperBound > highest else {
      return
    }
    let start = min(max(scroll.value(at: context.now), lowest), highest)
    scroll = Animated(from: start, to: scroll.target, context.motion.scroll, at: context.now)
  }

  /// Scrolls by rows of tiles; the selection moves only as far as needed to stay visible.
  mutating func scrollRows(_ rows: Int, in context: Context) {
    guard !context.items.isEmpty else { return }
    let row = context.viewport.metrics.cell.height
    let step = layout.scrollStep
    // Go from whole rows of tiles to whole rows, so that scrolling back returns to the same offset.
    let present = (scroll.target / step).rounded()
    let wanted = ((present + Double(rows)) * step / row).rounded() * row
    let offset = min(max(wanted, 0), scrollLimit(in: context.viewport))
    keepSelection(inSightAt: offset, in: context)
    scroll(to: offset, in: context)
  }

  /// Jumps to an offset, rounded down to a text row, or to the end if the offset is past it.
  ///
  /// The selection moves only as far as needed to stay visible.
  mutating func jump(to offset: Double, in context: Context) {
    guard !context.items.isEmpty else { return }
    let row = context.viewport.metrics.cell.height
    let limit = scrollLimit(in: context.viewport)
    let offset = offset < limit ? max((offset / row).rounded(.down) * row, 0) : limit
    keepSelection(inSightAt: offset, in: context)
    if offset != scroll.target { lastScrolledUp = offset < scroll.target }
    scroll.jump(to: offset)
  }

  /// Returns the offset at which a tile is at the top of the screen, under its section's heading.
  func offset(showingAtTop index: Int) -> Double {
    let top = layout.frame(at: index).minY - layout.headingHeight
    guard let heading = layout.sectioned?.heading(above: top + layout.headingHeight) else {
      return top
    }
    // In the first row of a section its own heading is right above it.
    return top - heading.minY < layout.maxGap ? heading.minY : top
  }

  private mutating func keepSelection(inSightAt offset: Double, in context: Context) {
    let selection = selection(in: context.items)
    if scrollOffset(showing: selection, from: offset, in: context.viewport, peek: 0) != offset {
      let nearest = nearestVisible(to: selection, at: offset, in: context.viewport)
      selected = context.items[nearest]
    }
  }

  /// Returns the index of the tile nearest to another one among those visible at an offset.
  ///
  /// Tiles that are entirely visible are preferred.
  private func nearestVisible(to index: Int, at offset: Double, in viewport: Viewport) -> Int {
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
