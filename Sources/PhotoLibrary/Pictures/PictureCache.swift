import Geometry
import Photos
import SceneModel
import WorkerProtocol

/// The pictures in memory, within a budget of bytes.
///
/// Above the budget the pictures farthest from the screen are evicted first, and of those at the
/// same distance the largest. Visible pictures stay, but are downsampled to the demanded size. A
/// tiny placeholder of an evicted picture stays, so that scrolling back never shows a blank tile;
/// placeholders together take a small part of the budget.
struct PictureCache {
  /// The pictures of whole photos.
  var entries: [Photo.ID: Entry] = [:]
  /// Pictures of regions of magnified photos, in addition to those of the whole photos.
  var regionPictures: [Photo.ID: RegionPicture] = [:]
  /// The memory of all pictures, in bytes.
  private(set) var byteCount = 0
  /// The memory of the placeholders among them, in bytes.
  private(set) var placeholderByteCount = 0
  /// The memory of the pictures of all demands at the last eviction, in bytes.
  var demandedByteCount = 0
  /// The memory for pictures, in bytes.
  private let budget: Int
  /// The part of the budget that is in use outside of the cache, in bytes.
  var reserved = 0

  /// The memory that the pictures may take, in bytes.
  private var room: Int { max(budget - reserved, 0) }

  /// Creates an empty cache.
  ///
  /// - Parameter budget: The memory for pictures, in bytes.
  init(budget: Int) { self.budget = budget }

  /// The pictures of a photo.
  struct Entry {
    /// The best picture.
    var picture: Mipmap
    /// The memory of all pictures of the photo, in bytes.
    var byteCount: Int
    /// The largest size in pixels that the picture satisfies; 0 by 0 for a preview.
    var satisfied: (width: Int, height: Int)
    /// The number of photos between this one and the screen.
    var distance = 0
    /// Whether the picture is a placeholder for one that was evicted.
    var isPlaceholder = false
    /// Whether the file may have changed since the picture was decoded.
    var isExpired = false
    /// Smaller pictures that were decoded before, smallest first: a tile looks the same after its
    /// photo was opened as before.
    var smaller: [Mipmap] = []
    /// Sizes in pixels that are not worth decoding again: the photo gave another size, or there was
    /// no memory to keep the picture.
    var triedSizes: Set<SIMD2<Int>> = []

    init(_ picture: Mipmap, satisfied: (width: Int, height: Int)) {
      self.picture = picture
      self.satisfied = satisfied
      byteCount = picture.byteCount
    }

    /// Inserts a picture that is smaller than the best one, and drops others that are wider than
    /// half of the new one.
    mutating func insert(_ new: Mipmap) {
      smaller.removeAll { $0.full.width * 2 > new.full.width }
      smaller.append(new)
      byteCount = smaller.reduce(picture.byteCount) { $0 + $1.byteCount }
    }

    /// Keeps the pictures of the entry that this one replaces, the largest first, up to half of the
    /// memory of the new picture.
    mutating func keep(_ old: Entry) {
      guard old.satisfied.width > 0, !old.isExpired,
        old.picture.full.width < picture.full.width
      else { return }
      var rest = picture.byteCount / 2
      for picture in [old.picture] + old.smaller.reversed() where picture.byteCount <= rest {
        rest -= picture.byteCount
        byteCount += picture.byteCount
        smaller.insert(picture, at: 0)
      }
    }
  }

  /// A picture of a region of a photo.
  struct RegionPicture {
    /// The region that the picture shows.
    var region: PhotoRegion
    var picture: Mipmap
  }

  /// Pictures of regions that nothing demands take at most one part in this many of the budget.
  private static let unusedRegionShare = 8
  /// An eviction frees one part in this many of the budget, so that the next picture fits without
  /// another one.
  static let slack = 16

  /// The best picture of a photo; nil if there is none.
  subscript(photo: Photo.ID) -> Mipmap? { entries[photo]?.picture }

  /// Returns the smallest picture of a photo that is as large as a size in pixels, or else the
  /// best.
  func picture(of photo: Photo.ID, covering size: PixelSize) -> Mipmap? {
    // Targets are rounded to whole pixels.
    let sufficient = entries[photo]?.smaller.first {
      Double($0.full.width + 1) >= size.width && Double($0.full.height + 1) >= size.height
    }
    return sufficient ?? entries[photo]?.picture
  }

  /// Returns all pictures of a whole photo, smallest first.
  func pictures(of photo: Photo.ID) -> [Mipmap] {
    entries[photo].map { $0.smaller + [$0.picture] } ?? []
  }

  /// Whether evictions are near, so that `setDistances` should be called.
  var isFilling: Bool { byteCount > room / 2 }

  /// Whether the picture of a photo was decoded from the photo, at any size.
  func isDecoded(_ photo: Photo.ID) -> Bool {
    entries[photo].map { $0.satisfied.width > 0 } ?? false
  }

  /// Whether the decoded picture of a photo of the given size is as large as a demand asks for.
  func satisfies(_ demand: Demand, of size: PixelSize) -> Bool {
    guard let entry = entries[demand.photo], !entry.isExpired else { return false }
    let target = targetSize(of: size, in: demand.size, mode: demand.mode)
    return entry.satisfied.width >= target.width && entry.satisfied.height >= target.height
  }

  /// Whether there is a picture of exactly the size that a demand asks for, or there cannot be one.
  func hasExact(_ demand: Demand, of size: PixelSize) -> Bool {
    guard let entry = entries[demand.photo], !entry.isExpired else { return false }
    let target = targetSize(of: size, in: demand.size, mode: demand.mode)
    return entry.triedSizes.contains(SIMD2(target.width, target.height))
      || (entry.smaller + [entry.picture]).contains {
        ($0.full.width, $0.full.height) == target
      }
  }

  /// Whether a picture is as large as a demand asks for, decoded or a preview.
  func isAsLarge(as demand: Demand, of size: PixelSize) -> Bool {
    guard let picture = entries[demand.photo]?.picture.full else { return false }
    let target = targetSize(of: size, in: demand.size, mode: demand.mode)
    // A preview from which bars were cropped may be a pixel smaller.
    return picture.width + 1 >= target.width && picture.height + 1 >= target.height
  }

  /// Stores a picture that was decoded from a photo.
  ///
  /// The picture satisfies demands up to `target`, the requested size in pixels, even if the photo
  /// cannot be decoded that large. A larger picture that was decoded before stays the best one.
  mutating func put(_ picture: Mipmap, for photo: Photo.ID, target: (width: Int, height: Int)) {
    var entry = Entry(
      picture,
      satisfied: (max(target.width, picture.full.width), max(target.height, picture.full.height)))
    if let old = entries[photo], !old.isExpired {
      if old.picture.full.width > picture.full.width, old.satisfied.width >= target.width,
        old.satisfied.height >= target.height
      {
        entry = old
        entry.insert(picture)
      } else {
        entry.keep(old)
        entry.triedSizes = old.triedSizes
      }
    }
    if (picture.full.width, picture.full.height) != target {
      entry.triedSizes.insert(SIMD2(target.width, target.height))
    }
    replace(photo, entry)
  }

  /// Stores a preview of a photo, unless a decoded picture or a preview as large is cached.
  ///
  /// - Returns: Whether the preview was stored.
  mutating func putPreview(_ picture: Mipmap, for photo: Photo.ID) -> Bool {
    if let old = entries[photo] {
      let isBetter = old.satisfied.width == 0 && old.picture.full.width < picture.full.width
      guard old.isExpired || isBetter else { return false }
    }
    replace(photo, Entry(picture, satisfied: (0, 0)))
    return true
  }

  /// Marks the picture of a photo as out of date; it satisfies no demand, and is shown until the
  /// next one arrives.
  ///
  /// The picture of a region is removed immediately, since the whole picture can be shown instead.
  mutating func expire(_ photo: Photo.ID) {
    entries[photo]?.isExpired = true
    removeRegionPicture(of: photo)
  }

  /// Removes an expired picture that will not be replaced.
  mutating func removeExpired(_ photo: Photo.ID) {
    if entries[photo]?.isExpired ?? false { remove(photo) }
  }

  /// Removes a preview whose photo cannot be decoded.
  mutating func removePreview(_ photo: Photo.ID) {
    if entries[photo]?.satisfied.width == 0 { replace(photo, nil) }
  }

  /// Returns the picture of a region of a photo; nil if there is none.
  func regionPicture(of photo: Photo.ID) -> RegionPicture? { regionPictures[photo] }

  /// Whether the picture of a region covers what a demand needs.
  func satisfies(_ demand: Demand.Region, of photo: Photo.ID) -> Bool {
    regionPicture(of: photo)?.region.satisfies(demand.needed) ?? false
  }

  /// Replaces the picture of a photo's region.
  mutating func put(_ new: RegionPicture, of photo: Photo.ID) {
    removeRegionPicture(of: photo)
    byteCount += new.picture.byteCount
    regionPictures[photo] = new
  }

  mutating func removeRegionPicture(of photo: Photo.ID) {
    byteCount -= regionPictures.removeValue(forKey: photo)?.picture.byteCount ?? 0
  }

  /// Removes the pictures of regions that nothing demands, if they take more than their share of
  /// the budget.
  mutating func removeUnusedRegionPictures(_ demands: [Demand]) {
    guard !regionPictures.isEmpty else { return }
    let demanded = Set(demands.lazy.filter { $0.region != nil }.map(\.photo))
    let unused = regionPictures.filter { !demanded.contains($0.key) }
    let size = unused.reduce(0) { $0 + $1.value.picture.byteCount }
    guard size > room / Self.unusedRegionShare || byteCount > room else { return }
    for photo in unused.keys { removeRegionPicture(of: photo) }
  }

  mutating func remove(_ photo: Photo.ID) {
    removeRegionPicture(of: photo)
    replace(photo, nil)
  }

  /// Replaces the pictures of a photo; nil removes them.
  mutating func replace(_ photo: Photo.ID, _ new: Entry?) {
    if let old = entries[photo] {
      byteCount -= old.byteCount
      if old.isPlaceholder { placeholderByteCount -= old.byteCount }
    }
    entries[photo] = new
    guard let new else { return }
    byteCount += new.byteCount
    if new.isPlaceholder { placeholderByteCount += new.byteCount }
  }

  /// Sets the number of photos between each picture and the screen.
  mutating func setDistances(_ distance: (Photo.ID) -> Int) {
    for photo in entries.keys { entries[photo]?.distance = distance(photo) }
  }

  // MARK: The budget

  /// Whether the picture of a demand fits into the budget together with the pictures of the others.
  func hasRoom(for demand: Demand, of size: PixelSize?) -> Bool {
    if let region = demand.region {
      let sides = region.wanted.sampleSize
      let others =
        demandedByteCount - (regionPictures[demand.photo]?.picture.byteCount ?? 0)
      return hasRoom(forPixels: sides.width * sides.height, beside: others)
    }
    let others = demandedByteCount - byteCount(of: CollectionOfOne(demand.photo))
    return hasRoom(for: demand, of: size, beside: others)
  }

  /// Whether the picture of a demand fits into the budget in addition to `others`, in bytes.
  ///
  /// The photo's size is in pixels; nil if unknown.
  func hasRoom(for demand: Demand, of size: PixelSize?, beside others: Int) -> Bool {
    let sides =
      size.map { targetSize(of: $0, in: demand.size, mode: demand.mode) }
      ?? (Int(demand.size.width.rounded(.up)), Int(demand.size.height.rounded(.up)) * 3 / 2)
    return hasRoom(forPixels: sides.0 * sides.1, beside: others)
  }

  private func hasRoom(forPixels count: Int, beside others: Int) -> Bool {
    // The smaller levels of a mipmap together take a third of the full one.
    others + count * 4 * 4 / 3 <= room - room / Self.slack
  }

  /// Returns the memory of the pictures of some photos, in bytes.
  func byteCount(of photos: some Sequence<Photo.ID>) -> Int {
    photos.reduce(0) { $0 + (entries[$1]?.byteCount ?? 0) }
  }
}

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
  /// Placeholders take at most one part in this many of the budget.
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
    guard byteCount > room else { return }
    defer { limitPlaceholders(to: room / Self.placeholderShare) }
    for photo in farthestFirst(where: { !$1.smaller.isEmpty }) {
      removeSmaller(photo)
      if byteCount <= room { return }
    }
    let goal = room - room / Self.slack
    let demanded = Set(demands.map(\.photo))
    for photo in farthestFirst(where: { !demanded.contains($0) && !$1.isPlaceholder }) {
      reduceToPlaceholder(photo)
      if byteCount <= goal { return }
    }
    for (photo, target) in largestTargets(demands, sizeOf: sizeOf) {
      downsample(photo, to: target)
      if byteCount <= room { return }
    }
    let seen = Set(demands.lazy.filter { $0.proximity == .visible }.map(\.photo))
    for demand in demands.reversed() where !seen.contains(demand.photo) {
      removeRegionPicture(of: demand.photo)
      if byteCount <= room { return }
      reduceToPlaceholder(demand.photo)
      if byteCount <= room { return }
    }
    for photo in farthestFirst(where: { !seen.contains($0) && $1.isPlaceholder }) {
      replace(photo, nil)
      if byteCount <= room { return }
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
    replace(photo, placeholder.byteCount <= room / Self.placeholderShare ? placeholder : nil)
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
