import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

/// Applying the results of file operations, before the lister reports them as changes.
///
/// Not valid while a folder is listed again, when photos are compared by their indices.
extension Catalog {
  /// Removes photos that were moved to the trash.
  mutating func removeTrashed(_ photos: Set<Photo.ID>) {
    guard isOrdered else {
      listing.removeAll { photos.contains($0) }
      updates.isRearranged = true
      return
    }
    let paths = index.table
    remove(
      photos.filter { photo in
        let place = paths.position(of: paths.path(of: photo), in: listing)
        return place.isFound && listing[place.index] == photo
      })
    // A file that is created at the same path is another photo.
    for photo in photos { removed[paths.path(of: photo)] = nil }
  }

  /// Inserts photos that were restored from the trash.
  mutating func insertRestored(_ photos: [Photo.ID]) {
    let paths = index.table
    for photo in photos {
      let path = paths.path(of: photo)
      ignored.remove(path)
      removed[path] = nil
      updates.changed.append(photo)
      if isOrdered {
        let place = paths.position(of: path, in: listing)
        if place.isFound {
          // The lister was faster, and reported a new photo.
          guard listing[place.index] != photo else { continue }
          listing[place.index] = photo
        } else {
          insert([photo])
        }
      } else {
        // A list has its photos in the order of their IDs.
        let place = listing.firstIndex { $0.index >= photo.index } ?? listing.count
        guard place == listing.count || listing[place] != photo else { continue }
        listing.insert(photo, at: place)
      }
      updates.isRearranged = true
    }
  }

  /// Changes the path of a photo, which keeps its ID and moves to its new index.
  mutating func rename(_ photo: Photo.ID, to path: PhotoPath) {
    let old = index.table.path(of: photo)
    guard old != path else { return }
    ignored.remove(path)
    if isOrdered {
      let place = index.table.position(of: old, in: listing)
      let isListed = place.isFound && listing[place.index] == photo
      if isListed { listing.remove(at: place.index) }
      // Another photo that is listed at that path was overwritten.
      let other = index.table.position(of: path, in: listing)
      if other.isFound { listing.remove(at: other.index) }
      index.rename(photo, to: path)
      if isListed { insert([photo]) }
    } else {
      index.rename(photo, to: path)
    }
    updates.renamed.append(photo)
    updates.isRearranged = true
  }

  /// Applies an operation on a photo of a folder that was left.
  ///
  /// That folder is listed again when it is entered, and the photo keeps its ID.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - exists: Whether its file exists at its path.
  mutating func updateLeftFolder(of photo: Photo.ID, exists: Bool) {
    let path = index.table.path(of: photo)
    removed[path] = exists ? photo : nil
    if exists { ignored.remove(path) }
    dropListings(with: index.table.folder(of: photo))
  }

  /// Ignores all further reports about a path.
  ///
  /// A photo that was given by its path keeps its tile even if its file is removed, except by this
  /// program.
  mutating func ignore(_ path: PhotoPath) { ignored.insert(path) }
}
