import PhotoGridCore
import WorkerProtocol

/// The folders in which a rating process may write, determined by its first request.
///
/// Finding the folders resolves paths, but reads no files.
struct WritableFolders {
  private let folders: Set<[UInt8]>

  /// Finds the folders in which a request changes files; none if it only reads a rating.
  init(_ request: RatingProtocol.Request) {
    guard request.edit != nil else {
      folders = []
      return
    }
    var paths = request.isEmbedded ? [request.path] : []
    let films = LivePhoto.canHaveFilm(request.path) ? LivePhoto.films(beside: request.path) : []
    for photo in [request.path] + films { paths += Sidecar.paths(ofPhoto: photo) }
    folders = Set(
      paths.map { path in
        // A symbolic link stays, and the file that it points to is replaced.
        let file = AtomicFile.resolved(path)
        let folder = Array(file[..<file.nameStart])
        return AtomicFile.resolved(folder.isEmpty ? [0x2e] : folder)
      })
  }

  /// The paths of the folders.
  var paths: [[UInt8]] { Array(folders) }

  /// Whether a request changes files in these folders only.
  func contain(those request: RatingProtocol.Request) -> Bool {
    WritableFolders(request).folders.isSubset(of: folders)
  }
}
