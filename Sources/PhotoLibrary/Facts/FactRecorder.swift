import Glibc
import PhotoGridCore
import WorkerProtocol

/// Records the facts of photos in the index, through a process for that purpose.
///
/// The process runs only while there are facts to record. Nothing depends on it: facts that cannot
/// be recorded are read again in the next session. No call blocks. Poll `pollRequests` until
/// `nextDeadline`, then call `advance(at:)`.
package final class FactRecorder {
  private let pool: WorkerPool<IndexProtocol, Int>
  /// The facts that are not sent yet.
  private var waiting: ArraySlice<IndexEntry> = []
  /// When the facts are sent even if they are few.
  private var sendTime: Instant?
  /// When the process ends for lack of work; nil while it has some, or does not run.
  private var idleEnd: Instant?
  /// Whether the process was asked to end.
  private var isFinishing = false
  /// Why the index cannot be written; nil while it can.
  package private(set) var failure: String?
  /// The number of files whose facts were recorded.
  package private(set) var recordedCount = 0

  /// Seconds for which facts are collected, so that many files make few transactions.
  private static let interval = 0.5
  /// Seconds for which the process waits for more facts.
  private static let idleTime = 5.0
  /// How many requests are sent before their answers.
  private static let mostSent = 4
  /// Facts above this number are dropped, because the disk is slower than the workers that read.
  private static let mostWaiting = 100_000
  /// Seconds since the last change of a file after which no further change goes unnoticed.
  private static let settlingTime = 2
  /// Seconds that a request may take, among them the wait for other programs.
  private static let timeout = 60.0

  /// A recorder that has started no process yet.
  ///
  /// - Parameters:
  ///   - executable: The program that writes the index.
  ///   - folder: The absolute path of the folder of the index.
  package init(executable: WorkerExecutable = .indexWorker, folder: [UInt8]) {
    pool = WorkerPool(executable, preamble: [.use(folder: folder)])
  }

  /// Whether everything is recorded, or cannot be.
  package var isIdle: Bool { waiting.isEmpty && pool.isIdle }

  /// Records the facts of a photo's file.
  ///
  /// Files that changed just now are left out: they could change again without a trace.
  ///
  /// - Parameters:
  ///   - info: The facts.
  ///   - path: The path of the file, absolute or from the current folder.
  ///   - time: The time of the system's clock when the facts arrived, in seconds since 1970.
  ///   - now: The current time.
  package func record(_ info: PhotoInfo, ofFileAt path: [UInt8], readAt time: Int, at now: Instant)
  {
    guard failure == nil, info.metadata != nil, waiting.count < Self.mostWaiting,
      abs(time - info.modified) >= Self.settlingTime
    else { return }
    add(IndexEntry(path: path, info: info), at: now)
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
    guard failure == nil, waiting.count < Self.mostWaiting else { return }
    add(IndexEntry(path: path, rated: rating), at: now)
  }

  private func add(_ entry: IndexEntry, at now: Instant) {
    if waiting.isEmpty { sendTime = now.advanced(bySeconds: Self.interval) }
    waiting.append(entry)
  }

  /// The descriptor to poll, with the events to poll for; empty without a process.
  package var pollRequests: [pollfd] { pool.pollRequests }

  /// The time at which to call `advance(at:)` at the latest, whatever the descriptor reports.
  package var nextDeadline: Instant? {
    [canSend ? sendTime : nil, idleEnd, pool.nextDeadline].compactMap(\.self).min()
  }

  /// Whether another request may be sent.
  private var canSend: Bool {
    failure == nil && !isFinishing && !waiting.isEmpty
      && pool.slots[0].jobs.count < Self.mostSent
  }

  /// Reads the messages that have arrived, and sends more facts.
  package func advance(at now: Instant) {
    let losses = pool.service(at: now) { message, _ in
      recordedCount += message.count
      // A full disk stays full for a while, and a locked index locked.
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
      waiting = []
      pool.releaseAll()
    } else if let end = idleEnd, end <= now, isIdle {
      idleEnd = nil
      isFinishing = true
      pool.send(.finish, to: 0)
    }
  }

  private func send(at now: Instant) {
    while canSend,
      waiting.count >= IndexProtocol.Request.mostEntries || sendTime.map({ $0 <= now }) ?? true
    {
      let entries = Array(waiting.prefix(IndexProtocol.Request.mostEntries))
      let outcome = pool.assign(
        entries.count, to: 0, timeout: Self.timeout,
        payloadLimit: IndexProtocol.Response.longestPayload, at: now
      ) { .record(token: $0, entries) }
      switch outcome {
      case .sent:
        waiting.removeFirst(entries.count)
        idleEnd = nil
      case .heldBack: return
      case .unavailable(let error): failure = error.message
      }
    }
  }

  /// Sends everything that is left, and lets the process record it and end by itself.
  package func shutDown(at now: Instant) {
    sendTime = now
    while canSend {
      let count = waiting.count
      send(at: now)
      guard waiting.count < count else { break }
    }
    waiting = []
    if !pool.isEmpty { pool.send(.finish, to: 0) }
    pool.detachAll()
  }
}
