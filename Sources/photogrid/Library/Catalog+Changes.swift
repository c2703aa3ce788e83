import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

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

  /// Applies changes in order.
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
    let place = index.table.position(of: path, in: listing)
    guard place.isFound, !moves.displaced.contains(listing[place.index]) else { return nil }
    return listing[place.index]
  }

  /// Returns the photos that a sidecar belongs to, by its path without ".xmp".
  private func annotated(_ path: PhotoPath, _ moves: Moves) -> [Photo.ID] {
    if let photo = find(path, moves) { return [photo] }
    return ImageFormat.fileExtensions.flatMap { [$0, $0.uppercased()] }.compactMap {
      find(PhotoPath(root: path.root, path: path.path + ".\($0)".utf8), moves)
    }
  }

  /// Records a file that was created or changed.
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

  /// Applies moves to the listing.
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
