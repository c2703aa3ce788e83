import Geometry
import Glibc
import WorkerProtocol

/// Removes the thumbnails of files that no longer exist, in a worker.
///
/// There is no timeout, since a cache may have a million files on a slow disk.
package final class CacheCleaner {
  package enum Event: Equatable, Sendable {
    case progress(ThumbnailCleaning)
    case finished(ThumbnailCleaning)
    /// The cleaning ended early; the message for the user says why.
    case failed(String)
  }

  private let pool: WorkerPool<DecodeProtocol, Void>

  /// Starts a worker that cleans the cache in a folder.
  ///
  /// - Throws: `LibraryError` if no worker can be started.
  package init(
    worker: WorkerExecutable, _ access: ThumbnailAccess
  ) throws(LibraryError) {
    pool = WorkerPool(worker, preamble: [.useThumbnails(access)])
    let outcome = pool.assign(
      (), .clean, to: 0, timeout: nil, payloadLimit: DecodeProtocol.Response.maxHeadLength,
      at: Instant(nanoseconds: 0))
    if case .unavailable(let error) = outcome { throw error }
  }

  package var pollRequests: [pollfd] { pool.pollRequests }

  package func service(at now: Instant) -> [Event] {
    var events: [Event] = []
    let losses = pool.service(at: now) { message, _ in
      guard case .cleaned(let cleaning, let isOver) = message else { return .violation }
      events.append(isOver ? .finished(cleaning) : .progress(cleaning))
      return isOver ? .finished : .partial
    }
    if case .finished = events.last { return events }
    return events + losses.map { .failed($0.ending.message(about: "the thumbnail worker")) }
  }

  package func shutDown() { pool.releaseAll() }
}

extension WorkerEnding {
  /// Returns the message for the user about the loss of a process that is not a decoder.
  ///
  /// - Returns: Printable ASCII without a period.
  func message(about name: String) -> String {
    switch self {
    case .stopped: "\(name) stopped"
    case .timedOut, .overdue: "\(name) took too long"
    case .protocolViolation: "\(name) sent an invalid response"
    case .otherVersion(let version):
      LibraryError.otherVersion(worker: version, program: ProgramVersion.current).message
    }
  }
}

/// Empties the index of facts, in the process that writes it.
package final class IndexCleaner {
  private let pool: WorkerPool<IndexProtocol, Void>

  /// The timeout, in seconds, which includes waiting for other programs' transactions.
  private static let timeout = 120.0

  /// Starts a process that empties the index in a folder.
  ///
  /// - Throws: `LibraryError` if no process can be started.
  package init(
    executable: WorkerExecutable = .indexWorker, folder: [UInt8], at now: Instant
  ) throws(LibraryError) {
    pool = WorkerPool(executable, preamble: [.use(folder: folder)])
    let outcome = pool.assign(
      (), .clear, to: 0, timeout: Self.timeout,
      payloadLimit: IndexProtocol.Response.maxPayloadLength, at: now)
    if case .unavailable(let error) = outcome { throw error }
  }

  package enum Outcome: Equatable, Sendable {
    case removed(Int)
    /// The index was not emptied; the message for the user says why.
    case failed(String)
  }

  package var pollRequests: [pollfd] { pool.pollRequests }

  package func service(at now: Instant) -> Outcome? {
    var outcome: Outcome?
    let losses = pool.service(at: now) { message, _ in
      outcome = message.failure.map { .failed($0) } ?? .removed(message.count)
      return .finished
    }
    return outcome ?? losses.first.map { .failed($0.ending.message(about: "the index worker")) }
  }

  package func shutDown() {
    pool.send(.finish, to: 0)
    pool.detachAll()
  }
}
