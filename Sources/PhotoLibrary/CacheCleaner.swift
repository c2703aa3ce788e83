import Glibc
import PhotoGridCore
import WorkerProtocol

/// Has a worker remove the thumbnails of files that are gone.
///
/// There is no deadline: a cache of a million files on a slow disk takes its time.
package final class CacheCleaner {
  /// A report of the cleaner.
  package enum Event: Equatable, Sendable {
    /// What was done so far.
    case progress(ThumbnailCleaning)
    /// What was done altogether.
    case finished(ThumbnailCleaning)
    /// The cleaning ended early; a printable message says why.
    case failed(String)
  }

  private let pool: WorkerPool<DecodeProtocol, Void>

  /// Starts a worker and has it clean a folder.
  ///
  /// - Throws: `LibraryError` if no worker can be started.
  package init(
    worker: WorkerExecutable, _ access: ThumbnailAccess
  ) throws(LibraryError) {
    pool = WorkerPool(worker, preamble: [.useThumbnails(access)])
    let outcome = pool.assign(
      (), to: 0, timeout: nil, payloadLimit: DecodeProtocol.Response.longestHead,
      at: Instant(nanoseconds: 0)
    ) { _ in .clean }
    if case .unavailable(let error) = outcome { throw error }
  }

  /// The descriptor to poll, and for what; empty at the end.
  package var pollRequests: [pollfd] { pool.pollRequests }

  /// Reads what has arrived.
  package func service(at now: Instant) -> [Event] {
    var events: [Event] = []
    let losses = pool.service(at: now) { message, _ in
      guard case .cleaned(let cleaning, let isOver) = message else { return .violation }
      events.append(isOver ? .finished(cleaning) : .progress(cleaning))
      return isOver ? .finished : .partial
    }
    if case .finished = events.last { return events }
    return events + losses.map { .failed($0.ending.message(about: "the worker")) }
  }

  /// Ends the cleaning, finished or not.
  package func shutDown() { pool.releaseAll() }
}

extension WorkerEnding {
  /// The message for the user about a process that does not decode.
  ///
  /// - Parameter name: What the user calls the process, such as "the worker".
  /// - Returns: Printable ASCII without a period.
  func message(about name: String) -> String {
    switch self {
    case .stopped: "\(name) stopped"
    case .timedOut: "\(name) took too long"
    case .protocolViolation: "\(name) answered nonsense"
    case .otherVersion(let version):
      LibraryError.otherVersion(worker: version, program: ProgramVersion.current).words
    }
  }
}
