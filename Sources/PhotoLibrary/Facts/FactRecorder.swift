import Glibc
import PhotoGridCore
import WorkerProtocol

/// Records the facts of photos in the index, in a separate process.
///
/// The process runs only while there are facts to record. Nothing depends on it: facts that cannot
/// be recorded are read again in the next session. No call blocks. Poll `pollRequests` until
/// `nextDeadline`, then call `advance(at:)`.
package final class FactRecorder {
  private let pool: WorkerPool<IndexProtocol, Int>
  /// The facts, ratings and hashes that have not been sent yet.
  private var waiting: ArraySlice<IndexEntry> = []
  /// The batches of facts that have not been sent yet.
  private var batches: ArraySlice<Batch> = []
  /// The number of photos in `batches`.
  private var batchedCount = 0
  /// When everything that waits is sent even if it does not fill a request.
  private var sendTime: Instant?
  /// When the idle process is asked to end; nil while it is busy or not running.
  private var idleEnd: Instant?
  /// Whether the process has been asked to end.
  private var isFinishing = false
  /// Why the index cannot be written; nil while it can.
  package private(set) var failure: String?
  /// The number of files whose facts were recorded.
  package private(set) var recordedCount = 0

  /// The time for which facts are collected, in seconds, so that many files need few transactions.
  private static let interval = 0.5
  /// The time for which the idle process is kept for more facts, in seconds.
  private static let idleTime = 5.0
  /// The most requests in flight; without a limit at the end.
  private var mostSent = 4
  /// The most photos that wait; further ones are dropped, because the disk is slower than the workers
  /// that read.
  private static let mostWaiting = 100_000
  /// The age of a file's last change, in seconds, from which a further change is certain to alter
  /// its modification time.
  private static let settlingTime = 2
  /// The timeout of a request, in seconds, which includes waiting for other programs' transactions.
  private static let timeout = 60.0

  /// Facts that are recorded together.
  private struct Batch {
    var photos: PhotoBatch
    var stamps: [InodeStamp]
  }

  /// Creates a recorder, which starts its process when there are facts to record.
  ///
  /// - Parameters:
  ///   - executable: The program that writes the index.
  ///   - folder: The absolute path of the folder of the index.
  package init(executable: WorkerExecutable = .indexWorker, folder: [UInt8]) {
    pool = WorkerPool(
      executable, limits: WorkerPoolLimits(takesRest: true), preamble: [.use(folder: folder)])
  }

  /// Whether no facts are waiting or being recorded.
  package var isIdle: Bool { waitingCount == 0 && pool.isIdle }

  /// The number of photos of which something waits to be recorded.
  private var waitingCount: Int { waiting.count + batchedCount }

  /// Records the facts of a photo's file.
  ///
  /// Files that changed a moment ago are left out: another change might not alter their
  /// modification time.
  ///
  /// - Parameters:
  ///   - info: The facts.
  ///   - path: The path of the file, absolute or from the current folder.
  ///   - time: The time of the system's clock when the facts arrived, in seconds since 1970.
  ///   - now: The current time.
  package func record(_ info: PhotoInfo, ofFileAt path: [UInt8], readAt time: Int, at now: Instant)
  {
    guard failure == nil, info.metadata != nil, waitingCount < Self.mostWaiting,
      abs(time - info.modified) >= Self.settlingTime
    else { return }
    add(IndexEntry(path: path, info: info), at: now)
  }

  /// Records the facts of a batch of photos in one folder.
  ///
  /// - Parameters:
  ///   - batch: The facts.
  ///   - index: The paths of the photos.
  ///   - now: The current time.
  package func record(_ batch: FactBatch, of index: PathIndex, at now: Instant) {
    guard failure == nil, waitingCount < Self.mostWaiting, let first = batch.photos.first else {
      return
    }
    let folder = index.table.folder(of: first)
    var (photos, stamps) = (PhotoBatch(root: 0, folder: folder), batch.stamps)
    for (place, photo) in batch.photos.enumerated() {
      photos.append(index.table.name(of: photo))
      // A photo that was moved while it was read has no facts of its new place.
      if index.table.folder(of: photo) != folder { stamps[place] = InodeStamp() }
    }
    photos.facts = batch.facts
    beginWaiting(at: now)
    batches.append(Batch(photos: photos, stamps: stamps))
    batchedCount += photos.count
  }

  /// Records the rating of a photo.
  ///
  /// - Parameters:
  ///   - rating: The rating, with the stamp of its files.
  ///   - path: The path of the file, absolute or from the current folder.
  ///   - now: The current time.
  package func record(
    _ rating: IndexEntry.Rated, ofFileAt path: [UInt8], at now: Instant
  ) {
    guard failure == nil, waitingCount < Self.mostWaiting else { return }
    add(IndexEntry(path: path, rated: rating), at: now)
  }

  /// Records the hash of a photo's picture.
  ///
  /// - Parameters:
  ///   - info: The facts that came with the picture, with its hash.
  ///   - path: The path of the file, absolute or from the current folder.
  ///   - time: The time of the system's clock when they arrived, in seconds since 1970.
  ///   - now: The current time.
  package func record(
    hashOf info: PhotoInfo, ofFileAt path: [UInt8], readAt time: Int, at now: Instant
  ) {
    guard failure == nil, waitingCount < Self.mostWaiting, !info.isIncomplete,
      abs(time - info.modified) >= Self.settlingTime
    else { return }
    let status = FileStatus(byteCount: info.byteCount, modified: info.modified)
    add(IndexEntry(path: path, hashed: IndexEntry.Hashed(info.hash, of: status)), at: now)
  }

  private func add(_ entry: IndexEntry, at now: Instant) {
    beginWaiting(at: now)
    waiting.append(entry)
  }

  /// Prepares for something that waits from now on.
  private func beginWaiting(at now: Instant) {
    if waitingCount == 0 { sendTime = now.advanced(bySeconds: Self.interval) }
    // The process is idle again after it has answered.
    idleEnd = nil
  }

  /// The descriptor to poll, with the events to poll for; empty without a process.
  package var pollRequests: [pollfd] { pool.pollRequests }

  /// The time at which to call `advance(at:)` at the latest, whatever the descriptor reports.
  package var nextDeadline: Instant? {
    [canSend ? sendTime : nil, idleEnd, pool.nextDeadline].compactMap(\.self).min()
  }

  /// Whether another request may be sent.
  private var canSend: Bool {
    failure == nil && !isFinishing && waitingCount > 0
      && pool.slots[0].jobs.count < mostSent
  }

  /// Reads the messages that have arrived, and sends more facts.
  package func advance(at now: Instant) {
    let losses = pool.service(at: now) { message, _ in
      recordedCount += message.count
      // Trying again soon would fail too: the disk stays full, or the index locked.
      if let text = message.failure { failure = text }
      if pool.slots[0].jobs.count == 1 { idleEnd = now.advanced(bySeconds: Self.idleTime) }
      return .finished
    }
    if let loss = losses.first {
      if !isFinishing { failure = loss.ending.message(about: "the index") }
      (isFinishing, idleEnd) = (false, nil)
    }
    send(at: now)
    if failure != nil {
      (waiting, batches, batchedCount, idleEnd) = ([], [], 0, nil)
      pool.releaseAll()
    } else if let end = idleEnd, end <= now, isIdle {
      idleEnd = nil
      isFinishing = true
      pool.send(.finish, to: 0)
    }
  }

  private func send(at now: Instant, atMost most: Int = .max) {
    var count = 0
    while canSend, count < most,
      waitingCount >= IndexProtocol.Request.mostEntries || sendTime.map({ $0 <= now }) ?? true
    {
      switch sendNext(at: now) {
      case .sent:
        count += 1
        idleEnd = nil
      case .heldBack: return
      case .unavailable(let error): failure = error.message
      }
    }
  }

  /// Sends the first batch, or without one the first entries.
  private func sendNext(at now: Instant) -> WorkerPool<IndexProtocol, Int>.Assignment {
    if let batch = batches.first {
      let outcome = assign(batch.photos.count, at: now) {
        .recordFacts(token: $0, batch.photos, batch.stamps)
      }
      guard outcome == .sent else { return outcome }
      batches.removeFirst()
      batchedCount -= batch.photos.count
      return outcome
    }
    let entries = Array(waiting.prefix(IndexProtocol.Request.mostEntries))
    let outcome = assign(entries.count, at: now) { .record(token: $0, entries) }
    if outcome == .sent { waiting.removeFirst(entries.count) }
    return outcome
  }

  private func assign(
    _ count: Int, at now: Instant, request: (UInt32) -> IndexProtocol.Request
  ) -> WorkerPool<IndexProtocol, Int>.Assignment {
    pool.assign(
      count, to: 0, timeout: Self.timeout,
      payloadLimit: IndexProtocol.Response.longestPayload, at: now, request: request)
  }

  /// Leaves all remaining facts to the process, which records them and ends by itself.
  package func shutDown(at now: Instant) {
    if isFinishing {
      // Another process records what came since.
      pool.detachAll()
      isFinishing = false
    }
    (sendTime, mostSent) = (now, .max)
    // The first request starts the process.
    if pool.isEmpty, canSend { send(at: now, atMost: 1) }
    pool.leaveRest()
    if !pool.isEmpty { send(at: now) }
    (waiting, batches, batchedCount) = ([], [], 0)
    if !pool.isEmpty { pool.send(.finish, to: 0) }
    pool.detachAll()
  }
}
