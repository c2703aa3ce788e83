import Geometry
import Glibc
import Photos
import WorkerProtocol

/// Looks for the folders that complete a path while the user types it, in a process that runs only
/// then.
///
/// Only the latest path counts. No call blocks.
package final class FolderNamesClient {
  private let pool: WorkerPool<LibraryProtocol, Query>
  private var next: Query?
  private var arrivals: [FolderMatches] = []

  private struct Query {
    var text: String
    var path: [UInt8]
  }

  private static let timeout = 5.0

  package init(executable: WorkerExecutable = .library) { pool = WorkerPool(executable) }

  /// Looks for the folders that complete a path.
  ///
  /// - Parameters:
  ///   - path: The path: bytes without NUL.
  ///   - text: The text that the user typed, which is returned with the folders.
  ///   - now: The current time.
  package func find(_ path: [UInt8], for text: String, at now: Instant) {
    next = Query(text: text, path: path)
    advance(at: now)
  }

  package func shutDown() {
    next = nil
    pool.releaseAll()
  }

  package var pollRequests: [pollfd] { pool.pollRequests }

  package var nextDeadline: Instant? {
    arrivals.isEmpty ? pool.nextDeadline : Instant(nanoseconds: 0)
  }

  package func service(at now: Instant) -> [FolderMatches] {
    let losses = pool.service(at: now) { message, query in
      guard case .names(let names, let isFolder) = message else { return .violation }
      let typeable = names.compactMap { FolderMatches.typeable($0) }.sorted()
      arrivals.append(
        FolderMatches(text: query.text, names: typeable, isFolder: isFolder))
      return .finished
    }
    for query in losses.compactMap(\.current) {
      arrivals.append(FolderMatches(text: query.text, names: [], isFolder: nil))
    }
    advance(at: now)
    defer { arrivals = [] }
    return arrivals
  }

  private func advance(at now: Instant) {
    guard pool.isIdle, let query = next else { return }
    next = nil
    let outcome = pool.assign(
      query, .complete(path: query.path), to: 0, timeout: Self.timeout,
      payloadLimit: LibraryProtocol.Response.maxNamesLength, at: now)
    switch outcome {
    case .sent: break
    case .heldBack: next = query
    case .unavailable:
      arrivals.append(FolderMatches(text: query.text, names: [], isFolder: nil))
    }
  }
}
