import CLinux
import Glibc
import PhotoGridCore
import WorkerRuntime
import WorkerProtocol

/// The process that moves files, so that a hanging disk blocks nothing else.
///
/// It decodes nothing, and finishes all requests even when the program has ended.
package enum FileWorkerLoop {
  /// Answers the requests of a channel; their end is the end of the process.
  package static func run(_ channel: Channel) -> Never {
    var confinement = Confinement(endsWithProgram: false)
    confinement.finish(.moving)
    var requests = RequestLoop<FileProtocol.Request>(channel)
    requests.run { request in
      let response = FileProtocol.Response(token: request.token, carryOut(request.change))
      _ = channel.offer(response.encoded())
    }
  }

  /// Performs an operation.
  ///
  /// - Returns: The outcome, a refusal included.
  package static func carryOut(_ change: FileChange) -> FileOutcome {
    do throws(FileFault) {
      switch change {
      case .trash(let path, let home): return .trashed(try Trash(home: home).take(path))
      case .restore(let file, let path):
        try Trash(home: []).giveBack(file, to: path)
        return .done
      case .rename(let old, let new):
        try FileMove.move(FileMove.Place(old), to: FileMove.Place(new))
        return .done
      }
    } catch {
      return error == .lost ? .lost : .refused(error.words)
    }
  }
}
