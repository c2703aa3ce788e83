import Glibc
import PhotoGridCore
import WorkerProtocol

/// Reads the metadata of the inspected photo, in a worker that runs only while a photo is
/// inspected.
///
/// The worker does nothing else, so decoding never delays it. No call blocks. Poll `pollRequests`
/// until `nextDeadline`, then call `service(at:)`.
package final class MetadataFinder {
  private let pool: WorkerPool<DecodeProtocol, Photo.ID>
  private let path: (Photo.ID) -> [UInt8]
  /// The most seconds that reading a photo may take.
  private let timeout: Double
  /// The inspected photo.
  private var demand: Photo.ID?
  /// The metadata that was read; empty for files that cannot be read.
  private var metadata: [Photo.ID: PhotoMetadata] = [:]
  /// Photos whose metadata `service(at:)` has not returned yet.
  private var arrivals: [Photo.ID] = []

  /// The most photos whose metadata is cached.
  private static let maxCount = 256

  /// Creates a finder that has started no worker yet.
  ///
  /// - Parameters:
  ///   - worker: The program that reads metadata.
  ///   - timeout: The most seconds that reading a photo may take.
  ///   - path: Returns the path of a photo when its file is read.
  package init(
    worker: WorkerExecutable, timeout: Double = 5, path: @escaping (Photo.ID) -> [UInt8]
  ) {
    pool = WorkerPool(worker)
    self.timeout = timeout
    self.path = path
  }

  /// Returns the metadata of a photo; nil until it has been read.
  package func metadata(of photo: Photo.ID) -> PhotoMetadata? { metadata[photo] }

  /// Sets the inspected photo; nil ends the worker.
  package func setDemand(_ photo: Photo.ID?, at now: Instant) {
    demand = photo
    advance(at: now)
  }

  /// Drops the metadata of a photo whose file may have changed.
  package func forget(_ photo: Photo.ID) {
    metadata[photo] = nil
    pool.markStale { $0 == photo }
  }

  /// Kills the worker and removes the demand.
  package func shutDown() {
    demand = nil
    pool.releaseAll()
  }

  /// The descriptor to poll, with the events to poll for; empty without a worker.
  package var pollRequests: [pollfd] { pool.pollRequests }

  /// The time at which to call `service(at:)` at the latest, whatever the descriptor reports.
  package var nextDeadline: Instant? {
    arrivals.isEmpty ? pool.nextDeadline : Instant(nanoseconds: 0)
  }

  /// Reads the messages that have arrived.
  ///
  /// - Returns: The photos whose metadata has arrived.
  package func service(at now: Instant) -> [Photo.ID] {
    let losses = pool.service(at: now) { message, photo in
      switch message {
      case .inspected(_, let metadata): note(metadata, of: photo)
      case .failed: note(PhotoMetadata(), of: photo)
      default: return .violation
      }
      return .finished
    }
    for photo in losses.compactMap(\.current) { note(PhotoMetadata(), of: photo) }
    advance(at: now)
    defer { arrivals = [] }
    return arrivals
  }

  /// Caches the metadata of a photo.
  private func note(_ metadata: PhotoMetadata, of photo: Photo.ID) {
    if self.metadata.count >= Self.maxCount { self.metadata = [:] }
    self.metadata[photo] = metadata
    arrivals.append(photo)
  }

  /// Requests the metadata of the inspected photo unless it is cached.
  private func advance(at now: Instant) {
    guard let photo = demand else { return pool.releaseAll() }
    guard pool.isIdle, metadata[photo] == nil else { return }
    let outcome = pool.assign(
      photo, to: 0, timeout: timeout, payloadLimit: DecodeProtocol.Response.longestMetadata, at: now
    ) { .photo(token: $0, path: path(photo), .inspect) }
    if case .unavailable = outcome { note(PhotoMetadata(), of: photo) }
  }
}
