/// The months or years in which photos were taken, in order: every photo is in exactly one of them.
struct Periods: Equatable, Sendable {
  /// Whether they are months or years.
  let length: PhotoPeriod.Length
  /// The items that stand for the periods, from the earliest to the latest, or in reverse if the
  /// photos are sorted that way; photos without a date are always last.
  private(set) var items: [Photo.ID] = []
  private var periods: [Photo.ID: PhotoPeriod] = [:]

  /// Creates the periods of a collection's visible photos.
  ///
  /// - Parameters:
  ///   - length: Whether to find months or years.
  ///   - collection: The photos.
  ///   - old: Earlier periods, whose samples are kept where possible, so that tiles do not change
  ///     while dates arrive.
  /// - Complexity: O(n), where n is the number of photos.
  init(_ length: PhotoPeriod.Length, of collection: PhotoCollection, keeping old: Periods? = nil) {
    self.length = length
    let places = count(collection.album.shown, of: collection.album)
    keepSamples(of: old, in: collection)
    if periods.values.contains(where: { $0.samples.count < $0.sampleCount }) {
      addSamples(collection.album.shown, places: places)
    }
    let order = collection.album.order
    let isReversed = order.key == .taken && order.isReversed
    items = periods.keys.filter { periods[$0]?.date != nil }
      .sorted { isReversed ? $0 > $1 : $0 < $1 }
    let undated = PhotoPeriod.item(of: nil)
    if periods[undated] != nil { items.append(undated) }
  }

  /// The period that an item stands for; nil if it has no photos.
  subscript(item: Photo.ID) -> PhotoPeriod? { periods[item] }

  /// Returns the item of the period that contains a photo.
  func item(of photo: Photo.ID, in album: Album) -> Photo.ID {
    PhotoPeriod.item(of: album.date(of: photo, by: length.grouping))
  }

  /// Returns the item of the period that contains a date; without photos there, of the nearest
  /// period, of the later one if two are equally far; nil if no photo has a date.
  func item(nearestTo date: CalendarDate) -> Photo.ID? {
    let wanted = PhotoPeriod.item(of: date.truncated(to: length.grouping))
    // The item of a year is smaller than those of its months, so a year finds its first month.
    let dated = items.filter { periods[$0]?.date != nil }
    let (next, last) = (dated.filter { $0 >= wanted }.min(), dated.filter { $0 < wanted }.max())
    func days(to item: Photo.ID) -> Int64 { periods[item]?.date?.days(to: date) ?? .max }
    guard let next, let last else { return next ?? last }
    return days(to: last) < days(to: next) ? last : next
  }

  // MARK: - Counting

  /// Counts the photos of each period.
  ///
  /// - Returns: The runs of consecutive photos in the same period: its item and their number.
  private mutating func count(
    _ photos: [Photo.ID], of album: Album
  ) -> [(item: Photo.ID, count: Int)] {
    var runs: [(item: Photo.ID, count: Int)] = []
    for photo in photos {
      let date = album.date(of: photo, by: length.grouping)
      let item = PhotoPeriod.item(of: date)
      if runs.last?.item == item {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((item, 1))
        periods[item, default: PhotoPeriod(date: date)].count += 0
      }
    }
    for run in runs { periods[run.item]?.count += run.count }
    return runs
  }

  // MARK: - Samples

  private mutating func keepSamples(of old: Periods?, in collection: PhotoCollection) {
    guard let old, old.length == length else { return }
    for item in periods.keys {
      let kept = (old.periods[item]?.samples ?? []).filter {
        collection.index(of: $0) != nil && self.item(of: $0, in: collection.album) == item
      }
      periods[item]?.samples = kept
    }
  }

  /// Adds samples to the periods that have too few, at equal distances from a period's first photo
  /// to its last.
  private mutating func addSamples(
    _ photos: [Photo.ID], places runs: [(item: Photo.ID, count: Int)]
  ) {
    var passed: [Photo.ID: Int] = [:]
    var start = 0
    for run in runs {
      let before = passed[run.item, default: 0]
      defer {
        passed[run.item] = before + run.count
        start += run.count
      }
      guard let period = periods[run.item], period.samples.count < period.sampleCount else {
        continue
      }
      for number in 0..<period.sampleCount {
        let place = number * period.count / period.sampleCount - before
        guard (0..<run.count).contains(place) else { continue }
        add(photos[start + place], to: run.item)
      }
    }
  }

  private mutating func add(_ photo: Photo.ID, to item: Photo.ID) {
    guard let period = periods[item], period.samples.count < period.sampleCount,
      !period.samples.contains(photo)
    else { return }
    periods[item]?.samples.append(photo)
  }
}
