import Geometry
import Glibc
import Photos
import WorkerProtocol

/// Photos whose files were read.
package struct FactBatch: Equatable, Sendable {
  package var photos: [Photo.ID]
  /// The facts of their files, in the same order; photos that are not `isKnown` follow in another
  /// batch.
  package var facts: InfoBlock
}

/// Reads the facts of many photos' files in other processes, which run only while there are files to
/// read.
///
/// A `HeaderFactFinder` reads what needs no decoder; workers that decode read the rest. Many photos are
/// requested ahead of each worker, so that it never waits for the program, and its answers arrive
/// together. When a worker ends, the photo that ended it is therefore not known: all that were
/// requested are read again one by one. No call blocks. Poll `pollRequests` until `nextDeadline`, then
/// call `service(at:)`.
package final class FactFinder {
  private let headers: HeaderFactFinder
  private let pool: WorkerPool<DecodeProtocol, Photo.ID>
  private let limits: StoreLimits
  private let path: (Photo.ID) -> [UInt8]
  private var demands: [Photo.ID] = []
  /// The photos whose headers were read in vain.
  private var undescribed = PhotoSet()
  /// The photos that workers have to read, in order.
  private var queue: [Photo.ID] = []
  /// The index in `queue` of the first photo that has not been requested yet.
  private var next = 0
  /// Photos that a worker was reading when it ended: each is read by a worker that has no other.
  private var suspects: [Photo.ID] = []
  /// The photos that were being read, or were suspects, when the demands were set.
  private var busy: Set<Photo.ID> = []
  /// The facts that decoders have read and `service(at:)` has not returned yet; nil for files that
  /// cannot be read.
  private var findings: [(photo: Photo.ID, info: PhotoInfo?)] = []

  /// The number of photos requested ahead of each worker.
  private static let depth = 32
  /// The number of unanswered requests at which a worker gets more of them.
  private static let lowDepth = 16

  /// Creates a finder that has started no worker yet.
  package init(
    worker: WorkerExecutable, headerReader: WorkerExecutable, limits: StoreLimits = StoreLimits(),
    path: @escaping (Photo.ID) -> [UInt8]
  ) {
    headers = HeaderFactFinder(headerReader, limits: limits, path: path)
    pool = WorkerPool(worker, limits: limits.pool)
    self.limits = limits
    self.path = path
  }

  /// Replaces the photos to read, most urgent first.
  ///
  /// - Complexity: O(1) if these are the same array as before.
  package func setDemands(_ photos: [Photo.ID], at now: Instant) {
    guard photos != demands else { return }
    demands = photos
    busy = Set(pool.tasks).union(suspects)
    next = 0
    pool.waiting = []
    if undescribed.isEmpty {
      queue = []
      headers.setDemands(photos, at: now)
    } else {
      queue = photos.filter { undescribed.contains($0) }
      headers.setDemands(photos.filter { !undescribed.contains($0) }, at: now)
    }
    advance(at: now)
  }

  package func reload(_ photo: Photo.ID, at now: Instant) {
    undescribed.remove(photo)
    headers.reload(photo, at: now)
    guard pool.markStale(where: { $0 == photo }) else { return }
    pool.waiting.append(photo)
    advance(at: now)
  }

  package func shutDown() {
    (demands, queue, next) = ([], [], 0)
    (suspects, pool.waiting) = ([], [])
    headers.shutDown()
    pool.releaseAll()
  }

  package var pollRequests: [pollfd] { headers.pollRequests + pool.pollRequests }

  package var nextDeadline: Instant? {
    findings.isEmpty
      ? [headers.nextDeadline, pool.nextDeadline].compactMap(\.self).min()
      : Instant(nanoseconds: 0)
  }

  package func service(at now: Instant) -> [FactBatch] {
    let read = results(at: now)
    guard !read.decoded.isEmpty else { return read.headers }
    let photos = read.decoded.map(\.photo)
    return read.headers + [FactBatch(photos: photos, facts: InfoBlock(read.decoded.map(\.info)))]
  }

  /// Does that, and tells apart what was read from headers and by decoders.
  func results(
    at now: Instant
  ) -> (headers: [FactBatch], decoded: [(photo: Photo.ID, info: PhotoInfo?)]) {
    let read = headers.service(at: now)
    queue += read.remaining
    for photo in read.remaining { undescribed.insert(photo) }
    let losses = pool.service(at: now) { message, photo in
      switch message {
      case .described(let info): findings.append((photo, info))
      case .failed: findings.append((photo, nil))
      default: return .violation
      }
      return .finished
    }
    for loss in losses { handle(loss) }
    advance(at: now)
    defer { findings = [] }
    return (read.batches, findings)
  }

  /// Fails the photo that a lost worker was reading if there was no other, unless it was lost before
  /// its greeting, and requests the others again.
  private func handle(_ loss: WorkerPool<DecodeProtocol, Photo.ID>.Loss) {
    if !loss.hadGreeted {
      pool.waiting += loss.tasks
    } else if loss.hadOneJob {
      findings += loss.tasks.map { ($0, nil) }
    } else {
      suspects += loss.tasks
    }
  }

  private func advance(at now: Instant) {
    guard pool.launchFailures < limits.maxLaunchFailures else { return giveUp() }
    for slot in pool.slots.indices {
      guard fill(slot, at: now) else { return }
      if pool.slots[slot].jobs.isEmpty { pool.release(slot) }
    }
  }

  /// Requests more photos of a worker, or one suspect.
  ///
  /// - Returns: Whether the other workers can be given photos too.
  private func fill(_ slot: Int, at now: Instant) -> Bool {
    let count = pool.slots[slot].jobs.count
    guard suspects.isEmpty ? count <= Self.lowDepth : count == 0 else { return true }
    let depth = suspects.isEmpty ? Self.depth : 1
    return pool.fill(slot, depth: depth, at: now, next: nextPhoto) {
      .init(
        request: .photo(path: path($0), .describe),
        timeout: limits.quickSeconds * StoreLimits.clockFactor,
        payloadLimit: DecodeProtocol.Response.maxFactsLength)
    } fail: { photo, _ in
      findings.append((photo, nil))
    }
  }

  private func nextPhoto() -> Photo.ID? {
    if !suspects.isEmpty { return suspects.removeFirst() }
    while next < queue.count {
      let photo = queue[next]
      next += 1
      if !busy.contains(photo) { return photo }
    }
    return nil
  }

  /// Fails all photos that workers have to read, since none can be started.
  private func giveUp() {
    while let photo = pool.waiting.popLast() ?? nextPhoto() { findings.append((photo, nil)) }
  }
}
