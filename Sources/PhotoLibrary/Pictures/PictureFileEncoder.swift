import Glibc
import PhotoGridCore
import WorkerProtocol

/// Encodes pictures as files in a separate worker, so that no slow photo delays them.
///
/// No call blocks. The worker is started with the first picture.
package final class PictureFileEncoder {
  private let pool: WorkerPool<DecodeProtocol, UInt32>
  /// Pictures that have not been sent yet; one is encoded at a time.
  private var queue: ArraySlice<PictureEncoding> = []
  /// Files that `service(at:)` has not returned yet.
  private var files: [(id: UInt32, file: [UInt8]?)] = []

  /// The timeout of a picture, in seconds.
  private static let timeout = 5.0

  /// Creates an encoder that has started no worker yet.
  package init(worker: WorkerExecutable) { pool = WorkerPool(worker) }

  /// The descriptor to poll, with the events to poll for; empty without a worker.
  package var pollRequests: [pollfd] { pool.pollRequests }

  /// The time at which to call `service(at:)` at the latest, whatever the descriptor reports.
  package var nextDeadline: Instant? {
    files.isEmpty ? pool.nextDeadline : Instant(nanoseconds: 0)
  }

  /// Adds pictures to encode.
  package func add(_ encodings: [PictureEncoding], at now: Instant) {
    queue += encodings
    advance(at: now)
  }

  /// Reads the messages that have arrived, and sends the next picture.
  ///
  /// - Returns: The IDs of encodings with their files, which are nil for pictures that cannot be
  ///   encoded.
  package func service(at now: Instant) -> [(id: UInt32, file: [UInt8]?)] {
    let losses = pool.service(at: now) { message, id in
      switch message {
      case .encoded(_, let file): files.append((id, file))
      case .failed: files.append((id, nil))
      default: return .violation
      }
      return .finished
    }
    files += losses.compactMap { loss in loss.current.map { ($0, nil) } }
    advance(at: now)
    defer { files = [] }
    return files
  }

  /// Kills the worker and drops all pictures.
  package func shutDown() {
    pool.releaseAll()
    queue = []
  }

  private func advance(at now: Instant) {
    guard pool.isIdle, let next = queue.first else { return }
    let outcome = pool.assign(
      next.id, to: 0, timeout: Self.timeout,
      payloadLimit: DecodeProtocol.Response.payloadLimit(fileOf: next.bitmap), at: now
    ) { .encode(token: $0, next.bitmap, next.format) }
    switch outcome {
    case .sent: queue.removeFirst()
    case .heldBack: break
    case .unavailable:
      files += queue.map { ($0.id, nil) }
      queue = []
    }
  }
}
