import Geometry
import Glibc
import Photos
import WorkerProtocol

/// Records the facts of photos in the index, in a separate process.
///
/// The process runs only while there are facts to record, and writes them when it is left to end.
/// Nothing depends on it: facts that cannot be recorded are read again in the next session. No call
/// blocks. Poll `pollRequests` until `nextDeadline`, then call `advance(at:)`.
package final class FactRecorder {
  private let pool: WorkerPool<LibraryProtocol, PhotoBatch>
  private let folder: [UInt8]
  /// The facts, ratings and hashes that have not been sent yet.
  private var waiting: ArraySlice<PhotoBatch> = []
  private var waitingCount = 0
  /// When everything that waits is sent even if it does not fill a request.
  private var sendTime: Instant?
  /// When the idle process is left to end; nil while it is busy or not running.
  private var idleEnd: Instant?
  /// Why the index cannot be written; nil while it can.
  package private(set) var failure: String?
  package private(set) var recordedCount = 0

  /// The time for which facts are collected, in seconds, so that many files need few transactions.
  private static let interval = 0.5
  /// The time for which the idle process is kept for more facts, in seconds.
  private static let idleTime = 5.0
  /// The most requests in flight, until the end.
  private static let depth = 4
  /// The most photos that wait; further ones are dropped, because the disk is slower than the workers
  /// that read.
  private static let maxWaitingCount = 100_000
  /// The timeout of a request, in seconds, which includes waiting for other programs' transactions.
  private static let timeout = 60.0

  /// Creates a recorder, which starts its process when there are facts to record.
  package init(executable: WorkerExecutable = .library, folder: [UInt8]) {
    pool = WorkerPool(executable, limits: WorkerPoolLimits(takesRest: true))
    self.folder = folder
  }

  package var isIdle: Bool { waiting.isEmpty && pool.waiting.isEmpty && pool.isIdle }

  /// Records what was read from photos' files.
  ///
  /// - `index`: The paths of the photos.
  package func record(_ batch: FactBatch, of index: PathIndex, at now: Instant) {
    guard hasRoom, let first = batch.photos.first else { return }
    let folder = index.table.folder(of: first)
    if batch.photos.allSatisfy({ index.table.folder(of: $0) == folder }) {
      var photos = PhotoBatch(root: 0, folder: folder)
      for photo in batch.photos { photos.append(index.table.name(of: photo)) }
      photos.facts = batch.facts
      beginWaiting(at: now)
      waiting.append(photos)
      waitingCount += photos.count
      return
    }
    for (row, photo) in batch.photos.enumerated() {
      guard let info = batch.facts.info(at: row) else { continue }
      record(info, ofFileAt: index[photo], at: now)
    }
  }

  /// Records what a photo's file says.
  ///
  /// - `path`: The path of the file, absolute or from the current folder.
  package func record(_ info: PhotoInfo, ofFileAt path: [UInt8], at now: Instant) {
    guard info.metadata != nil, info.stamp.isSettled, !info.isIncomplete else { return }
    record(fileAt: path, at: now) { $0.append(info) }
  }

  /// Records the rating of a photo, with the `RatingStamp` of its files.
  package func record(
    _ rating: Rating, stamp: UInt64, ofFileAt path: [UInt8], at now: Instant
  ) {
    var row = PackedInfo()
    row.rating = rating
    record(fileAt: path, at: now) { $0.append(row, ratingStamp: stamp) }
  }

  /// Records the hash of a photo's picture, which came with what its file says.
  package func record(hashOf info: PhotoInfo, ofFileAt path: [UInt8], at now: Instant) {
    guard info.stamp.isSettled, !info.isIncomplete else { return }
    var row = PackedInfo()
    row.stamp = info.stamp
    row.setHash(info.hash)
    record(fileAt: path, at: now) { $0.append(row, hash: info.hash) }
  }

  private var hasRoom: Bool { failure == nil && waitingCount < Self.maxWaitingCount }

  private func record(fileAt path: [UInt8], at now: Instant, _ append: (inout InfoBlock) -> Void) {
    guard hasRoom else { return }
    beginWaiting(at: now)
    let start = path.nameStart
    var photos = PhotoBatch(root: 0, folder: Array(path[..<start]))
    if let last = waiting.last, last.folder == photos.folder,
      last.count < LibraryProtocol.maxPhotos
    {
      photos = waiting.removeLast()
    }
    var facts = photos.facts ?? InfoBlock()
    photos.facts = nil
    append(&facts)
    photos.facts = facts
    photos.append(path[start...])
    waiting.append(photos)
    waitingCount += 1
  }

  /// Prepares for something that waits from now on.
  private func beginWaiting(at now: Instant) {
    if waiting.isEmpty { sendTime = now.advanced(bySeconds: Self.interval) }
    // The process is idle again after it has answered.
    idleEnd = nil
  }

  package var pollRequests: [pollfd] { pool.pollRequests }

  package var nextDeadline: Instant? {
    [canSend ? sendTime : nil, idleEnd, pool.nextDeadline].compactMap(\.self).min()
  }

  private var canSend: Bool {
    failure == nil && !waiting.isEmpty && pool.slots[0].jobs.count < Self.depth
  }

  package func advance(at now: Instant) {
    let losses = pool.service(at: now) { message, _ in
      guard case .recorded(let count, let failure) = message else { return .violation }
      recordedCount += count
      // Trying again soon would fail too: the disk stays full, or the index locked.
      self.failure = self.failure ?? failure
      if pool.slots[0].jobs.count == 1 { idleEnd = now.advanced(bySeconds: Self.idleTime) }
      return .finished
    }
    if let loss = losses.first { failure = loss.ending.message(about: "the index worker") }
    send(upTo: Self.depth, at: now)
    if failure != nil {
      (waiting, waitingCount, idleEnd, pool.waiting) = ([], 0, nil, [])
      pool.releaseAll()
    } else if let end = idleEnd, end <= now, isIdle {
      // Another process records what comes later.
      idleEnd = nil
      pool.detachAll()
    }
  }

  private func send(upTo depth: Int, at now: Instant) {
    pool.fill(0, depth: depth, at: now) {
      guard failure == nil,
        waitingCount >= LibraryProtocol.maxPhotos || sendTime.map({ $0 <= now }) ?? true,
        let photos = waiting.popFirst()
      else { return nil }
      waitingCount -= photos.count
      idleEnd = nil
      return photos
    } order: {
      .init(
        request: .record($0, indexFolder: folder), timeout: Self.timeout,
        payloadLimit: LibraryProtocol.Response.maxRecordedLength)
    } fail: {
      failure = $1.message
    }
  }

  /// Leaves all remaining facts to the process, which records them and ends by itself.
  package func shutDown(at now: Instant) {
    sendTime = now
    // The first request starts the process.
    if pool.isEmpty { send(upTo: 1, at: now) }
    pool.leaveRest()
    if !pool.isEmpty { send(upTo: .max, at: now) }
    (waiting, waitingCount, pool.waiting) = ([], 0, [])
    pool.detachAll()
  }
}
