import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

/// Following file operations before the lister reports them, which then changes nothing.
///
/// Not while a place is listed again, whose photos are counted by their places.
extension Catalog {
  /// Removes photos that are in the trash.
  mutating func withdraw(_ photos: Set<Photo.ID>) {
    guard isOrdered else {
      listing.removeAll { photos.contains($0) }
      news.isRearranged = true
      return
    }
    let paths = index.table
    remove(
      photos.filter { photo in
        let place = paths.position(of: paths.path(of: photo), in: listing)
        return place.isFound && listing[place.index] == photo
      })
    // Another file that takes the name meanwhile is another photo.
    for photo in photos { removed[paths.path(of: photo)] = nil }
  }

  /// Puts back photos that are out of the trash, at their places.
  mutating func readmit(_ photos: [Photo.ID]) {
    let paths = index.table
    for photo in photos {
      let path = paths.path(of: photo)
      ignored.remove(path)
      removed[path] = nil
      news.changed.append(photo)
      if isOrdered {
        let place = paths.position(of: path, in: listing)
        if place.isFound {
          // The lister was first, and reported a new photo.
          guard listing[place.index] != photo else { continue }
          listing[place.index] = photo
        } else {
          insert([photo])
        }
      } else {
        // A list has its photos in the order of their numbers.
        let place = listing.firstIndex { $0.index >= photo.index } ?? listing.count
        guard place == listing.count || listing[place] != photo else { continue }
        listing.insert(photo, at: place)
      }
      news.isRearranged = true
    }
  }

  /// Gives a photo another path; it keeps its identity, and in folders it gets another place.
  mutating func rename(_ photo: Photo.ID, to path: PhotoPath) {
    let old = index.table.path(of: photo)
    guard old != path else { return }
    ignored.remove(path)
    if isOrdered {
      let place = index.table.position(of: old, in: listing)
      let isListed = place.isFound && listing[place.index] == photo
      if isListed { listing.remove(at: place.index) }
      // Another photo that was there may be known under that path, and is gone.
      let other = index.table.position(of: path, in: listing)
      if other.isFound { listing.remove(at: other.index) }
      index.rename(photo, to: path)
      if isListed { insert([photo]) }
    } else {
      index.rename(photo, to: path)
    }
    news.renamed.append(photo)
    news.isRearranged = true
  }

  /// Follows an operation on a photo of a location that was left: its folder is listed again when it
  /// is entered, and the photo keeps its identity.
  mutating func expect(_ photo: Photo.ID, isThere: Bool) {
    let path = index.table.path(of: photo)
    removed[path] = isThere ? photo : nil
    if isThere { ignored.remove(path) }
    forgetPlaces(with: index.table.folder(of: photo))
  }

  /// Ignores a path from now on.
  ///
  /// A photo that the command line names keeps its tile even if its file is removed, unless it was
  /// this program that removed it.
  mutating func ignore(_ path: PhotoPath) { ignored.insert(path) }
}
