/// A grid of months or years: each tile stands for one period, and shows some of its photos.
struct PeriodGrid: Equatable, Sendable {
  private(set) var periods: Periods
  /// The tiles: their layout, selection and motion.
  private(set) var grid: Grid
  /// The photo that the user came from; its period is selected until the user selects another.
  let origin: Photo.ID?
  var months: Grid.Position?
  /// The time at which to count photos that were added or read since the last count; nil if there
  /// are none.
  private(set) var updateDue: Instant?

  /// Creates the grid of the periods of photos, and selects one.
  init(
    _ length: PhotoPeriod.Length, of context: Grid.Context, origin: Photo.ID?,
    at position: Grid.Position? = nil, spacing: Int
  ) {
    periods = Periods(length, of: context.items.collection)
    self.origin = origin
    var style = LayoutStyle()
    (style.hasLabels, style.spacing) = (true, spacing)
    grid = Grid(style: style, contentMode: .fill, viewport: context.viewport)
    grid.append(isAtEnd: false, in: inside(context))
    if context.items.collection.isSettled { grid.complete(in: inside(context)) }
    let isThere = position?.selected.map { inside(context).items.index(of: $0) != nil } ?? false
    grid.selected = isThere ? position?.selected : itemOfOrigin(in: context.items.collection)
    grid.hasUserInteracted = position != nil
    scrollToSelection(from: position?.scroll, in: context.viewport)
  }

  var selected: PhotoPeriod? {
    if case .period(let date)? = grid.selected { periods[date] } else { nil }
  }

  /// The dates of the periods, in the order of their tiles.
  var items: [CalendarDate?] { periods.items }

  var selection: Int { index(of: grid.selected) ?? 0 }

  func index(of item: ItemID?) -> Int? {
    if case .period(let date)? = item { periods.index(of: date) } else { nil }
  }

  func period(at index: Int) -> PhotoPeriod? { periods[items[index]] }

  private func itemOfOrigin(in photos: PhotoCollection) -> ItemID? {
    if let origin, photos.index(of: origin) != nil {
      return .period(periods.date(of: origin, in: photos.album))
    }
    return items.first.map { .period($0) }
  }

  /// A photo of the selected period; nil if there is none.
  var samplePhoto: Photo.ID? { selected?.samples.first }

  // MARK: - Changes

  mutating func select(_ item: ItemID?, in context: Grid.Context) {
    guard index(of: item) != nil else { return }
    grid.selected = item
    scrollToSelection(from: nil, in: context.viewport)
  }

  mutating func settle(at now: Instant) { grid.settle(at: now) }

  /// Returns the context of this grid: the context of the photos, with the periods as items.
  func inside(_ context: Grid.Context) -> Grid.Context {
    var context = context
    context.items.periods = periods
    return context
  }

  mutating func change(in context: Grid.Context, _ change: (inout Grid, Grid.Context) -> Void) {
    change(&grid, inside(context))
  }

  /// Schedules a count of the photos, unless one is already scheduled for an earlier time.
  mutating func scheduleUpdate(_ due: Instant) { updateDue = min(updateDue ?? due, due) }

  /// Counts the photos again; new tiles appear, and the selected one stays at its place.
  mutating func update(in context: Grid.Context) {
    updateDue = nil
    let old = inside(context)
    let before = grid.snapshot(in: old)
    periods = Periods(periods.length, of: context.items.collection, keeping: periods)
    if old.items.periods?.items != items {
      let new = inside(context)
      grid.layOut(in: new)
      if grid.hasUserInteracted {
        grid.followSelection(from: old.items, in: new.items)
      } else {
        grid.selected = itemOfOrigin(in: context.items.collection)
      }
      grid.moveTiles(from: before, in: new)
    } else if !grid.hasUserInteracted {
      grid.selected = itemOfOrigin(in: context.items.collection)
    }
    if context.items.collection.isSettled { grid.complete(in: inside(context)) }
  }

  mutating func resize(in context: Grid.Context) { grid.resize(in: inside(context)) }

  /// Scrolls as little as possible from an offset so that the selected tile is visible; without an
  /// offset, puts the tile in the middle.
  private mutating func scrollToSelection(from offset: Double?, in viewport: Viewport) {
    guard !items.isEmpty else { return }
    let middle = grid.layout.frame(at: selection).center.y - viewport.pictureSize.height / 2
    grid.scrollIntoView(selection, from: max(offset ?? middle, 0), in: viewport)
  }

  // MARK: - Tiles

  /// Returns the frames of a period's photos on its tile, given the tile's current frame.
  func samples(
    at index: Int, in frame: PixelRect, metrics: CellMetrics
  ) -> [(photo: Photo.ID, frame: PixelRect)] {
    guard let period = period(at: index) else { return [] }
    let rest = PixelRect(origin: .zero, size: grid.layout.frame(at: index).size)
    let frames = FolderTile.sampleFrames(
      period.samples.count, on: rest.size, placementStep: metrics.placementStep, gap: metrics.gap)
    return zip(period.samples, frames).map { ($0, $1.carried(from: rest, to: frame)) }
  }

  /// Returns the frame of a tile at rest, in the picture area.
  func restingFrame(at index: Int) -> PixelRect {
    grid.layout.frame(at: index).offset(x: 0, y: -grid.scroll.target)
  }
}
