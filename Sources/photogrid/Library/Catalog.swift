import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

/// The photos of the current listing, in order; assigns IDs to the paths of new photos.
struct Catalog {
  /// The photos that exist, in the order of the listing.
  var listing: [Photo.ID] = []
  /// Whether photos are in the order of folders and names; otherwise new photos are appended.
  let isOrdered: Bool
  /// The paths of all photos by their IDs.
  let index: PathIndex
  /// Changes since the last `drainUpdates()`.
  var updates = Updates()
  private var relisting: Relisting?
  /// Photos that were removed, by their last paths: a file that returns keeps its ID.
  var removed: [PhotoPath: Photo.ID] = [:]
  /// Paths that are not listed, whatever the lister reports; see `Catalog+Files`.
  var ignored: Set<PhotoPath> = []

  /// The photos of folders that were shown before or previewed, by the folders' paths.
  private var known: [[UInt8]: [Photo.ID]] = [:]
  /// The listings of locations that were shown before, by the locations' IDs.
  private var left: [[UInt8]: [Photo.ID]] = [:]

  /// The most removed photos to remember.
  private static let removedLimit = 10_000

  /// Changes of the listing.
  struct Updates {
    /// New photos; they follow all other photos unless `isRearranged` is true.
    var appended: [Photo.ID] = []
    /// Whether photos were removed, or inserted before others.
    var isRearranged = false
    /// Photos with new names.
    var renamed: [Photo.ID] = []
    /// Photos whose files may have changed.
    var changed: [Photo.ID] = []
    /// Photos whose sidecars may have changed.
    var annotated: [Photo.ID] = []
    /// Photos with the facts that an earlier session recorded, in the same order.
    var known: [(photos: [Photo.ID], facts: InfoBlock)] = []
  }

  /// A folder that is being listed again.
  private struct Relisting {
    /// The folder, with or without its subfolders.
    var place: ListedPlace
    /// The indices of its photos in the listing.
    var known: Range<Int>
    /// The index of the first photo that may still be found; earlier ones are found or missing.
    var next: Int
    /// Photos that were not found again.
    var missing: Set<Photo.ID> = []
    /// Photos that were not listed before.
    var new: [Photo.ID] = []
  }

  /// Creates a catalog without photos.
  ///
  /// - Parameters:
  ///   - isOrdered: Whether photos are in the order of their folders and names, rather than in the
  ///     order of a list.
  ///   - index: Gives photos their IDs.
  init(isOrdered: Bool, index: PathIndex) {
    self.isOrdered = isOrdered
    self.index = index
  }

  /// Returns the changes since the last call.
  mutating func drainUpdates() -> Updates {
    defer { updates = Updates() }
    return updates
  }

  // MARK: - Listing

  /// Adds photos that were found.
  ///
  /// - Parameter batches: Photos, sorted within each batch; the batches are usually in order too.
  /// - Complexity: That of `merge(_:by:)` for all batches together.
  mutating func add(_ batches: PhotoBatch...) { add(batches) }

  /// Adds photos that were found, as `add(_:)` does.
  mutating func add(_ batches: [PhotoBatch]) {
    var found: [Photo.ID] = []
    var isSorted = true
    for batch in batches {
      guard relisting == nil else {
        compare(batch)
        continue
      }
      let photos = photos(of: batch)
      if let last = found.last, let first = photos.first {
        isSorted = isSorted && index.table.precedes(last, first)
      }
      found += photos
    }
    let paths = index.table
    if isOrdered, !isSorted { found.sort { paths.precedes($0, $1) } }
    insert(found)
  }

  /// Returns the photos of a batch, with new IDs for unknown paths.
  private mutating func photos(of batch: PhotoBatch) -> [Photo.ID] {
    guard known[batch.folder] != nil else {
      let photos = index.append(batch).map { Photo.ID($0) }
      if let facts = batch.facts { updates.known.append((photos, facts)) }
      return photos
    }
    var photos: [Photo.ID?] = []
    batch.forEachName { name in
      photos.append(photo(at: PhotoPath(root: batch.root, path: batch.folder + name)))
    }
    if let facts = batch.facts {
      updates.known.append((photos.map { $0 ?? .unlisted }, facts))
    }
    return photos.compactMap(\.self)
  }

  /// Adds the facts of listed photos, whose numbers begin with the batch's root.
  mutating func addFacts(of batch: PhotoBatch) {
    guard let facts = batch.facts, batch.root + batch.count <= index.count else { return }
    updates.known.append(((batch.root..<batch.root + batch.count).map { Photo.ID($0) }, facts))
  }

  /// Inserts photos that are sorted among themselves.
  mutating func insert(_ photos: [Photo.ID]) {
    let paths = index.table
    if !isOrdered {
      listing += photos
    } else if !listing.merge(photos, by: { paths.precedes($0, $1) }) {
      updates.isRearranged = true
    }
    updates.appended += photos
  }

  /// Removes photos from the listing.
  ///
  /// - Parameters:
  ///   - photos: The photos.
  ///   - returning: Photos that the caller inserts again, which are not recorded as removed.
  mutating func remove(
    _ photos: Set<Photo.ID>, except returning: Set<Photo.ID> = []
  ) {
    guard !photos.isEmpty else { return }
    if removed.count + photos.count > Self.removedLimit { removed = [:] }
    for photo in photos.subtracting(returning).prefix(Self.removedLimit) {
      removed[index.table.path(of: photo)] = photo
    }
    let paths = index.table
    listing.remove(
      at: photos.map { paths.position(of: paths.path(of: $0), in: listing).index }.sorted())
    updates.isRearranged = true
  }

  /// Returns the photo at a path, with a new ID if it is unknown; nil for ignored paths.
  mutating func photo(at path: PhotoPath) -> Photo.ID? {
    guard !ignored.contains(path) else { return nil }
    if let photo = removed.removeValue(forKey: path) {
      updates.changed.append(photo)
      return photo
    }
    if let photo = knownPhoto(at: path) {
      index.reroot(CollectionOfOne(photo), to: path.root)
      return photo
    }
    return index.append(PhotoBatch(root: path.root, path: path.path)).first.map { Photo.ID($0) }
  }

  // MARK: - Locations

  /// Replaces the listing of a location by the last listing of another one, or by an empty listing
  /// if none is recorded.
  mutating func move(from location: [UInt8], to other: [UInt8]) {
    relisting = nil
    updates = Updates()
    var start = 0
    while start < listing.count {
      let folder = index.table.folder(of: listing[start])
      let end = listing[start...].firstIndex { index.table.folder(of: $0) != folder }
      known[folder] = Array(listing[start..<(end ?? listing.count)])
      start = end ?? listing.count
    }
    // One of several roots may have been listed through another since.
    let isOneFolder = [listing.first, listing.last].compactMap(\.self).allSatisfy {
      index.table.path(of: $0).root == 0
    }
    if isOneFolder { left[location] = listing }
    listing = left[other] ?? []
  }

  /// Makes the listing of a location the first listing of another one, whose photos include it.
  mutating func extend(_ location: [UInt8], to other: [UInt8]) {
    left[other] = listing
    move(from: location, to: other)
    // The browser has these photos.
    updates = Updates()
  }

  /// Drops the photos of a folder, and the listings that contain it.
  mutating func dropListings(with folder: [UInt8]) {
    known[folder] = nil
    left = left.filter { !folder.starts(with: $0.key) }
  }

  /// Returns whether a location was listed before.
  func isKnown(_ location: [UInt8]) -> Bool { left[location] != nil }

  /// Returns the photo at a path in a folder that was shown before or previewed; nil if it is
  /// unknown.
  func photo(at path: [UInt8]) -> Photo.ID? {
    knownPhoto(at: PhotoPath(root: 0, path: path))
  }

  /// Returns the photo at a path in a folder that is previewed, with a new ID if it is unknown.
  mutating func previewedPhoto(at path: [UInt8]) -> Photo.ID? {
    let path = PhotoPath(root: 0, path: path)
    if let photo = knownPhoto(at: path) { return photo }
    let batch = PhotoBatch(root: path.root, path: path.path)
    guard let photo = index.append(batch).first.map({ Photo.ID($0) }) else { return nil }
    let paths = index.table
    _ = known[batch.folder, default: []].merge([photo], by: { paths.precedes($0, $1) })
    return photo
  }

  /// Returns the photo at a path in a folder that was shown before or previewed; nil if it is
  /// unknown.
  private func knownPhoto(at path: PhotoPath) -> Photo.ID? {
    let folder = Array(path.path[..<path.path.nameStart])
    guard let known = known[folder], let first = known.first else { return nil }
    // All photos of a folder have the same root, which may differ from the current one.
    let root = index.table.path(of: first).root
    let place = index.table.position(of: PhotoPath(root: root, path: path.path), in: known)
    return place.isFound ? known[place.index] : nil
  }

  // MARK: - Listing again

  /// Whether a folder is being listed again.
  var isRelisting: Bool { relisting != nil }

  /// Starts to list a folder again.
  mutating func beginRelisting(_ place: ListedPlace) {
    let known = index.table.range(of: place, in: listing)
    relisting = Relisting(place: place, known: known, next: known.lowerBound)
  }

  /// Compares the known photos with photos that were found, both in the same order.
  private mutating func compare(_ batch: PhotoBatch) {
    guard var list = relisting else { return }
    var unknown: [PhotoPath] = []
    batch.forEachName { name in
      while list.next < list.known.upperBound {
        let photo = listing[list.next]
        let order = index.table.order(of: photo, batch, name)
        guard order <= 0 else { break }
        list.next += 1
        if order == 0 { return }
        list.missing.insert(photo)
      }
      unknown.append(PhotoPath(root: batch.root, path: batch.folder + name))
    }
    list.new += unknown.compactMap { photo(at: $0) }
    relisting = list
  }

  /// Ends the relisting of a folder, and removes the photos that were not found if it is complete.
  mutating func endRelisting(isComplete: Bool) {
    guard let list = relisting else { return }
    relisting = nil
    if isComplete {
      remove(list.missing.union(listing[list.next..<list.known.upperBound]))
    }
    insert(list.new)
  }
}
