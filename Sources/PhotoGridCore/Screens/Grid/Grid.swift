import Geometry
import Photos

/// The grid: the layout of the tiles, the scroll offset, the selection, and the motion of tiles to
/// new positions.
///
/// It does not own the items: a `Context` supplies them. Frames are in pixels; layout frames are
/// relative to the top of the scrollable content, poses to the top of the picture area:
///
/// ```
/// content      0 ┌─────────────┐
///                │ tiles above │
/// scroll offset  ├─────────────┤ 0       picture area
///                │   visible   │
///                ├─────────────┤ height
///                │ tiles below │
///                └─────────────┘
/// ```
package struct Grid: Equatable, Sendable {
  package internal(set) var style: LayoutStyle
  /// Whether tiles show clipped or whole photos.
  package private(set) var contentMode: ContentMode
  /// The progress from clipped photos (0) to whole ones (1).
  private(set) var fitProgress: Animated<Double>
  var layout: TileLayout
  /// The tiles in motion from another layout or order.
  var rearrangement = Rearrangement()
  /// The distance from the top of the content to the top of the picture area, in pixels.
  var scroll = Animated(0.0)
  /// Whether the most recent scrolling went up.
  var lastScrolledUp = false
  var selected: ItemID?
  /// The anchor of the selected tile while sections change around it; nil without sections, or
  /// before the first change.
  var anchor: Anchor?
  /// Whether the user has pressed a key or used the mouse; until then, the first photo stays
  /// selected.
  package internal(set) var hasUserInteracted = false
  /// Whether the listing is complete, so that a few tiles can be enlarged to fill the screen.
  var isComplete = false
  /// The time at which the first items arrived; nil while there are none.
  private(set) var filledSince: Instant?
  /// The time at which to apply newly known aspect ratios; nil if there are none.
  var reshapeDue: Instant?
  var scrubber = Scrubber()
  /// The position before the user typed a filter; nil if there is nothing to return to.
  var positionBeforeFilter: Position?

  /// The grid's surroundings at a moment.
  struct Context {
    var items: GridItems
    var viewport: Viewport
    var motion: MotionSetting
    var now: Instant
  }

  /// A selection and scroll offset to return to.
  struct Position: Equatable, Sendable {
    var selected: ItemID?
    var scroll: Double
  }

  /// A tile that keeps its place on the screen.
  struct Anchor: Equatable, Sendable {
    var item: ItemID?
    /// The top of the tile before the first change, in pixels of the picture area.
    ///
    /// Scrolling by whole text rows misses it by up to half a row; these errors must not add up.
    var top: Double
    /// The scroll offset that keeps the tile in place.
    var offset: Double
  }

  init(style: LayoutStyle, contentMode: ContentMode, viewport: Viewport) {
    self.style = style
    self.contentMode = contentMode
    fitProgress = Animated(contentMode == .fit || style.kind == .rows ? 1 : 0)
    layout = style.layout(of: GridItems(PhotoCollection()), isComplete: false, in: viewport)
  }

  func selection(in items: GridItems) -> Int { selected.flatMap { items.index(of: $0) } ?? 0 }

  /// The selection and the final scroll offset.
  var position: Position { Position(selected: selected, scroll: scroll.target) }

  // MARK: - Time

  func isAnimating(at now: Instant) -> Bool {
    !scroll.isOver(at: now) || !fitProgress.isOver(at: now) || !rearrangement.isOver(at: now)
  }

  mutating func settle(at now: Instant) {
    if scroll.isOver(at: now) { scroll.jump(to: scroll.target) }
    if fitProgress.isOver(at: now) { fitProgress.jump(to: fitProgress.target) }
    rearrangement.settle(at: now)
  }

  // MARK: - Layout

  /// Lays out the items again after some were added.
  mutating func extend(isAtEnd: Bool, in context: Context) {
    let count = context.items.count
    if isAtEnd, !isComplete, case .rows(var rows) = layout {
      rows.extend(by: count - rows.count) { context.items.aspectRatio(at: $0) }
      layout = .rows(rows)
    } else {
      layOut(in: context)
    }
    if filledSince == nil, count > 0 { filledSince = context.now }
    if !hasUserInteracted {
      selectFirst(of: context.items)
    } else if selected == nil {
      selected = context.items.first
    }
    // More photos can take less space: the last segments of a mosaic depend on their number.
    let limit = scrollLimit(in: context.viewport)
    if scroll.target > limit { scroll.jump(to: limit) }
  }

  /// Selects the first photo, or the first folder if there are only folders.
  mutating func selectFirst(of items: GridItems) { selected = items.firstPhoto }

  mutating func layOut(in context: Context) {
    layout = style.layout(of: context.items, isComplete: isComplete, in: context.viewport)
  }

  /// The longest time between the first and the last items, in seconds, for which tiles get their
  /// final size without motion: too short for the user to have seen the first size.
  private static let unseenSeconds = 0.1

  /// Records that the listing is complete, and enlarges the tiles if that leaves room for all.
  mutating func complete(in context: Context) {
    guard !isComplete else { return }
    isComplete = true
    let before = snapshot(in: context)
    layOut(in: context)
    guard layout != before.layout else { return }
    let age = filledSince.map { context.now.seconds(since: $0) } ?? 0
    if age > Self.unseenSeconds {
      moveTiles(from: before, in: context)
    } else {
      scrollIntoView(selection(in: context.items), in: context.viewport)
    }
  }

  /// Lays out the items for another screen, without animation; the selected tile stays visible.
  mutating func resize(in context: Context) {
    layOut(in: context)
    rearrangement = Rearrangement()
    scrollIntoView(selection(in: context.items), in: context.viewport)
  }

  /// Resets the grid for another folder.
  mutating func reset(to position: Position?, in context: Context) {
    (rearrangement, positionBeforeFilter) = (Rearrangement(), nil)
    (scroll, hasUserInteracted) = (Animated(0), false)
    // If there are items already, they are the complete listing of an earlier visit.
    isComplete = !context.items.isEmpty
    filledSince = isComplete ? context.now : nil
    layOut(in: context)
    selectFirst(of: context.items)
    if let selected = position?.selected, context.items.index(of: selected) != nil {
      (self.selected, hasUserInteracted) = (selected, true)
    }
    guard !context.items.isEmpty else { return }
    let offset = min(max(position?.scroll ?? 0, 0), scrollLimit(in: context.viewport))
    scrollIntoView(selection(in: context.items), from: offset, in: context.viewport)
  }

  mutating func toggleContentMode(in context: Context) {
    contentMode = contentMode == .fill ? .fit : .fill
    updateFitProgress(in: context)
  }

  /// Starts the transition to clipped or whole photos, as `contentMode` says; in rows, photos are
  /// always whole.
  mutating func updateFitProgress(in context: Context) {
    let target = contentMode == .fit || style.kind == .rows ? 1.0 : 0
    if context.motion.travels {
      fitProgress.retarget(to: target, context.motion.rearrangement, at: context.now)
    } else {
      fitProgress.jump(to: target)
    }
  }
}

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
  mutating func updateAspectRatios(_ photos: [Photo.ID], in context: Context) {
    let before = snapshot(in: context)
    let anchor = firstVisibleTile(in: context.viewport)
    let isSelectionVisible = isVisible(selection(in: context.items), in: context.viewport)
    let collection = context.items.collection
    let changes = photos.compactMap { photo in
      collection.index(of: photo).flatMap { index in
        collection.aspectRatio(at: index).map { (index: index, ratio: $0) }
      }
    }
    guard layout.updateAspectRatios(changes) else { return }
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

extension Grid {
  /// Selects the tile at an index, clamped to the existing ones, and scrolls it into view.
  ///
  /// While the grid still scrolls, as with a held key, the tile is visible at once, so that
  /// the selection does not run off the screen.
  mutating func select(_ index: Int, in context: Context) {
    let items = context.items
    guard !items.isEmpty else { return }
    let index = min(max(index, 0), items.count - 1)
    selected = items[index]
    let isScrolling = !scroll.isOver(at: context.now)
    scroll(to: scrollOffset(showing: index, from: scroll.target, in: context.viewport), in: context)
    if isScrolling { keepInSight(index, in: context) }
  }

  /// Moves the selection a number of times in a direction, as far as possible.
  ///
  /// Past the end of a row comes the next or previous item; below the last row, the last item.
  mutating func move(_ direction: Direction, _ count: Int, in context: Context) {
    guard !context.items.isEmpty else { return }
    var index = selection(in: context.items)
    for _ in 0..<count {
      guard
        let next = layout.neighbor(of: index, in: direction)
          ?? successor(of: index, direction, count: context.items.count)
      else { break }
      index = next
    }
    select(index, in: context)
    keepInSight(index, share: Self.firstSight, in: context)
  }

  /// The share of a tile's height that is visible at once when the selection moves to it.
  private static let firstSight = 0.25

  /// Returns the index that follows a tile without a neighbor in the given direction; nil at the
  /// end.
  private func successor(of index: Int, _ direction: Direction, count: Int) -> Int? {
    switch direction {
    case .left: index > 0 ? index - 1 : nil
    case .right: index < count - 1 ? index + 1 : nil
    case .down: index < count - 1 ? count - 1 : nil
    case .up: nil
    }
  }

  /// Moves the selection by pages, or fractions of a page, to the nearest item; past the first or
  /// last row, to an item in that row.
  ///
  /// A page is the number of whole rows of tiles that the screen shows.
  mutating func movePages(_ pages: Double, in context: Context) {
    let count = context.items.count
    guard count > 0 else { return }
    let selection = selection(in: context.items)
    let step = layout.scrollStep
    let height = context.viewport.pictureSize.height
    let rows = max((height / step).rounded(.down) * abs(pages), 1)
    let distance = rows.rounded(.down) * step * (pages < 0 ? -1 : 1)
    let from = layout.frame(at: selection).center
    let highest = layout.frame(at: 0).minY
    let lowest = max(layout.frame(at: count - 1).maxY - step / 2, highest)
    let aim = PixelPoint(x: from.x, y: min(max(from.y + distance, highest), lowest))
    let reach = layout.maxGap
    let band = PixelRect(x: 0, y: aim.y - reach, width: 1, height: 2 * reach)
    select(nearest(to: aim, among: layout.indices(in: band)) ?? selection, in: context)
  }

  /// Returns the index of the tile whose center is nearest to a point in content coordinates; nil
  /// if `indices` is empty.
  func nearest(to aim: PixelPoint, among indices: some Sequence<Int>) -> Int? {
    indices.min {
      layout.frame(at: $0).center.distance(to: aim)
        < layout.frame(at: $1).center.distance(to: aim)
    }
  }
}

/// Changing the layout and the size of tiles.
extension Grid {
  /// Changes the layout style and moves the tiles to their new positions.
  @discardableResult
  mutating func restyle(in context: Context, _ change: (inout LayoutStyle) -> Void) -> Bool {
    let before = snapshot(in: context)
    change(&style)
    layOut(in: context)
    updateFitProgress(in: context)
    guard layout != before.layout else { return false }
    moveTiles(from: before, in: context)
    return true
  }

  mutating func changeLayout(by step: Int, in context: Context) {
    let kinds = LayoutStyle.Kind.allCases
    let present = kinds.firstIndex(of: style.kind) ?? 0
    let next = ((present + step) % kinds.count + kinds.count) % kinds.count
    restyle(in: context) { $0.kind = kinds[next] }
  }

  /// Enlarges the tiles, or shrinks them if `steps` is negative; each step is the smallest change
  /// that is visible.
  ///
  /// - Returns: The limit that prevented the last step; nil if all steps were taken.
  mutating func enlarge(by steps: Int, in context: Context) -> SizeLimit? {
    let columns = style.columns(for: context.items, isComplete: isComplete, in: context.viewport)
    let direction = steps > 0 ? 1 : -1
    for _ in 0..<min(abs(steps), LayoutStyle.enlargements.count) {
      var isOther = false
      while !isOther {
        let next = style.enlargement + direction
        guard LayoutStyle.enlargements.contains(next) else {
          return direction < 0 ? .smallest : .largest
        }
        guard direction < 0 || fitsTiles(columns, enlargement: next, in: context) else {
          return .fillsScreen
        }
        isOther = restyle(in: context) {
          ($0.enlargedColumns, $0.enlargement) = (columns, next)
        }
      }
    }
    return nil
  }

  /// The reason why tiles cannot be made larger or smaller.
  enum SizeLimit: Equatable {
    /// A larger tile would not fit on the screen.
    case fillsScreen
    /// The tiles have the smallest or largest size of `LayoutStyle.enlargements`.
    case smallest, largest
  }

  mutating func resetTiles(in context: Context) {
    restyle(in: context) { ($0.enlargedColumns, $0.enlargement) = (nil, 0) }
  }

  /// Returns whether each of the first tiles would fit on the screen at an enlargement, or would
  /// keep its current size.
  private func fitsTiles(_ columns: GridColumns, enlargement: Int, in context: Context) -> Bool {
    var style = style
    (style.enlargedColumns, style.enlargement) = (columns, enlargement)
    let count = context.items.count
    let area = context.viewport.pictureSize
    let larger = style.layout(of: context.items, isComplete: isComplete, in: context.viewport)
    return (0..<min(count, Self.fittingTiles)).allSatisfy { index in
      let size = larger.frame(at: index).size
      return size.width <= area.width && size.height <= area.height
        || size == layout.frame(at: index).size
    }
  }

  /// The number of tiles to check: more than any built-in pattern has.
  private static let fittingTiles = 24
}
