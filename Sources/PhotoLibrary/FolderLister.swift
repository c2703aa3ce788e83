import PhotoGridCore
import WorkerProtocol

/// What a lister tells.
package enum ListingEvent: Equatable, Sendable {
  /// The next photos' paths, in order.
  case found([[UInt8]])
  /// Everything was found.
  case finished(ListingSummary)
  /// It ended early; printable words that say why.
  case failed(String)
}

/// Finds the photos of files and folders, in a worker of its own.
///
/// A folder on a dead disk holds up the worker, never the program; there is no time limit.
package final class FolderLister {
  private var worker: WorkerProcess?
  private var ended = EndedProcesses()
  /// Whether all is told, and only the worker's process has to go.
  private var isOver = false
  /// How many messages the request was sent in, and so how many summaries are still to come.
  private var openPieces = 0
  private var summary = ListingSummary()

  /// Starts a worker and asks it for the photos of the request's roots.
  ///
  /// - Throws: `LibraryError` if no worker can be started.
  package init(worker: WorkerExecutable, _ request: ListingRequest) throws(LibraryError) {
    let process = try WorkerProcess(worker)
    let pieces = request.pieces()
    openPieces = pieces.count
    for piece in pieces { process.send(.list(piece)) }
    self.worker = process
  }

  /// What to poll for reading, and for writing too if `wantsWrite`; nil once nothing is left to be
  /// done.
  ///
  /// That is a moment after the last event, when the worker's process has gone.
  package var pollDescriptor: (descriptor: Int32, wantsWrite: Bool)? {
    worker.map { ($0.descriptor, $0.wantsWrite && !isOver) }
  }

  /// Takes what has arrived.
  ///
  /// Call it whenever the descriptor is ready.
  package func service(at now: Instant) -> [ListingEvent] {
    ended.reap()
    guard let worker else { return [] }
    guard !isOver else {
      // What it said meanwhile would keep the descriptor ready.
      _ = worker.receive()
      if ended.isEmpty { self.worker = nil }
      return []
    }
    worker.flush()
    let (messages, ending) = worker.receive()
    var events: [ListingEvent] = []
    for message in messages {
      switch message {
      case .found(let paths):
        events.append(.found(paths))
      case .listed(let piece):
        summary.add(piece)
        openPieces -= 1
        if openPieces == 0 {
          shutDown()
          return events + [.finished(summary)]
        }
      case .hello, .described, .decoded, .decodedRegion, .frames, .encoded, .failed:
        shutDown()
        return events + [.failed("the lister answered nonsense")]
      }
    }
    if let ending {
      shutDown()
      events.append(.failed(words(for: ending)))
    }
    return events
  }

  /// Ends the listing, wherever it is; nothing comes after that.
  package func shutDown() {
    isOver = true
    worker?.end(into: &ended)
    if ended.isEmpty { worker = nil }
  }

  private func words(for ending: WorkerProcess.Ending) -> String {
    switch ending {
    case .stopped: "the lister stopped"
    case .usedUpTime: "the lister took too long"
    case .nonsense: "the lister answered nonsense"
    case .otherVersion(let version):
      LibraryError.otherVersion(worker: version, program: ProgramVersion.current).words
    }
  }
}
