import Glibc
import PhotoGridCore
import WorkerProtocol
import WorkerRuntime

/// The process that reads and writes ratings, so that broken XMP or a slow disk harms nothing else.
///
/// It finishes all requests even if the program has ended. The sandbox lets it write only in the
/// folders of its first request; requests for other folders are sent back for another process.
package enum RatingWorkerLoop {
  /// Answers requests until the program closes the connection, then exits.
  package static func run(_ channel: Channel, _ mode: SandboxMode) -> Never {
    var confinement = Confinement(mode, endsWithProgram: false)
    confinement.limitAnnotator()
    var folders: WritableFolders?
    var isReplaced = false
    var requests = RequestLoop<RatingProtocol.Request>(channel)
    requests.run { request in
      ProcessLimits.grantTime()
      if let folders {
        // All later requests are sent back too, so that they are performed in their order.
        isReplaced = isReplaced || mode != .off && !folders.contain(those: request)
      } else {
        let first = WritableFolders(request)
        confinement.finish(.annotating(in: first.written, reading: first.read))
        folders = first
      }
      let response =
        isReplaced ? .declined(token: request.token) : RatingWorkerLoop.response(to: request)
      _ = channel.offer(response.encoded())
    }
  }

  /// Performs a request.
  package static func response(to request: RatingProtocol.Request) -> RatingProtocol.Response {
    // Taken before the files are read, so that a change in between makes the stamp outdated.
    let stamp = RatingStamp.of(photo: request.path)
    guard let edit = request.edit else {
      return RatingProtocol.Response(
        token: request.token, rating: RatingFiles.rating(ofPhoto: request.path), stamp: stamp)
    }
    let result = RatingFiles.write(
      edit, ofPhoto: request.path, isEmbedded: request.isEmbedded, undoing: request.reversals)
    return RatingProtocol.Response(
      token: request.token, rating: result.before, stamp: stamp, failure: result.failure,
      reversals: result.reversals)
  }
}
