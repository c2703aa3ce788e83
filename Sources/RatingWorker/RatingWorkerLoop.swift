import Glibc
import PhotoGridCore
import WorkerProtocol
import WorkerRuntime

/// The process that reads and writes ratings, so that broken XMP or a slow disk harms nothing else.
///
/// It writes what it was sent even when the program has ended.
package enum RatingWorkerLoop {
  /// Answers requests until the program closes the connection, and exits.
  package static func run(_ channel: Channel, _ mode: SandboxMode) -> Never {
    var confinement = Confinement(mode, endsWithProgram: false)
    confinement.limitAnnotator()
    confinement.finish(.annotating)
    var requests = RequestLoop<RatingProtocol.Request>(channel)
    requests.run { request in
      ProcessLimits.grantTime()
      _ = channel.offer(response(to: request).encoded())
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
