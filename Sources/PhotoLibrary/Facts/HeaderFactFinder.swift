import Geometry
import Glibc
import Photos
import WorkerProtocol

/// Reads the facts of many photos from the headers of their files, in processes that decode nothing.
///
/// That is several times faster than having decoders read them, which the rest needs: other formats,
/// damaged files, and all photos that a process was reading when it failed. No call blocks.
final class HeaderFactFinder {
  /// The facts that the processes have read since the last call.
  struct Results {
    var batches: [FactBatch] = []
    /// The photos that need a decoder, in the order in which they were demanded.
    var remaining: [Photo.ID] = []
  }

  /// Photos in one folder, which are read together.
  private struct Batch {
    var photos: [Photo.ID] = []
    var names: PhotoBatch
  }

  private let pool: WorkerPool<LibraryProtocol, Batch>
  private let timeout: Double
  private let maxLaunchFailures: Int
  private let path: (Photo.ID) -> [UInt8]
  private var demands: [Photo.ID] = []
  /// The index of the first demand that has not been requested yet.
  private var next = 0
  /// Photos to request again, the first one last.
  private var retries: [Photo.ID] = []
  /// The photos that were being read when the demands were set.
  private var busy: Set<Photo.ID> = []
  /// Results that `service(at:)` has not returned yet.
  private var results = Results()

  /// The number of requests in flight for each process, so that it never waits for the program.
  private static let depth = 2
  /// The length of a path that no request has room for, in bytes.
  private static let maxPathLength = 4096

  /// Creates a finder that has started no process yet.
  init(
    _ executable: WorkerExecutable, limits: StoreLimits, path: @escaping (Photo.ID) -> [UInt8]
  ) {
    pool = WorkerPool(executable, limits: limits.pool)
    timeout = limits.quickSeconds * StoreLimits.clockFactor
    maxLaunchFailures = limits.maxLaunchFailures
    self.path = path
  }

  func setDemands(_ photos: [Photo.ID], at now: Instant) {
    demands = photos
    busy = Set(pool.tasks.lazy.flatMap(\.photos))
    next = 0
    (retries, pool.waiting, results.remaining) = ([], [], [])
    advance(at: now)
  }

  func reload(_ photo: Photo.ID, at now: Instant) {
    let affected = pool.tasks.filter { $0.photos.contains(photo) }
    guard pool.markStale(where: { $0.photos.contains(photo) }) else { return }
    for batch in affected { retries += batch.photos.reversed() }
    advance(at: now)
  }

  func shutDown() {
    (demands, next, retries, pool.waiting, results) = ([], 0, [], [], Results())
    pool.releaseAll()
  }

  var pollRequests: [pollfd] { pool.pollRequests }

  var nextDeadline: Instant? {
    results.batches.isEmpty && results.remaining.isEmpty
      ? pool.nextDeadline : Instant(nanoseconds: 0)
  }

  func service(at now: Instant) -> Results {
    let losses = pool.service(at: now) { message, batch in
      guard case .facts(let facts) = message, facts.rows.count <= batch.photos.count else {
        return .violation
      }
      receive(facts, about: batch.photos)
      return .finished
    }
    for loss in losses {
      // A photo that ends one process has to be looked for among many by those that read one by one.
      let photos = loss.tasks.flatMap(\.photos)
      if loss.hadGreeted {
        results.remaining += photos
      } else {
        retries += photos.reversed()
      }
    }
    advance(at: now)
    defer { results = Results() }
    return results
  }

  private func receive(_ facts: InfoBlock, about photos: [Photo.ID]) {
    let read = Array(photos.prefix(facts.rows.count))
    // The rest was not read yet, since the first ones took long.
    retries += photos.dropFirst(read.count).reversed()
    results.remaining += zip(read, facts.rows).lazy.filter { !$1.isKnown }.map { $0.0 }
    guard facts.knownCount > 0 else { return }
    results.batches.append(FactBatch(photos: read, facts: facts))
  }

  /// Keeps every process busy, and ends those that have nothing to read.
  private func advance(at now: Instant) {
    guard pool.launchFailures < maxLaunchFailures else { return giveUp() }
    for slot in pool.slots.indices {
      let hasProcess = pool.fill(slot, depth: Self.depth, at: now, next: nextBatch) {
        .init(
          request: .describe($0.names), timeout: timeout,
          payloadLimit: LibraryProtocol.Response.maxFactsLength)
      } fail: { batch, _ in
        results.remaining += batch.photos
      }
      guard hasProcess else { return }
      if pool.slots[slot].jobs.isEmpty { pool.release(slot) }
    }
  }

  /// Returns the next photos to request; nil if there are none.
  private func nextBatch() -> Batch? {
    var batch: Batch?
    while batch.map({ $0.photos.count < LibraryProtocol.maxPhotos }) ?? true,
      let photo = nextPhoto()
    {
      let path = path(photo)
      guard path.count < Self.maxPathLength else {
        results.remaining.append(photo)
        continue
      }
      let start = path.nameStart
      if batch == nil {
        batch = Batch(names: PhotoBatch(root: 0, folder: Array(path[..<start])))
      } else if batch?.names.folder.elementsEqual(path[..<start]) != true {
        retries.append(photo)
        break
      }
      batch?.photos.append(photo)
      batch?.names.append(path[start...])
    }
    return batch
  }

  private func nextPhoto() -> Photo.ID? {
    if let photo = retries.popLast() { return photo }
    while next < demands.count {
      let photo = demands[next]
      next += 1
      if !busy.contains(photo) { return photo }
    }
    return nil
  }

  private func giveUp() {
    while let batch = pool.waiting.popLast() { results.remaining += batch.photos }
    while let photo = nextPhoto() { results.remaining.append(photo) }
  }
}
