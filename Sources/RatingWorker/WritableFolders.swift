import PhotoGridCore
import WorkerProtocol

/// The folders in which a rating process may write, and those in which it may read if it writes,
/// determined by its first request.
///
/// Finding the folders resolves paths, but reads no files.
struct WritableFolders {
  /// Empty if the request only reads a rating.
  private let writable: Set<[UInt8]>
  /// Those of the photo, its film and their sidecars.
  private let readable: Set<[UInt8]>

  init(_ request: RatingProtocol.Request) {
    let films = LivePhoto.canHaveFilm(request.path) ? LivePhoto.films(beside: request.path) : []
    let photos = [request.path] + films
    let sidecars = photos.flatMap { Sidecar.paths(ofPhoto: $0) }
    let written = (request.isEmbedded ? [request.path] : []) + sidecars
    writable = request.edit == nil ? [] : Set(written.map(Self.folder))
    readable = Set((photos + sidecars).map(Self.folder))
  }

  /// Returns the folder of the file at a path.
  ///
  /// A symbolic link stays, and the file that it points to is read and replaced.
  private static func folder(of path: [UInt8]) -> [UInt8] {
    let file = AtomicFile.resolved(path)
    let folder = Array(file[..<file.nameStart])
    return AtomicFile.resolved(folder.isEmpty ? [0x2e] : folder)
  }

  /// The paths of the folders to write in.
  var written: [[UInt8]] { Array(writable) }
  /// The paths of the folders to read in, if there are any to write in.
  var read: [[UInt8]] { Array(readable) }

  /// Whether a process with these folders may perform a request.
  func contain(those request: RatingProtocol.Request) -> Bool {
    // A process that writes nowhere reads anywhere.
    if writable.isEmpty { return request.edit == nil }
    let others = WritableFolders(request)
    return others.writable.isSubset(of: writable) && others.readable.isSubset(of: readable)
  }
}
