import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

/// Applying the results of file operations.
extension LibraryController {
  /// Applies results to the catalog, before the lister reports them as changes.
  mutating func apply(_ results: [FileResult]) {
    var trashed: Set<Photo.ID> = []
    var restored: [Photo.ID] = []
    for result in results {
      // Undoing an operation of an earlier session changes files without known photos; the lister
      // finds them.
      guard let photo = result.task.photo else { continue }
      let path = index.table.path(of: photo)
      switch (result.task, result.outcome) {
      case (.trash, .trashed):
        if source.isGiven(path) { catalog.ignore(path) }
        trashed.insert(photo)
        if !isInLocation(photo) { catalog.updateLeftFolder(of: photo, exists: false) }
      case (.restore, .done):
        if isInLocation(photo) {
          restored.append(photo)
        } else {
          catalog.updateLeftFolder(of: photo, exists: true)
        }
      case (.rename(_, let name), .done):
        if source.isGiven(path) { catalog.ignore(path) }
        let folder = index.table.folder(of: photo)
        catalog.rename(photo, to: PhotoPath(root: path.root, path: folder + name))
        if !isInLocation(photo) { catalog.updateLeftFolder(of: photo, exists: true) }
      default: break  // the file has not moved
      }
    }
    if !trashed.isEmpty { catalog.removeTrashed(trashed) }
    catalog.insertRestored(restored)
  }

  /// Whether a photo's file is in the location that is shown, rather than in one that was left.
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
