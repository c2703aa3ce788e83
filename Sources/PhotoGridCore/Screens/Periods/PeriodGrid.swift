import Geometry
import Photos

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
    grid.extend(isAtEnd: false, in: inside(context))
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

/// The months or years in which photos were taken, in order: every photo is in exactly one of them.
struct Periods: Equatable, Sendable {
  let length: PhotoPeriod.Length
  /// The dates of the periods, from the earliest to the latest, or in reverse if the photos are sorted
  /// that way; nil, for photos without a date, is always last.
  private(set) var items: [CalendarDate?] = []
  private var periods: [CalendarDate?: PhotoPeriod] = [:]
  private var indices: [CalendarDate?: Int] = [:]

  /// Creates the periods of a collection's visible photos.
  init(_ length: PhotoPeriod.Length, of collection: PhotoCollection, keeping old: Periods? = nil) {
    self.length = length
    let runs = count(collection.album.shown, of: collection.album)
    keepSamples(of: old, in: collection)
    if periods.values.contains(where: { $0.samples.count < $0.sampleCount }) {
      addSamples(collection.album.shown, runs: runs)
    }
    let order = collection.album.order
    let isReversed = order.key == .taken && order.isReversed
    items = periods.keys.compactMap(\.self).sorted { isReversed ? $0 > $1 : $0 < $1 }
    if periods[nil] != nil { items.append(nil) }
    for (index, item) in items.enumerated() { indices[item] = index }
  }

  subscript(date: CalendarDate?) -> PhotoPeriod? { periods[date] }

  func index(of date: CalendarDate?) -> Int? { indices[date] }

  func date(of photo: Photo.ID, in album: Album) -> CalendarDate? {
    album.date(of: photo, by: length.grouping)
  }

  /// Returns the date of the period that contains a date; without photos there, of the nearest
  /// period, of the later one if two are equally far; nil if no photo has a date.
  func date(nearestTo date: CalendarDate) -> CalendarDate? {
    // A year is smaller than its months, so it finds its first month.
    let wanted = date.truncated(to: length.grouping)
    let dated = items.compactMap(\.self)
    let (next, last) = (dated.filter { $0 >= wanted }.min(), dated.filter { $0 < wanted }.max())
    func days(to item: CalendarDate) -> Int64 { item.days(to: date) }
    guard let next, let last else { return next ?? last }
    return days(to: last) < days(to: next) ? last : next
  }

  // MARK: - Counting

  private mutating func count(
    _ photos: [Photo.ID], of album: Album
  ) -> [(date: CalendarDate?, count: Int)] {
    var runs: [(date: CalendarDate?, count: Int)] = []
    for photo in photos {
      let date = album.date(of: photo, by: length.grouping)
      if let last = runs.last, last.date == date {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((date, 1))
        periods[date, default: PhotoPeriod(date: date)].count += 0
      }
    }
    for run in runs { periods[run.date]?.count += run.count }
    return runs
  }

  // MARK: - Samples

  private mutating func keepSamples(of old: Periods?, in collection: PhotoCollection) {
    guard let old, old.length == length else { return }
    for date in periods.keys {
      let kept = (old.periods[date]?.samples ?? []).filter {
        collection.index(of: $0) != nil && self.date(of: $0, in: collection.album) == date
      }
      periods[date]?.samples = kept
    }
  }

  /// Adds samples to the periods that have too few, at equal distances from a period's first photo
  /// to its last.
  private mutating func addSamples(
    _ photos: [Photo.ID], runs: [(date: CalendarDate?, count: Int)]
  ) {
    var passed: [CalendarDate?: Int] = [:]
    var start = 0
    for run in runs {
      let before = passed[run.date, default: 0]
      defer {
        passed[run.date] = before + run.count
        start += run.count
      }
      guard let period = periods[run.date], period.samples.count < period.sampleCount else {
        continue
      }
      for number in 0..<period.sampleCount {
        let index = number * period.count / period.sampleCount - before
        guard (0..<run.count).contains(index) else { continue }
        sample(photos[start + index], of: run.date)
      }
    }
  }

  private mutating func sample(_ photo: Photo.ID, of date: CalendarDate?) {
    guard let period = periods[date], period.samples.count < period.sampleCount,
      !period.samples.contains(photo)
    else { return }
    periods[date]?.samples.append(photo)
  }
}

/// A month or a year, with some of its photos.
struct PhotoPeriod: Equatable, Sendable {
  /// The month or year; nil for photos without a date or whose date has not been read yet.
  var date: CalendarDate?
  var count = 0
  /// The photos on the period's tile, spread over the period; at most `maxSamples`.
  var samples: [Photo.ID] = []

  /// The largest number of photos on a tile.
  static let maxSamples = 4

  /// The number of photos that the tile should have.
  var sampleCount: Int { min(count, Self.maxSamples) }

  /// The length of a period.
  enum Length: CaseIterable, Sendable {
    case month, year

    /// The grouping that has these periods as its sections.
    var grouping: Grouping {
      switch self {
      case .month: .month
      case .year: .year
      }
    }
  }
}
