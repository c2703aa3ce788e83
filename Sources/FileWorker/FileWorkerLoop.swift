import CLinux
import Glibc
import PhotoGridCore
import WorkerRuntime
import WorkerProtocol

/// The process that moves files, so that a hanging disk blocks nothing else.
///
/// It decodes nothing, and finishes all requests even when the program has ended.
package enum FileWorkerLoop {
  /// Answers requests until the program closes the connection, and exits.
  package static func run(_ channel: Channel) -> Never {
    _ = process_gains_no_privileges()
    _ = process_closes_descriptors()
    signal(SIGPIPE, SIG_IGN)
    var requests = RequestLoop<FileProtocol.Request>(channel)
    requests.run { request in
      let response = FileProtocol.Response(token: request.token, perform(request.change))
      _ = channel.offer(response.encoded())
    }
  }

  /// Performs an operation.
  ///
  /// - Returns: The outcome; an error is an outcome too.
  package static func perform(_ change: FileChange) -> FileOutcome {
    do throws(FileFault) {
      switch change {
      case .trash(let path, let home): return .trashed(try Trash(home: home).add(path))
      case .restore(let file, let path):
        try Trash(home: []).restore(file, to: path)
        return .done
      case .rename(let old, let new):
        try FileMove.move(FileMove.Place(old), to: FileMove.Place(new))
        return .done
      }
    } catch {
      return error == .lost ? .lost : .refused(error.message)
    }
  }
}
