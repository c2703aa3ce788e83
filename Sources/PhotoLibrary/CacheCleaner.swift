import Glibc
import PhotoGridCore
import WorkerProtocol

/// Has a worker remove the thumbnails of files that are gone.
///
/// There is no time limit: a cache of a million files on a slow disk takes what it takes.
package final class CacheCleaner {
  /// What a cleaner tells.
  package enum Event: Equatable, Sendable {
    /// How far it has come.
    case progress(ThumbnailCleaning)
    case finished(ThumbnailCleaning)
    /// It ended early; printable words that say why.
    case failed(String)
  }

  private let worker: WorkerProcess
  private var ended = EndedProcesses()

  /// Starts a worker and asks it to clean a folder.
  ///
  /// - Throws: `LibraryError` if no worker can be started.
  package init(
    worker: WorkerExecutable, _ access: ThumbnailAccess
  ) throws(LibraryError) {
    self.worker = try WorkerProcess(worker)
    self.worker.send(.useThumbnails(access))
    self.worker.send(.clean)
  }

  /// What to poll for reading.
  package var descriptor: Int32 { worker.descriptor }

  /// Takes what has arrived.
  package func service() -> [Event] {
    worker.flush()
    let (messages, ending) = worker.receive()
    var events: [Event] = []
    for message in messages {
      guard case .cleaned(let cleaning, let isOver) = message else {
        shutDown()
        return events + [.failed("the worker answered nonsense")]
      }
      events.append(isOver ? .finished(cleaning) : .progress(cleaning))
    }
    if let ending, events.last.map({ if case .finished = $0 { false } else { true } }) ?? true {
      shutDown()
      events.append(.failed(ending.words))
    }
    return events
  }

  /// Ends the cleaning, wherever it is.
  package func shutDown() { worker.end(into: &ended) }
}

extension WorkerProcess.Ending {
  /// Words for a person about a worker that does not decode.
  var words: String {
    switch self {
    case .stopped: "the worker stopped"
    case .usedUpTime: "the worker took too long"
    case .nonsense: "the worker answered nonsense"
    case .otherVersion(let version):
      LibraryError.otherVersion(worker: version, program: ProgramVersion.current).words
    }
  }
}
