import Geometry
import Glibc
import Photos
import WorkerProtocol

/// Hashes the bytes of files, one after the other, in a process that runs only then.
///
/// No call blocks. Poll `pollRequests` until `nextDeadline`, then call `service(at:)`.
package final class DigestFinder {
  private let pool: WorkerPool<LibraryProtocol, Photo.ID>
  private let path: (Photo.ID) -> [UInt8]
  private var demands: [Photo.ID] = []
  private var updates: [DigestUpdate] = []

  /// The most seconds for a file, which may be large and on a slow disk.
  private static let timeout = 120.0

  /// Creates a finder that has started no process yet; `path` returns the path of a photo when its
  /// file is read.
  package init(
    executable: WorkerExecutable = .library, path: @escaping (Photo.ID) -> [UInt8]
  ) {
    pool = WorkerPool(executable)
    self.path = path
  }

  package func setDemands(_ photos: [Photo.ID], at now: Instant) {
    demands = photos
    advance(at: now)
  }

  /// Ignores the hash of a file that may have changed meanwhile.
  package func forget(_ photo: Photo.ID) { pool.markStale { $0 == photo } }

  package func shutDown() {
    demands = []
    pool.releaseAll()
  }

  package var pollRequests: [pollfd] { pool.pollRequests }

  package var nextDeadline: Instant? {
    updates.isEmpty ? pool.nextDeadline : Instant(nanoseconds: 0)
  }

  package func service(at now: Instant) -> [DigestUpdate] {
    let losses = pool.service(at: now) { message, photo in
      guard case .digest(let digest) = message else { return .violation }
      updates.append(DigestUpdate(photo, digest))
      return .finished
    }
    for photo in losses.compactMap(\.current) { updates.append(DigestUpdate(photo, nil)) }
    advance(at: now)
    defer { updates = [] }
    return updates
  }

  private func advance(at now: Instant) {
    guard pool.isIdle else { return }
    let known = Set(updates.map(\.photo))
    guard let photo = demands.first(where: { !known.contains($0) }) else {
      if updates.isEmpty { pool.releaseAll() }
      return
    }
    let outcome = pool.assign(
      photo, .digest(path: path(photo)), to: 0, timeout: Self.timeout,
      payloadLimit: LibraryProtocol.Response.maxDigestLength, at: now)
    if case .unavailable = outcome { updates.append(DigestUpdate(photo, nil)) }
  }
}
