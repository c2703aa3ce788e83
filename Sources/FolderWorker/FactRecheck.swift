import FactIndex
import PhotoGridCore
import WorkerProtocol
import WorkerRuntime

/// Checks, after a listing, whether the files whose facts came from the index have changed since.
///
/// Calling `stat` for each file takes as long as listing them all, so facts are reported along with
/// the names, and changed files are reported afterwards. The check proceeds in pieces, and requests
/// are answered between them.
struct FactRecheck {
  private var folders: ArraySlice<FolderWalk.Start> = []
  private var includesHidden = false
  private var current: (folder: FolderWalk.Start, contents: IndexedFolder)?
  /// Whether the folder in `current` has sidecars.
  private var sidecars = SidecarFolder()
  /// The index of the next file in `current`.
  private var next = 0

  /// The most files to check in one piece.
  private static let pieceLength = 256

  /// Whether there is nothing to check.
  var isDone: Bool { folders.isEmpty && current == nil }

  /// Adds folders that were listed with facts.
  mutating func add(_ folders: [FolderWalk.Start], _ request: ListingRequest) {
    includesHidden = request.includesHidden
    self.folders += folders
  }

  /// Checks some of the files.
  ///
  /// - Parameter index: The index that the facts came from.
  /// - Returns: The files that exist and have changed, and those whose sidecars have.
  mutating func advance(with index: IndexLookup?) -> [PhotoChange] {
    guard let index else {
      self = FactRecheck()
      return []
    }
    if current == nil, let folder = folders.popFirst() {
      next = 0
      current = index.contents(ofFolder: folder.folder).map { (folder, $0) }
      sidecars.enter(folder.folder)
    }
    guard let (folder, contents) = current else { return [] }
    let piece = next..<min(next + Self.pieceLength, contents.count)
    next = piece.upperBound
    if next == contents.count { current = nil }
    return piece.compactMap { position in
      let name = Array(contents.name(position))
      let path = folder.folder + name
      guard includesHidden || name.first != 0x2e,
        let stamp = FileStamp(of: path, withSidecar: !sidecars.isEmpty),
        EntryKind.isImage(name, at: path)
      else { return nil }
      if contents.hasStamp(position), stamp != contents.stamp(position) {
        let known = contents.stamp(position)
        let isSame =
          stamp.byteCount == known.byteCount && stamp.modified == known.modified
          && stamp != FileStamp(of: path)
        let photo = PhotoPath(root: folder.root, path: path)
        // Only its sidecar has changed.
        return isSame ? .annotated(photo) : .present(photo)
      }
      guard let rated = contents.ratingStamp(position),
        RatingStamp.of(photo: path, hasSidecars: !sidecars.isEmpty) != rated
      else { return nil }
      return .annotated(PhotoPath(root: folder.root, path: path))
    }
  }
}
