import Geometry
import Glibc
import Photos
import WorkerProtocol

/// Reads the metadata of the inspected photo, encodes pictures as files, and reads the photo to
/// copy, beside the workers that decode, so that no slow photo delays either.
///
/// One worker does all three. Another is started only while that one is busy: the disk of the inspected
/// photo may hang. No call blocks. Poll `pollRequests` until `nextDeadline`, then call `service(at:)`.
package final class SideClient {
  /// A result of `service(at:)`: the metadata of a photo was read; or the file of an encoding, nil
  /// for a picture that cannot be encoded; or the file of an exported photo.
  package enum Arrival {
    case metadata(Photo.ID)
    case file(id: UInt32, [UInt8]?)
    case exported(Photo.ID, Result<[UInt8], FailureReason>)
  }

  private enum Job {
    case metadata(Photo.ID)
    case file(PictureEncoding)
    case export(Photo.ID)

    var isMetadata: Bool { if case .metadata = self { true } else { false } }
    var isFile: Bool { if case .file = self { true } else { false } }
    var isExport: Bool { if case .export = self { true } else { false } }
  }

  private let pool: WorkerPool<DecodeProtocol, Job>
  private let path: (Photo.ID) -> [UInt8]
  /// The most seconds that a job may take.
  private let timeout: Double
  /// The inspected photo.
  private var demand: Photo.ID?
  /// The metadata that was read; empty for files that cannot be read.
  private var metadata: [Photo.ID: PhotoMetadata] = [:]
  /// Pictures that have not been sent yet; one is encoded at a time.
  private var queue: ArraySlice<PictureEncoding> = []
  /// The photo to export; nil if there is none, or its request was sent.
  private var exported: Photo.ID?
  private var arrivals: [Arrival] = []
  /// Until when a worker without work is kept for more pictures.
  private var keptUntil = Instant(nanoseconds: 0)

  /// The most photos whose metadata is cached.
  private static let maxCount = 256
  /// How long a worker is kept after a picture, in seconds.
  private static let idleSeconds = 5.0
  /// The most seconds of processor time that exporting a photo may take.
  private static let exportSeconds = 30
  /// The most memory that decoding a photo to export may take, in bytes.
  private static let exportMemory = 768 << 20

  /// Creates a decoder that has started no worker yet; `path` returns the path of a photo when its
  /// file is read.
  package init(
    worker: WorkerExecutable, timeout: Double = 30, path: @escaping (Photo.ID) -> [UInt8]
  ) {
    var limits = WorkerPoolLimits()
    limits.slotCount = 2
    pool = WorkerPool(worker, limits: limits)
    self.timeout = timeout
    self.path = path
  }

  /// Returns the metadata of a photo; nil until it has been read.
  package func metadata(of photo: Photo.ID) -> PhotoMetadata? { metadata[photo] }

  /// Sets the inspected photo; nil if no photo is inspected.
  package func setDemand(_ photo: Photo.ID?, at now: Instant) {
    demand = photo
    advance(at: now)
  }

  /// Drops the metadata of a photo whose file may have changed.
  package func forget(_ photo: Photo.ID) {
    metadata[photo] = nil
    pool.markStale { if case .metadata(photo) = $0 { true } else { false } }
  }

  /// Adds pictures to encode.
  package func add(_ encodings: [PictureEncoding], at now: Instant) {
    queue += encodings
    if !encodings.isEmpty { advance(at: now) }
  }

  /// Reads a photo as a PNG or JPEG; a later photo takes the place of one that waits.
  package func export(_ photo: Photo.ID, at now: Instant) {
    exported = photo
    advance(at: now)
  }

  /// Kills the workers, and drops the demand and all pictures.
  package func shutDown() {
    (demand, queue, exported, pool.waiting) = (nil, [], nil, [])
    pool.releaseAll()
  }

  /// The descriptors to poll, with the events to poll for; empty without a worker.
  package var pollRequests: [pollfd] { pool.pollRequests }

  /// The time at which to call `service(at:)` at the latest, whatever the descriptors report.
  package var nextDeadline: Instant? {
    guard arrivals.isEmpty else { return Instant(nanoseconds: 0) }
    let release = pool.isIdle && demand == nil && !pool.isEmpty ? keptUntil : nil
    return [pool.nextDeadline, release].compactMap(\.self).min()
  }

  /// Reads the messages that have arrived, and sends the next requests.
  package func service(at now: Instant) -> [Arrival] {
    let losses = pool.service(at: now) { message, job in
      switch (message, job) {
      case (.inspected(let metadata), .metadata(let photo)): note(metadata, of: photo)
      case (.encoded(let file), .file(let encoding)):
        arrivals.append(.file(id: encoding.id, file))
        keptUntil = now.advanced(bySeconds: Self.idleSeconds)
      case (.encoded(let file), .export(let photo)):
        arrivals.append(.exported(photo, .success(file)))
      case (.failed(let reason), _): fail(job, reason)
      default: return .violation
      }
      return .finished
    }
    for job in losses.compactMap(\.current) { fail(job, .decoder("decoder crashed")) }
    advance(at: now)
    defer { arrivals = [] }
    return arrivals
  }

  private func fail(_ job: Job, _ reason: FailureReason) {
    switch job {
    case .metadata(let photo): note(PhotoMetadata(), of: photo)
    case .file(let encoding): arrivals.append(.file(id: encoding.id, nil))
    case .export(let photo): arrivals.append(.exported(photo, .failure(reason)))
    }
  }

  /// Caches the metadata of a photo.
  private func note(_ metadata: PhotoMetadata, of photo: Photo.ID) {
    if self.metadata.count >= Self.maxCount { self.metadata = [:] }
    self.metadata[photo] = metadata
    arrivals.append(.metadata(photo))
  }

  /// Sends what is needed and not underway, and ends workers that nothing is left for.
  private func advance(at now: Instant) {
    let slots = pool.slots.indices
    let running = slots.filter { pool.slots[$0].worker != nil }
    for slot in running + slots.filter({ !running.contains($0) }) {
      let hasWorker = pool.fill(slot, at: now, next: nextJob, order: order) { job, _ in
        fail(job, .decoder("cannot start the decoder"))
      }
      guard hasWorker else { break }
    }
    guard pool.isIdle, pool.waiting.isEmpty, queue.isEmpty, exported == nil else { return }
    if demand == nil, keptUntil <= now { return pool.releaseAll() }
    for slot in pool.slots.indices.filter({ pool.slots[$0].worker != nil }).dropFirst() {
      pool.release(slot)
    }
  }

  /// Returns the next job of a kind that is not underway.
  private func nextJob() -> Job? {
    let jobs = pool.slots.flatMap(\.jobs).map(\.task)
    if let photo = demand, metadata[photo] == nil, !jobs.contains(where: \.isMetadata) {
      return .metadata(photo)
    }
    if !jobs.contains(where: \.isFile), let encoding = queue.popFirst() { return .file(encoding) }
    guard let photo = exported, !jobs.contains(where: \.isExport) else { return nil }
    exported = nil
    return .export(photo)
  }

  private func order(_ job: Job) -> WorkerPool<DecodeProtocol, Job>.Order {
    switch job {
    case .metadata(let photo):
      return .init(
        request: .photo(path: path(photo), .inspect), timeout: timeout,
        payloadLimit: DecodeProtocol.Response.maxMetadataLength)
    case .file(let encoding):
      return .init(
        request: .encode(encoding.bitmap, encoding.format), timeout: timeout,
        payloadLimit: DecodeProtocol.Response.payloadLimit(fileOf: encoding.bitmap))
    case .export(let photo):
      var allowance = DecodeProtocol.Request.Allowance()
      (allowance.seconds, allowance.memory) = (Self.exportSeconds, Self.exportMemory)
      return .init(
        request: .photo(path: path(photo), .export, allowance),
        timeout: Double(Self.exportSeconds) * StoreLimits.clockFactor,
        payloadLimit: 2 * DecodeProtocol.Request.maxPictureLength)
    }
  }
}
