import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

/// Following changes of single files, as the lister reports them.
extension Catalog {
  /// Where photos are after some changes, before the listing is changed.
  private struct Moves {
    /// Photos at their new paths.
    var placed: [PhotoPath: Photo.ID] = [:]
    /// Photos that left their places in the listing.
    var displaced: Set<Photo.ID> = []
    /// Photos without a file, by their last paths: one that is back is the same photo.
    var absent: [PhotoPath: Photo.ID] = [:]

    mutating func displace(_ photo: Photo.ID, from path: PhotoPath) {
      if placed.removeValue(forKey: path) == nil { displaced.insert(photo) }
    }
  }

  /// Applies changes in their order.
  mutating func take(_ changes: [PhotoChange]) {
    var moves = Moves()
    for change in changes {
      switch change {
      case .present(let path): arrive(at: path, &moves)
      case .absent(let path):
        guard let photo = find(path, moves) else { continue }
        moves.displace(photo, from: path)
        moves.absent[path] = photo
      case .renamed(let old, let new):
        guard let photo = find(old, moves) else {
          arrive(at: new, &moves)
          continue
        }
        if let other = find(new, moves), other != photo { moves.displace(other, from: new) }
        moves.displace(photo, from: old)
        moves.placed[new] = photo
      }
    }
    apply(moves)
  }

  private func find(_ path: PhotoPath, _ moves: Moves) -> Photo.ID? {
    if let photo = moves.placed[path] { return photo }
    let place = index.table.position(of: path, in: listing)
    guard place.isFound, !moves.displaced.contains(listing[place.index]) else { return nil }
    return listing[place.index]
  }

  private mutating func arrive(at path: PhotoPath, _ moves: inout Moves) {
    if let photo = find(path, moves) {
      news.changed.append(photo)
    } else if let photo = moves.absent.removeValue(forKey: path) {
      news.changed.append(photo)
      moves.placed[path] = photo
    } else {
      moves.placed[path] = photo(at: path)
    }
  }

  private mutating func apply(_ moves: Moves) {
    remove(moves.displaced, except: Set(moves.placed.values))
    for (path, photo) in moves.placed where index.table.path(of: photo) != path {
      index.rename(photo, to: path)
      news.renamed.append(photo)
    }
    let paths = index.table
    insert(moves.placed.values.sorted { paths.precedes($0, $1) })
  }
}
