import PhotoGridCore
import WorkerProtocol

/// The eviction of pictures when the cache takes more than its budget.
///
/// These are removed in turn until the budget is kept. In each step, the pictures farthest from the
/// screen or the least urgent ones go first.
///
/// 1. pictures that are smaller than another one of the same photo
/// 2. pictures that nothing demands, of which placeholders stay
/// 3. levels of mipmaps that are larger than their demands
/// 4. pictures that are demanded, but not visible
/// 5. placeholders
extension PictureCache {
  /// The longest side of a placeholder, in pixels.
  private static let placeholderSide = 32
  /// Placeholders take at most this fraction of the budget: one eighth.
  private static let placeholderShare = 8

  /// Evicts pictures until the budget is kept, except for visible ones.
  ///
  /// - Parameters:
  ///   - demands: All demands, most urgent first.
  ///   - sizeOf: Returns the size of a photo in pixels; nil if unknown.
  mutating func evict(_ demands: [Demand], sizeOf: (Photo.ID) -> PixelSize?) {
    removeUnusedRegionPictures(demands)
    evictAboveBudget(demands, sizeOf: sizeOf)
    demandedByteCount =
      byteCount(of: Set(demands.lazy.map(\.photo)))
      + regionPictures.values.reduce(0) { $0 + $1.picture.byteCount }
  }

  private mutating func evictAboveBudget(_ demands: [Demand], sizeOf: (Photo.ID) -> PixelSize?) {
    guard byteCount > budget else { return }
    defer { limitPlaceholders(to: budget / Self.placeholderShare) }
    for photo in farthestFirst(where: { !$1.smaller.isEmpty }) {
      removeSmaller(photo)
      if byteCount <= budget { return }
    }
    let goal = budget - budget / Self.slack
    let demanded = Set(demands.map(\.photo))
    for photo in farthestFirst(where: { !demanded.contains($0) && !$1.isPlaceholder }) {
      reduceToPlaceholder(photo)
      if byteCount <= goal { return }
    }
    for (photo, target) in largestTargets(demands, sizeOf: sizeOf) {
      downsample(photo, to: target)
      if byteCount <= budget { return }
    }
    let seen = Set(demands.lazy.filter { $0.place == .visible }.map(\.photo))
    for demand in demands.reversed() where !seen.contains(demand.photo) {
      removeRegionPicture(of: demand.photo)
      if byteCount <= budget { return }
      reduceToPlaceholder(demand.photo)
      if byteCount <= budget { return }
    }
    for photo in farthestFirst(where: { !seen.contains($0) && $1.isPlaceholder }) {
      replace(photo, nil)
      if byteCount <= budget { return }
    }
  }

  /// Returns the photos of the entries that satisfy a predicate, in the order of eviction.
  private func farthestFirst(where isIncluded: (Photo.ID, Entry) -> Bool) -> [Photo.ID] {
    entries.filter { isIncluded($0.key, $0.value) }
      .sorted {
        ($0.value.distance, $0.value.byteCount, $0.key)
          > ($1.value.distance, $1.value.byteCount, $1.key)
      }
      .map(\.key)
  }

  private mutating func limitPlaceholders(to limit: Int) {
    guard placeholderByteCount > limit else { return }
    for photo in farthestFirst(where: { $1.isPlaceholder }) {
      replace(photo, nil)
      if placeholderByteCount <= limit - limit / Self.slack { return }
    }
  }

  /// Removes all pictures of a photo but the best.
  private mutating func removeSmaller(_ photo: Photo.ID) {
    guard var entry = entries[photo] else { return }
    entry.triedSizes.formUnion(entry.smaller.map { SIMD2($0.full.width, $0.full.height) })
    entry.smaller = []
    entry.byteCount = entry.picture.byteCount
    replace(photo, entry)
  }

  /// Replaces the picture of a photo by a placeholder.
  private mutating func reduceToPlaceholder(_ photo: Photo.ID) {
    guard let entry = entries[photo], !entry.isPlaceholder else { return }
    let levels = entry.picture.levels
    let level = levels.first { max($0.width, $0.height) <= Self.placeholderSide } ?? levels[0]
    var placeholder = Entry(Mipmap(level), satisfied: (0, 0))
    placeholder.distance = entry.distance
    placeholder.isPlaceholder = true
    replace(photo, placeholder.byteCount <= budget / Self.placeholderShare ? placeholder : nil)
  }

  /// Returns the largest size in pixels at which each photo is demanded, least urgent first.
  private func largestTargets(
    _ demands: [Demand], sizeOf: (Photo.ID) -> PixelSize?
  ) -> [(photo: Photo.ID, target: (width: Int, height: Int))] {
    var targets: [Photo.ID: (width: Int, height: Int)] = [:]
    var order: [Photo.ID] = []
    for demand in demands where demand.region == nil {
      guard let size = sizeOf(demand.photo) else { continue }
      let target = targetSize(of: size, in: demand.size, mode: demand.mode)
      if let other = targets[demand.photo] {
        targets[demand.photo] = (max(other.width, target.width), max(other.height, target.height))
      } else {
        targets[demand.photo] = target
        order.append(demand.photo)
      }
    }
    return order.reversed().compactMap { photo in targets[photo].map { (photo, $0) } }
  }

  /// Removes the levels of a picture that are larger than a target in pixels needs.
  private mutating func downsample(_ photo: Photo.ID, to target: (width: Int, height: Int)) {
    guard let entry = entries[photo] else { return }
    let sufficient = entry.picture.levels.last {
      $0.width >= target.width && $0.height >= target.height
    }
    guard let sufficient, sufficient.width < entry.picture.full.width else { return }
    let isDecoded = entry.satisfied.width > 0
    var reduced = Entry(
      Mipmap(sufficient), satisfied: isDecoded ? (sufficient.width, sufficient.height) : (0, 0))
    reduced.distance = entry.distance
    reduced.triedSizes = entry.triedSizes
    replace(photo, reduced)
  }
}
