import Glibc
import PhotoGridCore
import WorkerProtocol

/// A report of a lister.
package enum ListingEvent: Equatable, Sendable {
  /// Photos; those of a folder usually in order, and folder after folder.
  case found(PhotoBatch)
  /// Everything that was requested was found.
  case finished(ListingSummary)
  /// All photos of a place follow, up to `relisted`.
  case relisting(ListedPlace)
  /// The end of these photos; whether the whole place could be read.
  case relisted(isComplete: Bool)
  /// Photos came, went or changed, in this order.
  case changed([PhotoChange])
  /// A root is gone, with all that was in it.
  case lost(root: Int, FailureReason)
  /// The requested preview of a folder.
  case previewed(FolderSamples)
  /// The listing ended early; a printable message says why.
  case failed(String)
}

/// Finds the photos of files and folders, and reports changes, through a process of its own.
///
/// A folder on a dead disk blocks that process, never the program. There is no deadline, but
/// `isSilent(at:)` reports a long silence.
package final class FolderLister {
  private let pool: WorkerPool<ListProtocol, Void>
  private let request: ListingRequest
  /// Whether nothing more will be reported.
  package private(set) var isOver = false
  /// How many summaries are still to come: one for each message of the request.
  private var openPieces = 0
  /// How many folder previews are still to come.
  private var openPreviews = 0
  private var summary = ListingSummary()
  /// Changes whose group is not complete yet.
  private var changes: [PhotoChange] = []
  private var lastMessageTime: Instant?
  /// When `service(at:)` was last called.
  private var lastServiceTime: Instant?

  /// A listing that is silent for so long is reported as such, in seconds.
  private static let longestSilence = 3.0

  /// Starts a process and requests the photos of the request's roots.
  ///
  /// - Throws: `LibraryError` if no process can be started.
  package init(worker: WorkerExecutable, _ request: ListingRequest) throws(LibraryError) {
    self.request = request
    var limits = WorkerPoolLimits()
    // Little at once, so that a large folder does not delay a frame.
    limits.reading.byteCount = 512 << 10
    pool = WorkerPool(worker, limits: limits)
    let pieces = request.pieces()
    openPieces = pieces.count
    // One job for the whole life of the process: there is more to come as long as it runs.
    let outcome = pool.assign(
      (), to: 0, timeout: nil, payloadLimit: .max, at: Instant(nanoseconds: 0)
    ) { _ in .list(pieces[0]) }
    if case .unavailable(let error) = outcome { throw error }
    for piece in pieces.dropFirst() { pool.send(.list(piece), to: 0) }
  }

  /// Requests the photos once more, to find what has changed; not while an answer is still to come.
  package func repeatListing(at now: Instant) {
    guard !isOver, openPieces == 0 else { return }
    summary = ListingSummary()
    lastMessageTime = now
    var again = request
    again.isRepeated = true
    let pieces = again.pieces()
    openPieces = pieces.count
    for piece in pieces { pool.send(.list(piece), to: 0) }
  }

  /// Requests previews of folders; one `previewed` follows for each.
  ///
  /// - Parameters:
  ///   - folders: Paths that end in slashes.
  ///   - now: The current time.
  package func requestPreviews(of folders: [[UInt8]], at now: Instant) {
    guard !isOver, !folders.isEmpty else { return }
    if !isAnswerDue { lastMessageTime = now }
    openPreviews += folders.count
    pool.send(.preview(folders, includesHidden: request.includesHidden), to: 0)
  }

  private var isAnswerDue: Bool { openPieces > 0 || openPreviews > 0 }

  /// The descriptor to poll, and for what; empty at the end.
  package var pollRequests: [pollfd] { pool.pollRequests }

  /// Whether an answer is due and nothing has arrived for long: the disk hangs.
  package func isSilent(at now: Instant) -> Bool {
    silenceEnd.map { $0 <= now } ?? false
  }

  /// When `isSilent(at:)` becomes true if nothing arrives; nil while no answer is due.
  package var silenceEnd: Instant? {
    isOver || !isAnswerDue ? nil : lastMessageTime?.advanced(bySeconds: Self.longestSilence)
  }

  /// The time by which `service(at:)` has to be called, whatever the descriptor reports.
  ///
  /// The end of a silence counts until a call has seen it, even if it passed since the last one.
  package var nextDeadline: Instant? {
    let silenceEnd = silenceEnd.flatMap { end in
      lastServiceTime.map { end > $0 } ?? true ? end : nil
    }
    return [silenceEnd, pool.nextDeadline].compactMap(\.self).min()
  }

  /// Reads what has arrived.
  package func service(at now: Instant) -> [ListingEvent] {
    var events: [ListingEvent] = []
    lastServiceTime = now
    if lastMessageTime == nil { lastMessageTime = now }
    let losses = pool.service(at: now) { message, _ in
      guard !isOver else { return .violation }
      lastMessageTime = now
      if let event = event(for: message) { events.append(event) }
      return .partial
    }
    guard let ending = losses.first?.ending, !isOver else { return events }
    shutDown()
    return events + [.failed(ending.message(about: "the lister"))]
  }

  /// The report for a message; nil for a part of one that is not complete.
  private func event(for message: FolderEvent) -> ListingEvent? {
    switch message {
    case .found(let batch): return .found(batch)
    case .relisting(let place): return .relisting(place)
    case .relisted(let isComplete): return .relisted(isComplete: isComplete)
    case .lost(let root, let reason): return .lost(root: root, reason)
    case .previewed(let samples):
      openPreviews = max(openPreviews - 1, 0)
      return .previewed(samples)
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

  /// Whether the process is gone, so that the lister can be dropped without leaving a zombie.
  package var hasEnded: Bool { isOver && pool.zombies.isEmpty }

  /// Kills the process; nothing is reported after that.
  package func shutDown() {
    isOver = true
    pool.releaseAll()
  }
}
