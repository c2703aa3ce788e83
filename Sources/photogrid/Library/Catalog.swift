import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

/// Makes photos of what the source tells: gives them their numbers and their places.
struct Catalog {
  /// The photos that there are, in the order of the listing.
  var listing: [Photo.ID] = []
  /// Whether the source tells photos in an order that new ones have to keep.
  let isOrdered: Bool
  /// The numbers and paths of all photos.
  let index: PathIndex
  var news = News()
  private var relisting: Relisting?
  /// Photos that are gone, under the paths that they had: one that is back is the same photo.
  var removed: [PhotoPath: Photo.ID] = [:]
  /// Paths of which nothing is to be shown any more, whatever is told; see `Catalog+Files`.
  var ignored: Set<PhotoPath> = []

  /// What was in folders that were left, or looked into, by what stands before the names.
  private var known: [[UInt8]: [Photo.ID]] = [:]
  /// The listings of places that were left.
  private var left: [[UInt8]: [Photo.ID]] = [:]

  /// So many photos that are gone are remembered.
  private static let removedLimit = 10_000

  /// What has changed since it was last asked for.
  struct News {
    /// New photos, where they are behind all others and nothing else has changed.
    var appended: [Photo.ID] = []
    /// Whether photos are gone, or not behind all others.
    var isRearranged = false
    /// Photos that have other names than before.
    var renamed: [Photo.ID] = []
    /// Photos whose files may have changed.
    var changed: [Photo.ID] = []
  }

  /// All photos of a place, as far as they have been told.
  private struct Relisting {
    var place: ListedPlace
    /// Those known before; the ones before `next` have been told, or else they are gone.
    var known: Range<Int>
    var next: Int
    var gone: Set<Photo.ID> = []
    var new: [Photo.ID] = []
  }

  /// A catalog without photos.
  ///
  /// - Parameters:
  ///   - isOrdered: Whether photos are in the order of their folders and names; a list is not.
  ///   - index: Where photos get their numbers and paths.
  init(isOrdered: Bool, index: PathIndex) {
    self.isOrdered = isOrdered
    self.index = index
  }

  /// What has changed since the last call.
  mutating func takeNews() -> News {
    defer { news = News() }
    return news
  }

  // MARK: - Listing

  /// Takes photos that were found.
  mutating func take(_ batch: PhotoBatch) {
    if relisting != nil { return compare(batch) }
    guard known[batch.folder] != nil else {
      return insert(index.append(batch).map { Photo.ID($0) })
    }
    var photos: [Photo.ID] = []
    batch.forEachName { name in
      let path = PhotoPath(root: batch.root, path: batch.folder + name)
      if let photo = photo(at: path) { photos.append(photo) }
    }
    insert(photos)
  }

  /// Photos in order among themselves get their places.
  mutating func insert(_ photos: [Photo.ID]) {
    let paths = index.table
    if !isOrdered {
      listing += photos
    } else if !listing.merge(photos, by: { paths.precedes($0, $1) }) {
      news.isRearranged = true
    }
    news.appended += photos
  }

  /// Takes photos out, some of which may be back at once.
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
      at: photos.map { paths.place(of: paths.path(of: $0), in: listing).index }.sorted())
    news.isRearranged = true
  }

  /// A new photo, or one that was there before.
  private mutating func photo(at path: PhotoPath) -> Photo.ID? {
    guard !ignored.contains(path) else { return nil }
    if let photo = removed.removeValue(forKey: path) {
      news.changed.append(photo)
      return photo
    }
    if let photo = knownPhoto(at: path) {
      index.reroot(CollectionOfOne(photo), to: path.root)
      return photo
    }
    return index.append(PhotoBatch(root: path.root, path: path.path)).first.map { Photo.ID($0) }
  }

  // MARK: - Other places

  /// Leaves the listing of a place for that of another, each under the name by which it may be left
  /// and found again.
  ///
  /// What was in the other place when it was left is the listing then.
  mutating func move(from place: [UInt8], to other: [UInt8]) {
    relisting = nil
    news = News()
    var start = 0
    while start < listing.count {
      let folder = index.table.folder(of: listing[start])
      let end = listing[start...].firstIndex { index.table.folder(of: $0) != folder }
      known[folder] = Array(listing[start..<(end ?? listing.count)])
      start = end ?? listing.count
    }
    // With several roots a photo may since have been listed through another one.
    let isOneFolder = [listing.first, listing.last].compactMap(\.self).allSatisfy {
      index.table.path(of: $0).root == 0
    }
    if isOneFolder { left[place] = listing }
    listing = left[other] ?? []
  }

  /// Forgets what was in a folder, and in all places that show it.
  mutating func forgetPlaces(with folder: [UInt8]) {
    known[folder] = nil
    left = left.filter { !folder.starts(with: $0.key) }
  }

  /// Whether it is known what was in a place.
  func isKnown(_ place: [UInt8]) -> Bool { left[place] != nil }

  /// What has a path in any place that was seen.
  func photo(at path: [UInt8]) -> Photo.ID? {
    knownPhoto(at: PhotoPath(root: 0, path: path))
  }

  /// The identity of a photo that was seen in a folder from outside.
  mutating func sample(_ path: [UInt8]) -> Photo.ID? {
    let path = PhotoPath(root: 0, path: path)
    if let photo = knownPhoto(at: path) { return photo }
    let batch = PhotoBatch(root: path.root, path: path.path)
    guard let photo = index.append(batch).first.map({ Photo.ID($0) }) else { return nil }
    let paths = index.table
    _ = known[batch.folder, default: []].merge([photo], by: { paths.precedes($0, $1) })
    return photo
  }

  /// A photo of a folder that was left or looked into.
  private func knownPhoto(at path: PhotoPath) -> Photo.ID? {
    let folder = Array(path.path[..<PhotoPath.nameStart(in: path.path)])
    guard let known = known[folder], let first = known.first else { return nil }
    // Those of one folder were listed through one root, if perhaps another one than now.
    let root = index.table.path(of: first).root
    let place = index.table.place(of: PhotoPath(root: root, path: path.path), in: known)
    return place.isFound ? known[place.index] : nil
  }

  // MARK: - Listing again

  /// Whether the photos of a place are being told.
  var isRelisting: Bool { relisting != nil }

  /// All photos of a place come next.
  mutating func beginRelisting(_ place: ListedPlace) {
    let known = index.table.range(of: place, in: listing)
    relisting = Relisting(place: place, known: known, next: known.lowerBound)
  }

  /// Walks along the known photos and the told ones, both in the same order.
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
        list.gone.insert(photo)
      }
      unknown.append(PhotoPath(root: batch.root, path: batch.folder + name))
    }
    list.new += unknown.compactMap { photo(at: $0) }
    relisting = list
  }

  /// All photos of the place were told, unless not all could be read.
  mutating func endRelisting(isComplete: Bool) {
    guard let list = relisting else { return }
    relisting = nil
    if isComplete {
      remove(list.gone.union(listing[list.next..<list.known.upperBound]))
    }
    insert(list.new)
  }

  // MARK: - Changes

  /// Takes what happened to single photos, in its order.
  mutating func take(_ changes: [PhotoChange]) {
    // Nothing is moved before all is known.
    var placed: [PhotoPath: Photo.ID] = [:]
    var displaced: Set<Photo.ID> = []
    var absent: [PhotoPath: Photo.ID] = [:]
    func find(_ path: PhotoPath) -> Photo.ID? {
      if let photo = placed[path] { return photo }
      let place = index.table.place(of: path, in: listing)
      guard place.isFound, !displaced.contains(listing[place.index]) else { return nil }
      return listing[place.index]
    }
    func displace(_ photo: Photo.ID, from path: PhotoPath) {
      if placed.removeValue(forKey: path) == nil { displaced.insert(photo) }
    }
    func arrive(_ path: PhotoPath) {
      if let photo = find(path) {
        news.changed.append(photo)
      } else if let photo = absent.removeValue(forKey: path) {
        news.changed.append(photo)
        placed[path] = photo
      } else {
        placed[path] = photo(at: path)
      }
    }
    for change in changes {
      switch change {
      case .present(let path): arrive(path)
      case .absent(let path):
        guard let photo = find(path) else { continue }
        displace(photo, from: path)
        absent[path] = photo
      case .renamed(let old, let new):
        guard let photo = find(old) else {
          arrive(new)
          continue
        }
        if let other = find(new), other != photo { displace(other, from: new) }
        displace(photo, from: old)
        placed[new] = photo
      }
    }
    remove(displaced, except: Set(placed.values))
    for (path, photo) in placed where index.table.path(of: photo) != path {
      index.rename(photo, to: path)
      news.renamed.append(photo)
    }
    let paths = index.table
    insert(placed.values.sorted { paths.precedes($0, $1) })
  }
}
