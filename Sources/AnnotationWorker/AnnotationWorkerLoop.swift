import Glibc
import Photos
import WorkerProtocol
import WorkerRuntime

/// The folders in which an annotation process may write, and those in which it may read if it writes,
/// determined by its first request.
///
/// Finding the folders resolves paths, but reads no files.
struct WritableFolders {
  /// Empty if the request only reads a rating.
  private let writable: Set<[UInt8]>
  /// Those of the photo, its film and their sidecars.
  private let readable: Set<[UInt8]>

  init(_ request: AnnotationProtocol.Request) {
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
    let file = (try? LockedFile.resolved(path)) ?? path
    let folder = Array(file[..<file.nameStart])
    return (try? LockedFile.resolved(folder.isEmpty ? [0x2e] : folder)) ?? folder
  }

  var written: [[UInt8]] { Array(writable) }
  /// The paths of the folders to read in, if there are any to write in.
  var read: [[UInt8]] { Array(readable) }

  /// Whether a process with these folders may perform a request.
  func contain(those request: AnnotationProtocol.Request) -> Bool {
    // A process that writes nowhere reads anywhere.
    if writable.isEmpty { return request.edit == nil }
    let others = WritableFolders(request)
    return others.writable.isSubset(of: writable) && others.readable.isSubset(of: readable)
  }
}

/// The process that reads and writes ratings, so that broken XMP or a slow disk harms nothing else.
///
/// It finishes all requests even if the program has ended. The sandbox lets it write only in the
/// folders of its first request; requests for other folders are sent back for another process.
package enum AnnotationWorkerLoop {
  /// Answers requests until the program closes the connection, then exits.
  package static func run(_ channel: Channel, _ mode: SandboxMode) -> Never {
    var confinement = Confinement(mode, endsWithProgram: false)
    confinement.limitAnnotator()
    var folders: WritableFolders?
    var (isReplaced, isTidy) = (false, false)
    var requests = RequestLoop<AnnotationProtocol.Request>(channel)
    requests.run { request, token in
      ProcessLimits.grantTime()
      if let folders {
        // All later requests are sent back too, so that they are performed in their order.
        isReplaced = isReplaced || mode != .off && !folders.contain(those: request)
      } else {
        let first = WritableFolders(request)
        confinement.finish(.annotating(in: first.written, reading: first.read))
        folders = first
      }
      channel.offer(
        isReplaced ? .declined : AnnotationWorkerLoop.response(to: request), token: token)
      // Not before the response, since a folder may be long.
      guard request.edit != nil, !isReplaced, !isTidy else { return }
      isTidy = true
      for folder in folders?.written ?? [] { TemporaryFile.removeRemains(in: folder) }
    }
  }

  package static func response(to request: AnnotationProtocol.Request)
    -> AnnotationProtocol.Response
  {
    // Taken before the files are read, so that a change in between makes the stamp outdated.
    let before = RatedFiles(ofPhoto: request.path)
    guard let edit = request.edit else {
      return AnnotationProtocol.Response(
        rating: AnnotationFiles.rating(ofPhoto: request.path), stamp: before.stamp)
    }
    let result = AnnotationFiles.write(
      edit, ofPhoto: request.path, isEmbedded: request.isEmbedded, undoing: request.reversals)
    let after = RatedFiles(ofPhoto: request.path)
    return AnnotationProtocol.Response(
      rating: result.before,
      stamp: (after.isChanged(from: before, onlyTo: result.written) ? after : before).stamp,
      failure: result.failure, sidecarReason: result.sidecarReason, reversals: result.reversals)
  }
}
