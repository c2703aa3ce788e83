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
        add(photos[start + index], to: run.date)
      }
    }
  }

  private mutating func add(_ photo: Photo.ID, to date: CalendarDate?) {
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
