import Glibc
import PhotoGridCore
import WorkerProtocol

/// Reads the facts of many photos' files in workers, which run only while there are files to read.
///
/// Several photos are requested ahead of each worker, so that it never waits for the program. No
/// call blocks. Poll `pollRequests` until `nextDeadline`, then call `service(at:)`.
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
  /// Findings that `service(at:)` has not returned yet.
  private var findings: [Finding] = []

  /// The number of photos requested ahead of each worker.
  private static let depth = 16

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
    retries = []
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

  /// Fails the photo that a lost worker was reading, unless it was lost before its greeting, and
  /// requests the others again.
  private func handle(_ loss: WorkerPool<DecodeProtocol, Photo.ID>.Loss) {
    guard let photo = loss.current else { return retries += loss.waiting }
    if loss.hadGreeted {
      findings.append(Finding(photo: photo, info: nil))
    } else {
      retries.append(photo)
    }
    retries += loss.waiting
  }

  /// Keeps every worker busy, and ends those that have nothing to read.
  private func advance(at now: Instant) {
    guard pool.launchFailures < limits.maxLaunchFailures else { return giveUp() }
    for slot in pool.slots.indices {
      while pool.slots[slot].jobs.count < Self.depth, let photo = nextPhoto() {
        let path = path(photo)
        let outcome = pool.assign(
          photo, to: slot, timeout: limits.quickSeconds,
          payloadLimit: DecodeProtocol.Response.longestFacts,
          at: now
        ) { .describe(token: $0, path: path) }
        if outcome == .sent { continue }
        retries.append(photo)
        if case .unavailable = outcome { giveUp() }
        return
      }
      if pool.slots[slot].jobs.isEmpty { pool.release(slot) }
    }
  }

  /// The next photo to request.
  private func nextPhoto() -> Photo.ID? {
    if let photo = retries.popLast() { return photo }
    while next < demands.count {
      let photo = demands[next]
      next += 1
      if !pool.tasks.contains(photo) { return photo }
    }
    return nil
  }

  /// Fails all demands, since no worker can be started.
  private func giveUp() {
    findings += (retries + demands[next...]).map { Finding(photo: $0, info: nil) }
    retries = []
    next = demands.count
  }
}
