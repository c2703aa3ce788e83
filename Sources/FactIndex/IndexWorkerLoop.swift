import Glibc
import WorkerProtocol
import WorkerRuntime

/// The process that writes the index of facts, so that a slow or broken disk delays nothing else.
///
/// It reads no photos, and records everything that it has received even if the program has ended.
package enum IndexWorkerLoop {
  /// Performs requests until the program closes the connection, then exits.
  package static func run(_ channel: Channel, _ mode: SandboxMode) -> Never {
    // Exceeding the file size limit is then an error, like a full disk, instead of a signal.
    signal(SIGXFSZ, SIG_IGN)
    var confinement = Confinement(mode, endsWithProgram: false)
    var writer: IndexWriter?
    var requests = RequestLoop<IndexProtocol.Request>(channel, rest: .rest) { writer?.close() }
    requests.run { request, token in
      switch request {
      case .use(let folder):
        guard writer == nil else { exit(1) }
        let file = IndexFile(folder: folder)
        file.makeFolder()
        confinement.finish(.indexing(folder: folder))
        writer = IndexWriter(file)
      case .record(let photos):
        answer(token, on: channel) { () throws(DatabaseError) in try writer?.record(photos) }
      case .finish:
        writer?.close()
        exit(0)
      }
    }
  }

  /// Performs a request and sends the number of photos, or the reason why it failed.
  private static func answer(
    _ token: UInt32, on channel: Channel, _ work: () throws(DatabaseError) -> Int?
  ) {
    let response: IndexProtocol.Response
    do throws(DatabaseError) {
      response = IndexProtocol.Response(count: try work() ?? 0)
    } catch {
      response = IndexProtocol.Response(count: 0, failure: error.message)
    }
    channel.offer(response, token: token)
  }
}
