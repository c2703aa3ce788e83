import Photos
import WorkerProtocol

/// The paths of all photos and of the folders that have tiles.
///
/// Paths are bytes, as the system has them; the path of a folder ends with a slash. A folder's path
/// is stored once for all its photos. A photo takes nine bytes in addition to its name.
package struct PathTable: Sendable {
  private var names = NameBlocks()
  /// The location of each photo's name.
  private var locations: [NameBlocks.Location] = []
  private var folderNumbers: [UInt32] = []
  private var folders: [Folder] = []
  private var numbers: [Folder: UInt32] = [:]
  private var folderByteCount = 0
  private let limits: Limits
  /// Whether a path was left out since `takeOverflow()`, because there was no room for it.
  private var hasOverflow = false

  /// The limits of a table, which apply whatever the process that lists folders sends.
  package struct Limits: Equatable, Sendable {
    /// The most photos and folders with tiles.
    package var count: Int
    /// The most bytes of names and of the paths of folders; below 2 GiB.
    package var byteCount: Int

    package init(count: Int = 5_000_000, byteCount: Int = 256 << 20) {
      precondition(count < Int(Int32.max) && byteCount <= NameBlocks.limit)
      (self.count, self.byteCount) = (count, byteCount)
    }
  }

  /// A folder below a root.
  private struct Folder: Hashable {
    var root: Int32
    /// The path, which ends with a slash; empty for the current folder.
    var path: [UInt8]

    /// The memory that a folder takes in addition to its path, in bytes.
    static let overhead = 128
  }

  package init(limits: Limits = Limits()) { self.limits = limits }

  package var count: Int { locations.count }

  /// The path of a photo as given or found: bytes without NUL.
  package subscript(photo: Photo.ID) -> [UInt8] { folder(of: photo) + name(of: photo) }

  /// The path of a photo with the index of its root.
  package func path(of photo: Photo.ID) -> PhotoPath {
    PhotoPath(root: Int(entry(of: photo).root), path: self[photo])
  }

  /// The part of a photo's path before its name: a folder that ends with a slash, or empty.
  package func folder(of photo: Photo.ID) -> [UInt8] { entry(of: photo).path }

  /// The last component of a photo's path.
  package func name(of photo: Photo.ID) -> ArraySlice<UInt8> { names[locations[photo.index]] }

  /// Returns the names of consecutive photos in the same folder.
  ///
  /// - Parameters:
  ///   - photo: The first photo.
  ///   - limit: The most photos.
  /// - Returns: At least the name of the first photo.
  package func names(from photo: Photo.ID, atMost limit: Int) -> NameBatch {
    let folder = folderNumbers[photo.index]
    let others = folderNumbers[photo.index...].prefix(limit).prefix { $0 == folder }
    return NameBatch(
      first: photo, folder: folders[Int(folder)].path,
      names: Array(names.consecutive(locations[others.indices])))
  }

  private func entry(of photo: Photo.ID) -> Folder { folders[Int(folderNumbers[photo.index])] }

  // MARK: - Changes

  /// Adds a path below the first root.
  ///
  /// - Returns: The photo's ID; nil if the table is full.
  @discardableResult
  package mutating func append(_ path: some Collection<UInt8>) -> Photo.ID? {
    let added = append(PhotoBatch(root: 0, path: Array(path)))
    return added.isEmpty ? nil : Photo.ID(added.lowerBound)
  }

  /// Adds the paths of a batch, as far as there is room for them.
  ///
  /// - Returns: The indices of their IDs; fewer than the batch has, or none, if the table is full.
  package mutating func append(_ batch: PhotoBatch) -> Range<Int> {
    let first = count
    let batch = fitting(batch)
    guard batch.count > 0 else { return first..<first }
    let folder = number(of: Folder(root: Int32(clamping: batch.root), path: batch.folder))
    let added = names.append(batch.names)
    locations += added
    folderNumbers += repeatElement(folder, count: added.count)
    return first..<count
  }

  package mutating func takeOverflow() -> Bool {
    defer { hasOverflow = false }
    return hasOverflow
  }

  /// Returns the first photos of a batch, as many as fit, and records whether any do not.
  private mutating func fitting(_ batch: PhotoBatch) -> PhotoBatch {
    let room = self.room(inFolderOf: batch)
    guard batch.count > limits.count - count || batch.names.count > room else { return batch }
    hasOverflow = true
    return batch.prefix(max(limits.count - count, 0), byteCount: max(room, 0))
  }

  /// Returns how many bytes of names fit into the table beside the folder of a batch.
  private func room(inFolderOf batch: PhotoBatch) -> Int {
    let folder = Folder(root: Int32(clamping: batch.root), path: batch.folder)
    let isKnown = folderNumbers.last.map { folders[Int($0)] == folder } ?? false
    let added = isKnown || numbers[folder] != nil ? 0 : folder.path.count + Folder.overhead
    return limits.byteCount - names.byteCount - folderByteCount - added
  }

  /// Sets the path of a photo, unless the table is full; the memory of its previous name is not
  /// reused.
  package mutating func rename(_ photo: Photo.ID, to path: PhotoPath) {
    let batch = PhotoBatch(root: path.root, path: path.path)
    guard batch.names.count <= room(inFolderOf: batch) else {
      hasOverflow = true
      return
    }
    guard let location = names.append(batch.names).first else { return }
    locations[photo.index] = location
    folderNumbers[photo.index] = number(
      of: Folder(root: Int32(clamping: path.root), path: batch.folder))
  }

  /// Sets the index of the root of photos; their paths stay.
  package mutating func reroot(_ photos: some Sequence<Photo.ID>, to root: Int) {
    for photo in photos where entry(of: photo).root != root {
      folderNumbers[photo.index] = number(
        of: Folder(root: Int32(clamping: root), path: folder(of: photo)))
    }
  }

  private mutating func number(of folder: Folder) -> UInt32 {
    // Usually it is the folder of the previous photo.
    if let last = folderNumbers.last, folders[Int(last)] == folder { return last }
    if let number = numbers[folder] { return number }
    let number = UInt32(folders.count)
    folders.append(folder)
    folderByteCount += folder.path.count + Folder.overhead
    numbers[folder] = number
    return number
  }

  // MARK: - Order

  /// Whether a photo comes before another in the order of the listing.
  ///
  /// Roots come in the order of the request, and paths below a root in the order of `ListingOrder`.
  package func precedes(_ left: Photo.ID, _ right: Photo.ID) -> Bool {
    if folderNumbers[left.index] == folderNumbers[right.index] {
      return ListingOrder.precedes(name(of: left), name(of: right))
    }
    let (a, b) = (entry(of: left), entry(of: right))
    if a.root != b.root { return a.root < b.root }
    return ListingOrder.precedes((a.path, name(of: left)), (b.path, name(of: right)))
  }

  /// Compares a photo with a name of a batch, in the order of the listing.
  ///
  /// - Returns: A negative number if the photo comes first, a positive number if the name does, and
  ///   0 if they are the same.
  package func order(of photo: Photo.ID, _ batch: PhotoBatch, _ name: ArraySlice<UInt8>) -> Int {
    let entry = entry(of: photo)
    if Int(entry.root) != batch.root { return Int(entry.root) - batch.root }
    let folders = ListingOrder.order(of: entry.path, batch.folder)
    guard folders == 0 else { return folders }
    let own = self.name(of: photo)
    return own == name ? 0 : ListingOrder.precedes(own, name) ? -1 : 1
  }

  /// Finds a path by binary search.
  ///
  /// - Parameters:
  ///   - path: The path to find.
  ///   - order: Photos in the order of the listing.
  /// - Returns: The index of the photo with that path, or the index at which it would be inserted.
  package func position(
    of path: PhotoPath, in order: [Photo.ID]
  ) -> (index: Int, isFound: Bool) {
    let start = path.path.nameStart
    let folder = PhotoBatch(root: path.root, folder: Array(path.path[..<start]))
    let name = path.path[start...]
    let index = firstIndex(in: order) { self.order(of: $0, folder, name) >= 0 }
    return (index, index < order.count && self.order(of: order[index], folder, name) == 0)
  }

  /// Finds the photos of a folder by binary search.
  ///
  /// - Parameters:
  ///   - listed: A folder, with or without its subfolders.
  ///   - order: Photos in the order of the listing.
  /// - Returns: The indices of the folder's photos in `order`.
  package func range(of listed: ListedFolder, in order: [Photo.ID]) -> Range<Int> {
    func isBefore(_ photo: Photo.ID) -> Bool {
      let entry = entry(of: photo)
      if Int(entry.root) != listed.root { return Int(entry.root) < listed.root }
      return ListingOrder.order(of: entry.path, listed.folder) < 0
    }
    func isInside(_ photo: Photo.ID) -> Bool {
      let entry = entry(of: photo)
      guard Int(entry.root) == listed.root else { return false }
      return listed.isDeep
        ? entry.path.starts(with: listed.folder) : entry.path == listed.folder
    }
    let start = firstIndex(in: order) { !isBefore($0) }
    let end = firstIndex(in: order) { !isBefore($0) && !isInside($0) }
    return start..<max(end, start)
  }

  /// Finds the first index whose photo satisfies a predicate that all later photos satisfy too.
  private func firstIndex(in order: [Photo.ID], where holds: (Photo.ID) -> Bool) -> Int {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(order[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The paths of all photos by their IDs, shared by everything that opens files.
package final class PathIndex {
  /// The paths as a value, for work on many of them.
  package private(set) var table: PathTable

  /// Creates an index without photos.
  package init(limits: PathTable.Limits = PathTable.Limits()) {
    table = PathTable(limits: limits)
  }

  package var count: Int { table.count }

  /// The path of a photo as given or found: bytes without NUL.
  package subscript(photo: Photo.ID) -> [UInt8] { table[photo] }

  package func append(_ paths: some Sequence<[UInt8]>) {
    for path in paths { table.append(path) }
  }

  /// Adds the paths of a batch, as far as there is room; their photos get the next IDs.
  ///
  /// - Returns: The indices of the IDs; fewer than the batch has, or none, if the table is full.
  @discardableResult
  package func append(_ batch: PhotoBatch) -> Range<Int> { table.append(batch) }

  /// Returns whether paths were left out since the last call, because there was no room for them.
  package func takeOverflow() -> Bool { table.takeOverflow() }

  package func rename(_ photo: Photo.ID, to path: PhotoPath) { table.rename(photo, to: path) }

  /// Sets the index of the root below which photos are listed; their paths stay.
  package func reroot(_ photos: some Sequence<Photo.ID>, to root: Int) {
    table.reroot(photos, to: root)
  }
}
