import CLinux
import Glibc
import PhotoGridCore
import WorkerProtocol
import WorkerRuntime

/// The process that moves files, so that a hanging disk blocks nothing else.
///
/// It decodes nothing, and finishes all requests even when the program has ended.
package enum FileWorkerLoop {
  /// Answers requests until the program closes the connection, and exits.
  package static func run(_ channel: Channel) -> Never {
    var confinement = Confinement(endsWithProgram: false)
    confinement.finish(.moving)
    var files = FileOperator()
    var requests = RequestLoop<FileProtocol.Request>(channel)
    requests.run { request in
      let response = FileProtocol.Response(token: request.token, files.perform(request))
      _ = channel.offer(response.encoded())
    }
  }
}
