import PhotoGridCore
import WorkerProtocol

/// The paths of all photos, and of folders that have a tile, as the bytes that the system knows
/// them by; those of folders end in a slash.
///
/// A folder's path is held once; the names lie in one piece of memory, with nine bytes beside each.
package struct PathTable: Sendable {
  /// One after the other, a NUL behind each.
  private var names: [UInt8] = []
  /// Where each photo's name begins.
  private var starts: [UInt32] = []
  /// Each photo's folder, by its place in `folders`.
  private var folderNumbers: [UInt32] = []
  private var folders: [Folder] = []
  private var numbers: [Folder: UInt32] = [:]

  /// A folder as it is reached through one of the roots.
  private struct Folder: Hashable {
    var root: Int32
    /// With its slash; empty for the current one.
    var path: [UInt8]
  }

  /// A table without paths.
  package init() {}

  /// How many photos there are.
  package var count: Int { starts.count }

  /// The path of a photo, as given or found; never with a NUL.
  package subscript(photo: Photo.ID) -> [UInt8] { folder(of: photo) + name(of: photo) }

  /// The path of a photo, and the number of the root through which it is listed.
  package func path(of photo: Photo.ID) -> PhotoPath {
    PhotoPath(root: Int(entry(of: photo).root), path: self[photo])
  }

  /// What stands before a photo's name in its path: a folder with its slash, or nothing.
  package func folder(of photo: Photo.ID) -> [UInt8] { entry(of: photo).path }

  /// The last part of a photo's path.
  package func name(of photo: Photo.ID) -> ArraySlice<UInt8> {
    let start = Int(starts[photo.index])
    return names[start..<(names[start...].firstIndex(of: 0) ?? names.count)]
  }

  /// The names of a photo and those with the next numbers, as far as they are of the same folder.
  package func names(from photo: Photo.ID, atMost limit: Int) -> NameBatch {
    let folder = folderNumbers[photo.index]
    let start = Int(starts[photo.index])
    var (next, end) = (photo.index, start)
    // Those of photos that were renamed lie elsewhere.
    while next < count, next - photo.index < limit, folderNumbers[next] == folder,
      Int(starts[next]) == end
    {
      end = (names[end...].firstIndex(of: 0) ?? names.count - 1) + 1
      next += 1
    }
    return NameBatch(
      first: photo, folder: folders[Int(folder)].path, names: Array(names[start..<end]))
  }

  private func entry(of photo: Photo.ID) -> Folder { folders[Int(folderNumbers[photo.index])] }

  // MARK: - Filling

  /// Adds a path of the first root under the next number.
  ///
  /// - Returns: the photo's identity; nil where the table is full, at 4 GiB of names.
  @discardableResult
  package mutating func append(_ path: some Collection<UInt8>) -> Photo.ID? {
    let added = append(PhotoBatch(root: 0, path: Array(path)))
    return added.isEmpty ? nil : Photo.ID(added.lowerBound)
  }

  /// Adds photos under the next numbers.
  ///
  /// - Returns: their numbers; none where the table would have more than 4 GiB of names.
  package mutating func append(_ batch: PhotoBatch) -> Range<Int> {
    let first = count
    guard UInt32(exactly: names.count + batch.names.count) != nil,
      first + batch.count < Int(Int32.max)
    else { return first..<first }
    let folder = number(of: Folder(root: Int32(clamping: batch.root), path: batch.folder))
    let base = names.count
    names.append(contentsOf: batch.names)
    var start = base
    batch.names.withUnsafeBufferPointer { bytes in
      for (place, byte) in bytes.enumerated() where byte == 0 {
        starts.append(UInt32(start))
        start = base + place + 1
      }
    }
    folderNumbers.append(contentsOf: repeatElement(folder, count: batch.count))
    return first..<count
  }

  /// Gives a photo another path; its old name's memory is not used again.
  package mutating func rename(_ photo: Photo.ID, to path: PhotoPath) {
    let batch = PhotoBatch(root: path.root, path: path.path)
    guard let start = UInt32(exactly: names.count),
      UInt32(exactly: names.count + batch.names.count) != nil
    else { return }
    names.append(contentsOf: batch.names)
    starts[photo.index] = start
    folderNumbers[photo.index] = number(
      of: Folder(root: Int32(clamping: path.root), path: batch.folder))
  }

  /// Has photos listed through another root; their paths stay.
  package mutating func reroot(_ photos: some Sequence<Photo.ID>, to root: Int) {
    for photo in photos where entry(of: photo).root != root {
      folderNumbers[photo.index] = number(
        of: Folder(root: Int32(clamping: root), path: folder(of: photo)))
    }
  }

  private mutating func number(of folder: Folder) -> UInt32 {
    // Mostly it is the one of the photos before.
    if let last = folderNumbers.last, folders[Int(last)] == folder { return last }
    if let number = numbers[folder] { return number }
    let number = UInt32(folders.count)
    folders.append(folder)
    numbers[folder] = number
    return number
  }

  // MARK: - Order

  /// Whether a photo comes before another one in the order of the listing: root after root, in each
  /// as `ListingOrder` has it.
  package func precedes(_ left: Photo.ID, _ right: Photo.ID) -> Bool {
    if folderNumbers[left.index] == folderNumbers[right.index] {
      return ListingOrder.precedes(name(of: left), name(of: right))
    }
    let (a, b) = (entry(of: left), entry(of: right))
    if a.root != b.root { return a.root < b.root }
    return ListingOrder.precedes((a.path, name(of: left)), (b.path, name(of: right)))
  }

  /// Whether a photo comes before (below 0) or after (above 0) the name of a batch; 0 where it is
  /// the one.
  package func order(of photo: Photo.ID, _ batch: PhotoBatch, _ name: ArraySlice<UInt8>) -> Int {
    let entry = entry(of: photo)
    if Int(entry.root) != batch.root { return Int(entry.root) - batch.root }
    let folders = ListingOrder.order(of: entry.path, batch.folder)
    guard folders == 0 else { return folders }
    let own = self.name(of: photo)
    return own == name ? 0 : ListingOrder.precedes(own, name) ? -1 : 1
  }

  /// The place of a path among photos in the order of the listing, and whether one of them has it.
  package func place(
    of path: PhotoPath, in order: [Photo.ID]
  ) -> (index: Int, isFound: Bool) {
    let start = PhotoPath.nameStart(in: path.path)
    let folder = PhotoBatch(root: path.root, folder: Array(path.path[..<start]))
    let name = path.path[start...]
    let index = firstIndex(in: order) { self.order(of: $0, folder, name) >= 0 }
    return (index, index < order.count && self.order(of: order[index], folder, name) == 0)
  }

  /// The photos of a folder, or of it and its subfolders, among photos in the order of the listing.
  package func range(of place: ListedPlace, in order: [Photo.ID]) -> Range<Int> {
    func isBefore(_ photo: Photo.ID) -> Bool {
      let entry = entry(of: photo)
      if Int(entry.root) != place.root { return Int(entry.root) < place.root }
      return ListingOrder.order(of: entry.path, place.folder) < 0
    }
    func isInside(_ photo: Photo.ID) -> Bool {
      let entry = entry(of: photo)
      guard Int(entry.root) == place.root else { return false }
      return place.isDeep ? entry.path.starts(with: place.folder) : entry.path == place.folder
    }
    let start = firstIndex(in: order) { !isBefore($0) }
    let end = firstIndex(in: order) { !isBefore($0) && !isInside($0) }
    return start..<max(end, start)
  }

  /// The first index from which on a condition holds, which holds up to the end then.
  private func firstIndex(in order: [Photo.ID], where holds: (Photo.ID) -> Bool) -> Int {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(order[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
