import Glibc
import PhotoGridCore
import WorkerProtocol

/// Reads the facts of many photos' files in workers, which run only while there are files to read.
///
/// Many photos are requested together and ahead of each worker, so that it never waits for the
/// program, and its answers arrive together too. So the photo that has ended a worker is not known:
/// those that were requested are read again one by one. No call blocks. Poll `pollRequests` until `nextDeadline`, then call `service(at:)`.
package final class FactFinder {
  /// The facts of a photo.
  package struct Finding: Equatable, Sendable {
    /// The photo.
    package var photo: Photo.ID
    /// Its facts; nil if the file cannot be read.
    package var info: PhotoInfo?

    /// Creates a finding.
    package init(photo: Photo.ID, info: PhotoInfo?) {
      self.photo = photo
      self.info = info
    }
  }

  private let pool: WorkerPool<DecodeProtocol, Photo.ID>
  private let limits: StoreLimits
  private let path: (Photo.ID) -> [UInt8]
  /// The photos to read, in order.
  private var demands: [Photo.ID] = []
  /// The index of the first demand that has not been requested yet.
  private var next = 0
  /// Photos to request again, because their workers ended or their files have changed.
  private var retries: [Photo.ID] = []
  /// Photos that a worker was reading when it ended: each is read by a worker that has no other.
  private var suspects: [Photo.ID] = []
  /// The photos that were being read, or were suspects, when the demands were set.
  private var busy: Set<Photo.ID> = []
  /// Findings that `service(at:)` has not returned yet.
  private var findings: [Finding] = []

  /// The number of photos requested ahead of each worker.
  private static let depth = 32
  /// The number of unanswered requests at which a worker gets more of them.
  private static let lowDepth = 16

  /// Creates a finder that has started no worker yet.
  ///
  /// - Parameters:
  ///   - worker: The program that reads facts.
  ///   - limits: The limits of workers and time.
  ///   - path: Returns the path of a photo when its file is read.
  package init(
    worker: WorkerExecutable, limits: StoreLimits = StoreLimits(),
    path: @escaping (Photo.ID) -> [UInt8]
  ) {
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
    retries = []
    advance(at: now)
  }

  /// Reads a photo again if it is being read, because its file may have changed.
  package func reload(_ photo: Photo.ID, at now: Instant) {
    guard pool.markStale(where: { $0 == photo }) else { return }
    retries.append(photo)
    advance(at: now)
  }

  /// Kills all workers and removes the demands.
  package func shutDown() {
    demands = []
    next = 0
    (retries, suspects) = ([], [])
    pool.releaseAll()
  }

  /// The descriptors to poll, with the events to poll for.
  package var pollRequests: [pollfd] { pool.pollRequests }

  /// The time at which to call `service(at:)` at the latest, whatever the descriptors report.
  package var nextDeadline: Instant? {
    findings.isEmpty ? pool.nextDeadline : Instant(nanoseconds: 0)
  }

  /// Reads the messages that have arrived, and requests more photos.
  ///
  /// - Returns: The findings so far.
  package func service(at now: Instant) -> [Finding] {
    let losses = pool.service(at: now) { message, photo in
      switch message {
      case .described(_, let info): findings.append(Finding(photo: photo, info: info))
      case .failed: findings.append(Finding(photo: photo, info: nil))
      default: return .violation
      }
      return .finished
    }
    for loss in losses { handle(loss) }
    advance(at: now)
    defer { findings = [] }
    return findings
  }

  /// Fails the photo that a lost worker was reading if there was no other, unless it was lost before
  /// its greeting, and requests the others again.
  private func handle(_ loss: WorkerPool<DecodeProtocol, Photo.ID>.Loss) {
    let photos = [loss.current].compactMap(\.self) + loss.waiting
    if !loss.hadGreeted {
      retries += photos
    } else if loss.hadOneJob {
      findings += photos.map { Finding(photo: $0, info: nil) }
    } else {
      suspects += photos
    }
  }

  /// Keeps every worker busy, and ends those that have nothing to read.
  private func advance(at now: Instant) {
    guard pool.launchFailures < limits.maxLaunchFailures else { return giveUp() }
    for slot in pool.slots.indices {
      guard fill(slot, at: now) else { return }
      if pool.slots[slot].jobs.isEmpty { pool.release(slot) }
    }
  }

  /// Requests more photos of a worker.
  ///
  /// - Returns: Whether the other workers can be given photos too.
  private func fill(_ slot: Int, at now: Instant) -> Bool {
    defer { pool.flush(slot) }
    guard suspects.isEmpty else {
      guard pool.slots[slot].jobs.isEmpty else { return true }
      return request(suspects.removeFirst(), of: slot, at: now)
    }
    guard pool.slots[slot].jobs.count <= Self.lowDepth else { return true }
    while pool.slots[slot].jobs.count < Self.depth, let photo = nextPhoto() {
      guard request(photo, of: slot, at: now) else { return false }
    }
    return true
  }

  /// Requests a photo, which `WorkerPool.flush(_:)` sends.
  ///
  /// - Returns: Whether more can be requested.
  private func request(_ photo: Photo.ID, of slot: Int, at now: Instant) -> Bool {
    let path = path(photo)
    let outcome = pool.assign(
      photo, to: slot, timeout: limits.quickSeconds,
      payloadLimit: DecodeProtocol.Response.longestFacts, isLast: false, at: now
    ) { .describe(token: $0, path: path) }
    if outcome == .sent { return true }
    retries.append(photo)
    if case .unavailable = outcome { giveUp() }
    return false
  }

  /// The next photo to request.
  private func nextPhoto() -> Photo.ID? {
    if let photo = retries.popLast() { return photo }
    while next < demands.count {
      let photo = demands[next]
      next += 1
      if !busy.contains(photo) { return photo }
    }
    return nil
  }

  /// Fails all demands, since no worker can be started.
  private func giveUp() {
    let rest = suspects + retries + demands[next...]
    findings += rest.map { Finding(photo: $0, info: nil) }
    (retries, suspects) = ([], [])
    next = demands.count
  }
}
