import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

/// Applying the results of file operations.
extension LibraryController {
  /// The changes of the catalog that follow from results.
  private struct Changes {
    var removed: Set<Photo.ID> = []
    var restored: [Photo.ID] = []
    var renamed: [(Photo.ID, MovedFile)] = []
  }

  /// Applies results to the catalog, before the lister reports them as changes.
  mutating func apply(_ results: [FileResult]) {
    var changes = Changes()
    for result in results {
      // Undoing an operation of an earlier session changes files without known photos; the lister
      // finds them.
      for (place, photo) in result.task.photos.enumerated() {
        collect(result, of: photo, at: place, into: &changes)
      }
    }
    if !changes.removed.isEmpty { catalog.removeMoved(changes.removed) }
    catalog.insertRestored(changes.restored)
    rename(changes.renamed)
  }

  /// Adds the change that a result means for one of its photos.
  private mutating func collect(
    _ result: FileResult, of photo: Photo.ID, at place: Int, into changes: inout Changes
  ) {
    switch (result.task, result.outcome) {
    case (.trash, .trashed): remove(photo, into: &changes)
    // The picture is read again now, without waiting for the lister to report the change.
    case (.turn, .done): catalog.updates.changed.append(photo)
    case (.restore, .done): restore(photo, into: &changes)
    case (.rename, .moved(let files)), (.moveBack, .moved(let files)):
      guard files.indices.contains(place) else { return }
      if !files[place].isInOneFolder, index.table[photo] == files[place].target {
        restore(photo, into: &changes)
      } else {
        changes.renamed.append((photo, files[place]))
      }
    case (.move, .moved(let files)):
      // The lister may have reported the new path already.
      guard files.indices.contains(place), index.table[photo] == files[place].source else { return }
      remove(photo, into: &changes)
    default: break  // the file has not moved
    }
  }

  /// Removes a photo whose file has left its folder.
  private mutating func remove(_ photo: Photo.ID, into changes: inout Changes) {
    let path = index.table.path(of: photo)
    if source.isGiven(path) { catalog.ignore(path) }
    changes.removed.insert(photo)
    if !isInLocation(photo) { catalog.updateLeftFolder(of: photo, exists: false) }
  }

  /// Inserts a photo whose file is at its path again.
  private mutating func restore(_ photo: Photo.ID, into changes: inout Changes) {
    if isInLocation(photo) {
      changes.restored.append(photo)
    } else {
      catalog.updateLeftFolder(of: photo, exists: true)
    }
  }

  /// Returns the old and new paths of photos in the current location that were moved or renamed.
  func changedPaths(of results: [FileResult]) -> Set<PhotoPath> {
    var paths: Set<PhotoPath> = []
    for result in results {
      switch result.task {
      case .trash, .restore, .rename, .move, .moveBack: break
      // The lister reports new and removed copies, and a turned photo stays where it is.
      case .copy, .removeCopies, .turn, .findRecorded, .undoRecorded: continue
      }
      for (place, photo) in result.task.photos.enumerated() where isInLocation(photo) {
        let path = index.table.path(of: photo)
        paths.insert(path)
        guard case .moved(let files) = result.outcome, files.indices.contains(place),
          files[place].isInOneFolder
        else { continue }
        paths.insert(PhotoPath(root: path.root, path: files[place].source))
        paths.insert(PhotoPath(root: path.root, path: files[place].target))
      }
    }
    return paths
  }

  /// Changes the paths of photos whose files were renamed.
  private mutating func rename(_ renamed: [(photo: Photo.ID, file: MovedFile)]) {
    let paths = renamed.map { index.table.path(of: $0.photo) }
    for path in paths where source.isGiven(path) { catalog.ignore(path) }
    catalog.rename(
      zip(renamed, paths).map { renamed, path in
        (renamed.photo, PhotoPath(root: path.root, path: renamed.file.target))
      }, listed: Set(renamed.map(\.photo).filter { isInLocation($0) }))
    for (photo, _) in renamed where !isInLocation(photo) {
      catalog.updateLeftFolder(of: photo, exists: true)
    }
  }

  /// Returns whether a photo's file is in the current location.
  private func isInLocation(_ photo: Photo.ID) -> Bool {
    guard source.isOrdered else { return true }
    let folder = index.table.folder(of: photo)
    return source.isGiven(index.table.path(of: photo))
      || location.roots.contains { root in
        let slash = UInt8(ascii: "/")
        let place = root.isEmpty || root.last == slash ? root : root + [slash]
        return isRecursive ? folder.starts(with: place) : folder == place
      }
  }
}
