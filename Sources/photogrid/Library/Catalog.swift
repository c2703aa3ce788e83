import PhotoLibrary
import Photos
import WorkerProtocol

/// The photos of the current listing, in order; assigns IDs to the paths of new photos.
struct Catalog {
  /// The photos that exist, in the order of the listing.
  var listing: [Photo.ID] = []
  /// Whether photos are in the order of folders and names; otherwise new photos are appended.
  let isOrdered: Bool
  let index: PathIndex
  /// Changes since the last `drainUpdates()`.
  var updates = Updates()
  private var relisting: Relisting?
  /// Photos that were removed, by their last paths: a file that returns keeps its ID.
  var removed: [PhotoPath: Photo.ID] = [:]
  /// Paths that are not listed, whatever the lister reports.
  var ignored: Set<PhotoPath> = []

  /// The photos of folders that were shown before or previewed, by the folders' paths.
  private var known: [[UInt8]: [Photo.ID]] = [:]
  /// The listings of locations that were shown before, by the locations' IDs.
  private var left: [[UInt8]: [Photo.ID]] = [:]

  /// The most removed photos to remember.
  private static let removedLimit = 10_000

  struct Updates {
    /// New photos; they follow all other photos unless `isRearranged` is true.
    var appended: [Photo.ID] = []
    /// Whether photos were removed, or inserted before others.
    var isRearranged = false
    var renamed: [Photo.ID] = []
    var changed: [Photo.ID] = []
    var annotated: [Photo.ID] = []
    /// Photos with the facts that an earlier session recorded, in the same order.
    var known: [(photos: [Photo.ID], facts: InfoBlock)] = []
  }

  private struct Relisting {
    /// The folder, with or without its subfolders.
    var folder: ListedFolder
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
  init(isOrdered: Bool, index: PathIndex) {
    self.isOrdered = isOrdered
    self.index = index
  }

  mutating func drainUpdates() -> Updates {
    defer { updates = Updates() }
    return updates
  }

  // MARK: - Listing

  /// Adds photos that were found.
  ///
  /// - Parameter batches: Photos, sorted within each batch; the batches are usually in order too.
  /// - Complexity: That of `merge(_:by:)` for all batches together.
  mutating func insert(_ batches: PhotoBatch...) { insert(batches) }

  mutating func insert(_ batches: [PhotoBatch]) {
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
    let position = index.table.position(of: PhotoPath(root: root, path: path.path), in: known)
    return position.isFound ? known[position.index] : nil
  }

  // MARK: - Listing again

  var isRelisting: Bool { relisting != nil }

  mutating func beginRelisting(_ folder: ListedFolder) {
    let known = index.table.range(of: folder, in: listing)
    relisting = Relisting(folder: folder, known: known, next: known.lowerBound)
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

/// Changes of single files, as the lister reports them.
extension Catalog {
  /// The effect of changes on the paths of photos, before it is applied to the listing.
  private struct Moves {
    /// Photos with new paths, by these paths.
    var placed: [PhotoPath: Photo.ID] = [:]
    /// Photos that are no longer at their paths in the listing.
    var displaced: Set<Photo.ID> = []
    /// Photos whose files are missing, by their last paths: a file that returns keeps its ID.
    var absent: [PhotoPath: Photo.ID] = [:]

    /// Removes a photo from a path.
    mutating func displace(_ photo: Photo.ID, from path: PhotoPath) {
      if placed.removeValue(forKey: path) == nil { displaced.insert(photo) }
    }
  }

  mutating func apply(_ changes: [PhotoChange]) {
    var moves = Moves()
    for change in changes {
      switch change {
      case .present(let path): addFile(at: path, &moves)
      case .absent(let path):
        guard let photo = find(path, moves) else { continue }
        moves.displace(photo, from: path)
        moves.absent[path] = photo
      case .renamed(let old, let new):
        guard let photo = find(old, moves) else {
          addFile(at: new, &moves)
          continue
        }
        if let other = find(new, moves), other != photo { moves.displace(other, from: new) }
        moves.displace(photo, from: old)
        moves.placed[new] = photo
      case .annotated(let path): updates.annotated += annotated(path, moves)
      }
    }
    apply(moves)
  }

  /// Returns the photo that has a path after the moves so far; nil if there is none.
  private func find(_ path: PhotoPath, _ moves: Moves) -> Photo.ID? {
    if let photo = moves.placed[path] { return photo }
    let position = index.table.position(of: path, in: listing)
    guard position.isFound, !moves.displaced.contains(listing[position.index]) else { return nil }
    return listing[position.index]
  }

  /// Returns the photos that a sidecar belongs to, by its path without ".xmp".
  private func annotated(_ path: PhotoPath, _ moves: Moves) -> [Photo.ID] {
    if let photo = find(path, moves) { return [photo] }
    return ImageFormat.fileExtensions.flatMap { [$0, $0.uppercased()] }.compactMap {
      find(PhotoPath(root: path.root, path: path.path + ".\($0)".utf8), moves)
    }
  }

  private mutating func addFile(at path: PhotoPath, _ moves: inout Moves) {
    if let photo = find(path, moves) {
      updates.changed.append(photo)
    } else if let photo = moves.absent.removeValue(forKey: path) {
      updates.changed.append(photo)
      moves.placed[path] = photo
    } else {
      moves.placed[path] = photo(at: path)
    }
  }

  private mutating func apply(_ moves: Moves) {
    remove(moves.displaced, except: Set(moves.placed.values))
    for (path, photo) in moves.placed where index.table.path(of: photo) != path {
      index.rename(photo, to: path)
      updates.renamed.append(photo)
    }
    let paths = index.table
    insert(moves.placed.values.sorted { paths.precedes($0, $1) })
  }
}

/// Applying the results of file operations, before the lister reports them as changes.
///
/// These functions must not be called while a folder is listed again, because a relisting compares
/// photos by their indices.
extension Catalog {
  /// Removes photos that were moved to the trash or another folder.
  mutating func removeMoved(_ photos: Set<Photo.ID>) {
    guard isOrdered else {
      listing.removeAll { photos.contains($0) }
      updates.isRearranged = true
      return
    }
    let paths = index.table
    remove(
      photos.filter { photo in
        let position = paths.position(of: paths.path(of: photo), in: listing)
        return position.isFound && listing[position.index] == photo
      })
    // A file that is later created at the same path is a new photo.
    for photo in photos { removed[paths.path(of: photo)] = nil }
  }

  /// Inserts photos that were restored from the trash or moved back.
  mutating func insertRestored(_ photos: [Photo.ID]) {
    let paths = index.table
    for photo in photos {
      let path = paths.path(of: photo)
      ignored.remove(path)
      removed[path] = nil
      updates.changed.append(photo)
      if isOrdered {
        let position = paths.position(of: path, in: listing)
        if position.isFound {
          // The lister has already reported the file, as a new photo.
          guard listing[position.index] != photo else { continue }
          listing[position.index] = photo
        } else {
          insert([photo])
        }
      } else {
        // A list has its photos in the order of their IDs.
        let position = listing.firstIndex { $0.index >= photo.index } ?? listing.count
        guard position == listing.count || listing[position] != photo else { continue }
        listing.insert(photo, at: position)
      }
      updates.isRearranged = true
    }
  }

  /// Changes the paths of photos, which keep their IDs and move to their new indices.
  ///
  /// - Parameters:
  ///   - renamings: The photos with their new paths.
  ///   - visible: The photos among them that are in the current location.
  mutating func rename(
    _ renamings: [(photo: Photo.ID, path: PhotoPath)], listed visible: Set<Photo.ID>
  ) {
    let changed = renamings.filter { index.table.path(of: $0.photo) != $0.path }
    guard !changed.isEmpty else { return }
    for (_, path) in changed { ignored.remove(path) }
    // Photos may exchange their names, so all leave the listing before the first gets its new one.
    var listed: [Photo.ID] = []
    if isOrdered {
      listed = changed.map(\.photo).filter { isListed($0) }
      removeFromListing(listed)
      listed += changed.map(\.photo).filter { visible.contains($0) && takeMissing($0) }
      // Other photos that are listed at these paths were overwritten.
      let paths = index.table
      removeFromListing(
        changed.compactMap { change in
          let other = paths.position(of: change.path, in: listing)
          return other.isFound ? listing[other.index] : nil
        })
    }
    for (photo, path) in changed { index.rename(photo, to: path) }
    let paths = index.table
    if isOrdered { insert(listed.sorted { paths.precedes($0, $1) }) }
    updates.renamed += changed.map(\.photo)
    updates.isRearranged = true
  }

  /// Returns whether a photo is in the listing at its path.
  private func isListed(_ photo: Photo.ID) -> Bool {
    let position = index.table.position(of: index.table.path(of: photo), in: listing)
    return position.isFound && listing[position.index] == photo
  }

  /// Removes the record of a photo as missing at its path, and returns whether there was one.
  private mutating func takeMissing(_ photo: Photo.ID) -> Bool {
    let path = index.table.path(of: photo)
    guard removed[path] == photo else { return false }
    removed[path] = nil
    return true
  }

  private mutating func removeFromListing(_ photos: [Photo.ID]) {
    let paths = index.table
    listing.remove(
      at: photos.map { paths.position(of: paths.path(of: $0), in: listing).index }.sorted())
  }

  /// Applies an operation on a photo of a folder that is not shown any more.
  ///
  /// The folder is listed again when it is entered, and the photo keeps its ID.
  mutating func updateLeftFolder(of photo: Photo.ID, exists: Bool) {
    let path = index.table.path(of: photo)
    removed[path] = exists ? photo : nil
    if exists { ignored.remove(path) }
    dropListings(with: index.table.folder(of: photo))
  }

  /// Ignores all further reports about a path that was given by the user.
  ///
  /// A photo that was given by its path keeps its tile if its file is missing, unless this program
  /// has removed the file.
  mutating func ignore(_ path: PhotoPath) { ignored.insert(path) }
}
