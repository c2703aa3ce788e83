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
  /// The layout's kind and measurements.
  package internal(set) var style: LayoutStyle
  /// Whether tiles show clipped or whole photos.
  package private(set) var contentMode: ContentMode
  /// The progress from clipped photos (0) to whole ones (1).
  private(set) var fitProgress: Animated<Double>
  /// The frames of the tiles, in content coordinates.
  var layout: TileLayout
  /// The tiles in motion from another layout or order.
  var rearrangement = Rearrangement()
  /// The distance from the top of the content to the top of the picture area, in pixels.
  var scroll = Animated(0.0)
  /// Whether the most recent scrolling went up.
  var lastScrolledUp = false
  /// The selected item; nil if there are no items.
  var selected: ItemID?
  /// The anchor of the selected tile while sections change around it; nil without sections, or
  /// before the first change.
  var anchor: Anchor?
  /// Whether the user has pressed a key or used the mouse; until then, the first photo stays
  /// selected.
  var hasUserInteracted = false
  /// Whether the listing is complete, so that a few tiles can be enlarged to fill the screen.
  var isComplete = false
  /// The time at which the first items arrived; nil while there are none.
  private(set) var filledSince: Instant?
  /// The time at which to apply newly known aspect ratios; nil if there are none.
  var reshapeDue: Instant?
  /// The scrubber at the right edge.
  var scrubber = Scrubber()
  /// The position before the user typed a filter; nil if there is nothing to return to.
  var positionBeforeFilter: Position?

  /// The grid's surroundings at a moment.
  struct Context {
    var items: GridItems
    /// The screen's size and metrics.
    var viewport: Viewport
    /// The amount and speed of motion.
    var motion: MotionSetting
    /// The current time.
    var now: Instant
  }

  /// A selection and scroll offset to return to.
  struct Position: Equatable, Sendable {
    /// The selected item.
    var selected: ItemID?
    /// The scroll offset, in pixels.
    var scroll: Double
  }

  /// A tile that keeps its place on the screen.
  struct Anchor: Equatable, Sendable {
    /// The tile's item.
    var item: ItemID?
    /// The top of the tile before the first change, in pixels of the picture area.
    ///
    /// Scrolling by whole text rows misses it by up to half a row; these errors must not add up.
    var top: Double
    /// The scroll offset that keeps the tile in place.
    var offset: Double
  }

  /// Creates an empty grid.
  ///
  /// - Parameters:
  ///   - style: The layout's kind and measurements.
  ///   - contentMode: Whether tiles show clipped or whole photos.
  ///   - viewport: The screen.
  init(style: LayoutStyle, contentMode: ContentMode, viewport: Viewport) {
    self.style = style
    self.contentMode = contentMode
    fitProgress = Animated(contentMode == .fit || style.kind == .rows ? 1 : 0)
    layout = style.layout(of: GridItems(PhotoCollection()), isComplete: false, in: viewport)
  }

  /// Returns the index of the selected item; 0 if there is none.
  func selection(in items: GridItems) -> Int {
    selected.flatMap { items.index(of: $0) } ?? 0
  }

  /// The selection and the final scroll offset.
  var position: Position { Position(selected: selected, scroll: scroll.target) }

  // MARK: - Time

  /// Whether anything moves.
  func isAnimating(at now: Instant) -> Bool {
    !scroll.isOver(at: now) || !fitProgress.isOver(at: now) || !rearrangement.isOver(at: now)
  }

  /// Ends the motions that have finished.
  mutating func settle(at now: Instant) {
    if scroll.isOver(at: now) { scroll.jump(to: scroll.target) }
    if fitProgress.isOver(at: now) { fitProgress.jump(to: fitProgress.target) }
    rearrangement.settle(at: now)
  }

  // MARK: - Layout

  /// Lays out the items again after some were added.
  ///
  /// - Parameters:
  ///   - isAtEnd: Whether all earlier items kept their indices.
  ///   - context: The current items.
  mutating func append(isAtEnd: Bool, in context: Context) {
    let count = context.items.count
    if isAtEnd, !isComplete, case .rows(var rows) = layout {
      rows.append(count - rows.count) { context.items.aspectRatio(at: $0) }
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

  /// Lays out the items for the current screen and style.
  mutating func layOut(in context: Context) {
    layout = style.layout(
      of: context.items, isComplete: isComplete, in: context.viewport)
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
  ///
  /// - Parameters:
  ///   - position: The user's last position in the folder; if nil or gone, the first photo is
  ///     selected.
  ///   - context: The folder's items.
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
    scrollIntoView(
      selection(in: context.items), from: offset, in: context.viewport)
  }

  /// Switches between clipped and whole photos.
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
