import Geometry
import Glibc
import WorkerProtocol

/// Lists the photos of files and folders, and reports changes, through a separate process.
///
/// A folder on a disk that hangs blocks that process, never the program. There is no timeout, but
/// `isSilent(at:)` is true after a long silence.
package final class ListingClient {
  private let pool: WorkerPool<LibraryProtocol, Void>
  private let request: ListingRequest
  package private(set) var isFinished = false
  /// The number of summaries to come: one for each message of the request.
  private var pendingPieces = 0
  /// The number of folder previews to come.
  private var pendingPreviews = 0
  /// The number of photo batches that are being looked up in the index.
  private var pendingLookups = 0
  /// The number of answers to come about the paths of a check.
  private var pendingChecks = 0
  /// The answers to the current check that have arrived so far.
  private var checked: [PhotoChange] = []
  private var summary = ListingSummary()
  /// The changes of a group whose last message has not arrived yet.
  private var changes: [PhotoChange] = []
  /// The memory of those changes, in bytes.
  private var changesByteCount = 0
  private var lastMessageTime: Instant?
  private var lastServiceTime: Instant?
  /// How much is read in a turn of the loop.
  private var pace: ReadingPace

  /// The time without a message after which `isSilent(at:)` is true, in seconds.
  private static let maxSilence = 3.0
  /// The most memory of a group of changes, in bytes: with more than `ChangeCollector.maxCount`
  /// changes, whole folders are listed again instead.
  private static let maxGroupByteCount = 64 << 20
  /// The memory that a change takes in addition to its paths, in bytes.
  private static let changeOverhead = 96

  /// Starts a process and requests the photos of the request's roots.
  ///
  /// - Throws: `LibraryError` if no process can be started.
  package init(worker: WorkerExecutable, _ request: ListingRequest) throws(LibraryError) {
    self.request = request
    var limits = WorkerPoolLimits()
    // Read a limited number of bytes at a time, so that a large folder does not delay a frame.
    limits.reading.byteCount = 512 << 10
    pace = ReadingPace(most: limits.reading)
    pool = WorkerPool(worker, limits: limits)
    let pieces = request.pieces()
    pendingPieces = pieces.count
    // One job for the whole life of the process: events may follow as long as it runs.
    let outcome = pool.assign(
      (), .list(pieces[0]), to: 0, timeout: nil, payloadLimit: .max,
      at: Instant(nanoseconds: 0))
    if case .unavailable(let error) = outcome { throw error }
    for piece in pieces.dropFirst() { pool.send(.list(piece), to: 0) }
  }

  package func repeatListing(at now: Instant) {
    guard !isFinished, pendingPieces == 0 else { return }
    summary = ListingSummary()
    lastMessageTime = now
    var again = request
    again.isRepeated = true
    let pieces = again.pieces()
    pendingPieces = pieces.count
    for piece in pieces { pool.send(.list(piece), to: 0) }
  }

  /// Requests previews of folders; a `previewed` event follows for each.
  ///
  /// - Parameters:
  ///   - folders: Paths that end in slashes.
  ///   - now: The current time.
  package func requestPreviews(of folders: [[UInt8]], at now: Instant) {
    guard !isFinished, !folders.isEmpty else { return }
    if !isAnswerDue { lastMessageTime = now }
    pendingPreviews += folders.count
    pool.send(.preview(folders, includesHidden: request.includesHidden), to: 0)
  }

  /// Requests the facts of photos in the index; a `known` event with the same photos follows.
  ///
  /// - Parameters:
  ///   - batch: One of `PhotoBatch.lookups(from:)`.
  ///   - now: The current time.
  package func lookUp(_ batch: PhotoBatch, at now: Instant) {
    guard !isFinished, !request.indexFolder.isEmpty else { return }
    if !isAnswerDue { lastMessageTime = now }
    pendingLookups += 1
    pool.send(.lookUp(batch, indexFolder: request.indexFolder), to: 0)
  }

  /// Requests the current state of paths; one `checked` event follows.
  ///
  /// Changes of these paths that were noticed before are no longer reported.
  ///
  /// - Parameters:
  ///   - paths: Paths below the roots, at least one; no other check may be open.
  ///   - now: The current time.
  package func check(_ paths: some Sequence<PhotoPath>, at now: Instant) {
    guard !isFinished else { return }
    if !isAnswerDue { lastMessageTime = now }
    var piece: [PhotoPath] = []
    var byteCount = 0
    func sendPiece() {
      pendingChecks += 1
      pool.send(.check(piece), to: 0)
    }
    for path in paths {
      if byteCount + path.byteCount > Self.maxCheckByteCount {
        sendPiece()
        (piece, byteCount) = ([], 0)
      }
      piece.append(path)
      byteCount += path.byteCount
    }
    sendPiece()
  }

  /// The longest list of paths in a request, in bytes.
  private static let maxCheckByteCount = 48 << 10

  /// Whether an answer is still to come.
  private var isAnswerDue: Bool {
    pendingPieces > 0 || pendingPreviews > 0 || isLookingUp || pendingChecks > 0
  }

  package var isLookingUp: Bool { pendingLookups > 0 }

  /// The descriptor to poll, with the events to poll for; empty at the end, and while reading
  /// rests.
  package var pollRequests: [pollfd] { pace.restEnd == nil ? pool.pollRequests : [] }

  /// Whether an answer is due but nothing has arrived for a while, because the disk hangs.
  package func isSilent(at now: Instant) -> Bool {
    silenceEnd.map { $0 <= now } ?? false
  }

  /// When `isSilent(at:)` becomes true if nothing arrives; nil while no answer is due.
  package var silenceEnd: Instant? {
    isFinished || !isAnswerDue ? nil : lastMessageTime?.advanced(bySeconds: Self.maxSilence)
  }

  /// The time at which to call `service(at:)` at the latest, whatever the descriptor reports.
  ///
  /// The end of a silence counts until a call has seen it, even if it has passed by then.
  package var nextDeadline: Instant? {
    let silenceEnd = silenceEnd.flatMap { end in
      lastServiceTime.map { end > $0 } ?? true ? end : nil
    }
    return [silenceEnd, pace.restEnd ?? pool.nextDeadline].compactMap(\.self).min()
  }

  package func service(at now: Instant) -> [ListingEvent] {
    var events: [ListingEvent] = []
    lastServiceTime = now
    if lastMessageTime == nil { lastMessageTime = now }
    guard pace.beginTurn(at: now) else { return [] }
    pool.limits.reading = pace.limits
    let losses = pool.service(at: now) { message, _ in
      guard !isFinished, case .listing(let message) = message, hasRoom(for: message) else {
        return .violation
      }
      lastMessageTime = now
      if let event = event(for: message) { Self.add(event, to: &events) }
      return .partial
    }
    guard let ending = losses.first?.ending, !isFinished else { return events }
    shutDown()
    return events + [.failed(ending.message(about: "the listing worker"))]
  }

  /// Adds an event, or adds changes to those directly before them.
  ///
  /// So the listing and the screen are updated once for all changes that arrive together.
  private static func add(_ event: ListingEvent, to events: inout [ListingEvent]) {
    guard case .changed(let changes, _) = event, case .changed(var all, _)? = events.last else {
      events.append(event)
      return
    }
    // Leaves `all` as the only reference, so that it grows in place.
    events.removeLast()
    all += changes
    events.append(.changed(all, isLast: true))
  }

  /// Adapts how much is read in the next turn of the loop to the cost of this one.
  package func recordTurn(seconds: Double, at now: Instant) {
    guard !isFinished, let read = pool.slots[0].worker?.lastRead else { return }
    pace.record(read, seconds: seconds, at: now)
  }

  /// Returns whether a group of changes stays within `maxGroupByteCount` with a message.
  private func hasRoom(for message: ListingEvent) -> Bool {
    guard case .changed(let some, let isLast) = message else { return true }
    changesByteCount += some.reduce(0) { $0 + $1.byteCount + Self.changeOverhead }
    defer { if isLast { changesByteCount = 0 } }
    return changesByteCount <= Self.maxGroupByteCount
  }

  /// Returns the event of a message; nil for a part of a listing, a check or a group of changes.
  private func event(for message: ListingEvent) -> ListingEvent? {
    switch message {
    case .located, .found, .relisting, .relisted, .lost, .failed: return message
    case .previewed:
      guard pendingPreviews > 0 else { return nil }
      pendingPreviews -= 1
      return message
    case .known:
      guard pendingLookups > 0 else { return nil }
      pendingLookups -= 1
      return message
    case .checked(let some):
      guard pendingChecks > 0 else { return nil }
      checked += some
      pendingChecks -= 1
      guard pendingChecks == 0 else { return nil }
      defer { checked = [] }
      return .checked(checked)
    case .changed(let some, let isLast):
      changes += some
      guard isLast else { return nil }
      defer { changes = [] }
      return .changed(changes, isLast: true)
    case .listed(let piece):
      guard pendingPieces > 0 else { return nil }
      summary.add(piece)
      pendingPieces -= 1
      guard pendingPieces == 0 else { return nil }
      if !request.isWatched { shutDown() }
      return .listed(summary)
    }
  }

  /// Whether the process has started to answer.
  package var hasStarted: Bool { pool.slots[0].worker?.hasGreeted ?? false }

  /// Whether the process has been reaped too, so that no zombie is left if the lister is released.
  package var hasEnded: Bool { isFinished && pool.zombies.isEmpty }

  package func shutDown() {
    isFinished = true
    pool.releaseAll()
  }
}
