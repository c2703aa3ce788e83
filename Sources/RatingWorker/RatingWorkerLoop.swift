import Glibc
import PhotoGridCore
import WorkerProtocol
import WorkerRuntime

/// The process that reads and writes ratings, so that broken XMP or a slow disk harms nothing else.
///
/// It writes what it was sent even when the program has ended, and in the folders that its first
/// request is about. A request about others is for another process.
package enum RatingWorkerLoop {
  /// Answers requests until the program closes the connection, and exits.
  package static func run(_ channel: Channel, _ mode: SandboxMode) -> Never {
    var confinement = Confinement(mode, endsWithProgram: false)
    confinement.limitAnnotator()
    var folders: WritableFolders?
    var isReplaced = false
    var requests = RequestLoop<RatingProtocol.Request>(channel)
    requests.run { request in
      ProcessLimits.grantTime()
      if let folders {
        // Those that follow wait for the next process too, so that their order stays.
        isReplaced = isReplaced || mode != .off && !folders.contain(those: request)
      } else {
        let first = WritableFolders(request)
        confinement.finish(.annotating(in: first.paths))
        folders = first
      }
      let response =
        isReplaced ? .elsewhere(token: request.token) : RatingWorkerLoop.response(to: request)
      _ = channel.offer(response.encoded())
    }
  }

  /// Carries out a request.
  package static func response(to request: RatingProtocol.Request) -> RatingProtocol.Response {
    // Before the files are read: what changes later has another stamp.
    let stamp = RatingStamp.of(photo: request.path)
    guard let edit = request.edit else {
      return RatingProtocol.Response(
        token: request.token, rating: RatingFiles.rating(ofPhoto: request.path), stamp: stamp)
    }
    let result = RatingFiles.write(
      edit, ofPhoto: request.path, isEmbedded: request.isEmbedded)
    return RatingProtocol.Response(
      token: request.token, rating: result.before, stamp: stamp, failure: result.failure)
  }
}
