import Glibc
import PhotoGridCore
import WorkerProtocol

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
      (), to: 0, timeout: Self.timeout, payloadLimit: IndexProtocol.Response.longestPayload,
      at: now
    ) { .clear(token: $0) }
    if case .unavailable(let error) = outcome { throw error }
  }

  /// The result of emptying.
  package enum Outcome: Equatable, Sendable {
    /// The facts of this many photos were removed.
    case removed(Int)
    /// The index was not emptied; the message for the user says why.
    case failed(String)
  }

  /// The descriptor to poll, with the events to poll for; empty at the end.
  package var pollRequests: [pollfd] { pool.pollRequests }

  /// Reads the messages that have arrived.
  ///
  /// - Returns: The result; nil until there is one.
  package func service(at now: Instant) -> Outcome? {
    var outcome: Outcome?
    let losses = pool.service(at: now) { message, _ in
      outcome = message.failure.map { .failed($0) } ?? .removed(message.count)
      return .finished
    }
    return outcome ?? losses.first.map { .failed($0.ending.message(about: "the index")) }
  }

  /// Ends the process.
  package func shutDown() {
    pool.send(.finish, to: 0)
    pool.detachAll()
  }
}
