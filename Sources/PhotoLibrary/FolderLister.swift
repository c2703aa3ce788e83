import PhotoGridCore
import WorkerProtocol

/// What a lister tells.
package enum ListingEvent: Equatable, Sendable {
  /// Photos; those of a folder usually in order, and folder after folder.
  case found(PhotoBatch)
  /// Everything that was asked for was found.
  case finished(ListingSummary)
  /// What is found up to `relisted` is all that there is at a place.
  case relisting(ListedPlace)
  /// The end of that; whether nothing was left out because it could not be read.
  case relisted(isComplete: Bool)
  /// Photos came, went or changed, in this order.
  case changed([PhotoChange])
  /// A root is gone, with all that was in it.
  case lost(root: Int, FailureReason)
  /// A folder was looked into.
  case glanced(FolderGlance)
  /// It ended early; printable words that say why.
  case failed(String)
}

/// Finds the photos of files and folders, and tells what happens to them, in a process of its own.
///
/// A folder on a dead disk holds up that process, never the program; there is no time limit, but
/// `isSilent` tells that nothing was heard for long.
package final class FolderLister {
  private var worker: WorkerProcess?
  private var ended = EndedProcesses()
  private let request: ListingRequest
  /// Whether all is told, and only the worker's process has to go.
  package private(set) var isOver = false
  /// How many messages the request was sent in, and so how many summaries are still to come.
  private var openPieces = 0
  /// How many folders are still to be looked into.
  private var openGlances = 0
  private var summary = ListingSummary()
  /// Changes of which more belong together with them.
  private var changes: [PhotoChange] = []
  private var lastHeard: Instant?

  /// So long may a listing be without a word before something must be wrong, in seconds.
  private static let longestSilence = 3.0
  /// No more bytes than these are taken at once, so that a large folder does not hold up a frame.
  private static let mostBytesAtOnce = 512 << 10

  /// Starts a worker and asks it for the photos of the request's roots.
  ///
  /// - Throws: `LibraryError` if no worker can be started.
  package init(worker: WorkerExecutable, _ request: ListingRequest) throws(LibraryError) {
    self.request = request
    self.worker = try WorkerProcess(worker)
    ask(request)
  }

  private func ask(_ request: ListingRequest) {
    let pieces = request.pieces()
    openPieces += pieces.count
    for piece in pieces { worker?.send(.list(piece)) }
  }

  /// Asks once more, for what is different by now.
  ///
  /// Not while an answer is still to come.
  package func repeatListing(at now: Instant) {
    guard !isOver, openPieces == 0 else { return }
    summary = ListingSummary()
    lastHeard = now
    var again = request
    again.isRepeated = true
    ask(again)
  }

  /// Asks what there is in folders, given with their slashes; answered by `glanced`, behind what was
  /// asked for before.
  package func glance(into folders: [[UInt8]], at now: Instant) {
    guard !isOver, !folders.isEmpty else { return }
    if !isAnswerDue { lastHeard = now }
    openGlances += folders.count
    worker?.send(.glance(folders, includesHidden: request.includesHidden))
  }

  private var isAnswerDue: Bool { openPieces > 0 || openGlances > 0 }

  /// What to poll for reading, and for writing too if `wantsWrite`; nil once nothing is left to be
  /// done.
  ///
  /// Without watching that is a moment after the last event, when the worker's process has gone.
  package var pollDescriptor: (descriptor: Int32, wantsWrite: Bool)? {
    worker.map { ($0.descriptor, $0.wantsWrite && !isOver) }
  }

  /// Whether an answer is due and nothing was heard for long: the disk hangs.
  package func isSilent(at now: Instant) -> Bool {
    silenceEnd.map { $0 <= now } ?? false
  }

  /// When `isSilent` becomes true, or became, if nothing is heard until then; nil while no answer is
  /// due.
  package var silenceEnd: Instant? {
    isOver || !isAnswerDue ? nil : lastHeard?.advanced(bySeconds: Self.longestSilence)
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
    let (messages, ending) = worker.receive(atMost: Self.mostBytesAtOnce)
    if !messages.isEmpty || lastHeard == nil { lastHeard = now }
    var events: [ListingEvent] = []
    for message in messages {
      guard case .folder(let news) = message else {
        shutDown()
        return events + [.failed("the lister answered nonsense")]
      }
      if let event = event(for: news) { events.append(event) }
    }
    if let ending, !isOver {
      shutDown()
      events.append(.failed(words(for: ending)))
    }
    return events
  }

  private func event(for news: FolderNews) -> ListingEvent? {
    switch news {
    case .found(let batch): return .found(batch)
    case .relisting(let place): return .relisting(place)
    case .relisted(let isComplete): return .relisted(isComplete: isComplete)
    case .lost(let root, let reason): return .lost(root: root, reason)
    case .glanced(let glance):
      openGlances = max(openGlances - 1, 0)
      return .glanced(glance)
    case .changed(let some, let isLast):
      changes += some
      guard isLast else { return nil }
      defer { changes = [] }
      return .changed(changes)
    case .listed(let piece):
      guard openPieces > 0 else { return nil }
      summary.add(piece)
      openPieces -= 1
      guard openPieces == 0 else { return nil }
      if !request.isWatched { shutDown() }
      return .finished(summary)
    }
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
