import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

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
        let place = paths.position(of: paths.path(of: photo), in: listing)
        return place.isFound && listing[place.index] == photo
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
        let place = paths.position(of: path, in: listing)
        if place.isFound {
          // The lister has already reported the file, as a new photo.
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
    let place = index.table.position(of: index.table.path(of: photo), in: listing)
    return place.isFound && listing[place.index] == photo
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

  /// Ignores all further reports about a path that was given by the user.
  ///
  /// A photo that was given by its path keeps its tile if its file is missing, unless this program
  /// has removed the file.
  mutating func ignore(_ path: PhotoPath) { ignored.insert(path) }
}
