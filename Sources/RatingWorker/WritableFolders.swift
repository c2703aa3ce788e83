import PhotoGridCore
import WorkerProtocol

/// The folders in which a process that rates can write, which its first request decides.
///
/// The files in question are only looked up for that, and not read.
struct WritableFolders {
  private let folders: Set<[UInt8]>

  /// The folders in which a request changes files; none if it only reads a rating.
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
        // A file is replaced where a link to it leads.
        let file = WholeFile.resolved(path)
        let folder = Array(file[..<file.nameStart])
        return WholeFile.resolved(folder.isEmpty ? [0x2e] : folder)
      })
  }

  /// The paths of the folders.
  var paths: [[UInt8]] { Array(folders) }

  /// Whether a request changes files in these folders alone.
  func contain(those request: RatingProtocol.Request) -> Bool {
    WritableFolders(request).folders.isSubset(of: folders)
  }
}
