/// The grid: where each item's tile is, how far it is scrolled, which item is selected, and how tiles
/// move to new places.
///
/// It does not own the items: a `Context` says which there are. Frames are in pixels, those of the
/// layout from the top of all that can be scrolled to, those of poses from the top of the picture
/// area.
package struct Grid: Equatable, Sendable {
  /// The kind of the layout, and its measures.
  package internal(set) var style: LayoutStyle
  /// Whether tiles are clipped photos or hold whole ones.
  package private(set) var contentMode: ContentMode
  /// The progress from clipped photos, 0, to whole ones, 1.
  private(set) var fitProgress: Animated<Double>
  /// The frames of the tiles.
  var layout: TileLayout
  /// The tiles on their way from another layout or order.
  var rearrangement = Rearrangement()
  /// From the top of the content to the top of the picture area, in pixels.
  var scroll = Animated(0.0)
  /// Whether it was scrolled up the last time.
  var scrollsUp = false
  /// The selected item; nil where there are no items.
  var selected: Photo.ID?
  /// Where the selected tile is held while sections come and go around it; nil before any did.
  var held: Held?
  /// Whether the user has pressed a key or used the mouse; before that, whichever photo comes first is
  /// selected.
  var hasUserInteracted = false
  /// Where the user was before a filter was typed; nil where there is nothing to return to.
  var positionBeforeFilter: Position?

  /// What surrounds the grid at a moment.
  struct Context {
    /// The items that have tiles.
    var collection: PhotoCollection
    /// The screen.
    var viewport: Viewport
    /// How much moves, and how fast.
    var motion: MotionSetting
    /// The moment.
    var now: Instant
  }

  /// The selection and the scroll offset, to return to.
  struct Position: Equatable, Sendable {
    /// The selected item.
    var selected: Photo.ID?
    /// The scroll offset, in pixels.
    var scroll: Double
  }

  /// A tile that keeps its place on the screen.
  struct Held: Equatable, Sendable {
    /// Its item.
    var item: Photo.ID?
    /// The top that it had first, in the picture area: scrolling by whole rows leaves it half a row
    /// beside, and one change must not add to the next.
    var top: Double
    /// The scroll offset by which it is held.
    var offset: Double
  }

  /// An empty grid.
  ///
  /// - Parameters:
  ///   - style: The kind of the layout, and its measures.
  ///   - contentMode: Whether tiles are clipped photos or hold whole ones.
  ///   - viewport: The screen.
  init(style: LayoutStyle, contentMode: ContentMode, viewport: Viewport) {
    self.style = style
    self.contentMode = contentMode
    fitProgress = Animated(contentMode == .fit ? 1 : 0)
    layout = style.layout(of: 0, in: viewport)
  }

  /// The index of the selected item; 0 where there is none.
  func selection(in collection: PhotoCollection) -> Int {
    selected.flatMap { collection.index(of: $0) } ?? 0
  }

  /// The selection and the scroll offset, once it rests.
  var position: Position { Position(selected: selected, scroll: scroll.target) }

  // MARK: - Time

  /// Whether anything moves.
  func isAnimating(at now: Instant) -> Bool {
    !scroll.isOver(at: now) || !fitProgress.isOver(at: now) || !rearrangement.isOver(at: now)
  }

  /// Ends the motions that have arrived.
  mutating func settle(at now: Instant) {
    if scroll.isOver(at: now) { scroll.jump(to: scroll.target) }
    if fitProgress.isOver(at: now) { fitProgress.jump(to: fitProgress.target) }
    rearrangement.settle(at: now)
  }

  // MARK: - Layout

  /// Lays out the items again after some were added.
  mutating func append(in context: Context) {
    layOut(in: context)
    if !hasUserInteracted {
      selectFirst(of: context.collection)
    } else if selected == nil {
      selected = context.collection.items.first
    }
    // More photos can take less room: the last segments of a mosaic depend on their number.
    let limit = scrollLimit(in: context.viewport)
    if scroll.target > limit { scroll.jump(to: limit) }
  }

  /// Selects the first photo, or the first folder where there are folders alone.
  mutating func selectFirst(of collection: PhotoCollection) {
    selected = collection.items.isEmpty ? nil : collection.items[collection.firstIndex]
  }

  /// Lays out the items for the screen and the style.
  mutating func layOut(in context: Context) {
    layout = style.layout(of: context.collection, in: context.viewport)
  }

  /// Lays out the items for another screen at once; the selected tile stays in sight.
  mutating func resize(in context: Context) {
    layOut(in: context)
    rearrangement = Rearrangement()
    scrollIntoSight(selection(in: context.collection), in: context.viewport)
  }

  /// Starts in another folder.
  ///
  /// - Parameters:
  ///   - position: Where the user was in it; the first photo is selected where that is gone.
  ///   - context: The items of the folder.
  mutating func reset(to position: Position?, in context: Context) {
    (rearrangement, positionBeforeFilter) = (Rearrangement(), nil)
    (scroll, hasUserInteracted) = (Animated(0), false)
    layOut(in: context)
    selectFirst(of: context.collection)
    if let selected = position?.selected, context.collection.index(of: selected) != nil {
      (self.selected, hasUserInteracted) = (selected, true)
    }
    guard !context.collection.items.isEmpty else { return }
    let offset = min(max(position?.scroll ?? 0, 0), scrollLimit(in: context.viewport))
    scrollIntoSight(
      selection(in: context.collection), from: offset, in: context.viewport)
  }

  /// Shows whole photos instead of clipped ones, or clipped ones again.
  mutating func toggleContentMode(in context: Context) {
    contentMode = contentMode == .fill ? .fit : .fill
    let target = contentMode == .fit ? 1.0 : 0
    if context.motion.travels {
      fitProgress.retarget(to: target, context.motion.rearrangement, at: context.now)
    } else {
      fitProgress.jump(to: target)
    }
  }
}

extension LayoutStyle {
  /// The layout of items on a screen, drawn by cells: in sections, where there are any.
  func layout(of collection: PhotoCollection, in viewport: Viewport) -> TileLayout {
    let sections = collection.sections
    guard !sections.isEmpty else { return layout(of: collection.items.count, in: viewport) }
    return snapped(sections, in: viewport.pictureSize, metrics: viewport.metrics)
  }

  /// The layout of a number of tiles on a screen, drawn by cells.
  func layout(of count: Int, in viewport: Viewport) -> TileLayout {
    snapped(count, in: viewport.pictureSize, metrics: viewport.metrics, isCentered: true)
  }
}
