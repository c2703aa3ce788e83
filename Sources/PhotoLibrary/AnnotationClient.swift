import Geometry
import Glibc
import Photos
import WorkerProtocol

/// A client of the process that reads and writes ratings.
///
/// The process runs only while there is work, and a little longer. Changes are written in the order
/// of the requests, before any rating is read. Only `shutDown(clock:)` blocks.
/// Poll `pollRequests` until `nextDeadline`, then call `service(at:)`.
package final class AnnotationClient {
  private enum Job {
    case read(Photo.ID)
    case write(AnnotationTask)
  }

  private let pool: WorkerPool<AnnotationProtocol, Job>
  private let path: (Photo.ID) -> [UInt8]
  private let isEmbedded: Bool
  private var changes: ArraySlice<AnnotationTask> = []
  /// The bytes that the last changes of each photo replaced in its files, oldest first, until they
  /// are undone; at most as many changes as can be undone.
  private var reversals: [Photo.ID: [[FileReversal]]] = [:]
  /// The number of bytes in `reversals`.
  private var reversalSize = 0
  /// Photos to read before the demands: those that have changed, and visible ones.
  private var reloads: ArraySlice<Photo.ID> = []
  private var visible: [Photo.ID] = []
  /// When the ratings of the visible photos are requested; nil if they have been.
  private var visibleDue: Instant?
  private var demands: [Photo.ID] = []
  /// The index of the first demand that has not been requested yet.
  private var next = 0
  private var report = Report()
  /// Jobs that the running process has declined, for its replacement.
  private var returned: [Job] = []
  /// The number of replacements in a row without a finished job.
  private var replacements = 0
  /// When the process is ended for lack of work; nil while it has some, or does not run.
  private var idleEnd: Instant?

  /// The most requests in flight.
  private static let depth = 16
  /// The time for which the visible photos must stay the same before they are read, in seconds.
  ///
  /// While the grid scrolls, none are read.
  private static let visibleDelay = 0.2
  /// The time without work after which the process is ended, in seconds.
  private static let idleTime = 10.0
  /// The most replacements in a row without a finished job.
  private static let maxReplacements = 2
  /// The timeout of reading or writing a rating, in seconds.
  private static let timeout = 30.0
  /// The most bytes that are kept for undoing changes.
  private static let maxReversalBytes = 64 << 20
  /// The longest time that `shutDown(clock:)` waits for changes to be written, in seconds.
  private static let shutDownTime = 0.3

  /// Creates a client that has started no process yet.
  ///
  /// - Parameters:
  ///   - worker: The executable of the decoding workers, which also reads and writes ratings.
  ///   - isEmbedded: Whether ratings are written into photos rather than sidecars.
  ///   - path: Returns the path of a photo when its rating is read or written.
  package convenience init(
    worker: WorkerExecutable, isEmbedded: Bool, path: @escaping (Photo.ID) -> [UInt8]
  ) {
    self.init(process: worker.forAnnotations, isEmbedded: isEmbedded, path: path)
  }

  package init(
    process: WorkerExecutable, isEmbedded: Bool, path: @escaping (Photo.ID) -> [UInt8]
  ) {
    pool = WorkerPool(process, limits: WorkerPoolLimits(firstPause: 0.05, maxLaunchFailures: 3))
    self.isEmbedded = isEmbedded
    self.path = path
  }

  // MARK: - Requests

  /// Queues changes, which are written in this order after all earlier ones.
  package func write(_ tasks: [AnnotationTask], at now: Instant) {
    changes += tasks
    advance(at: now)
  }

  package func reload(_ photos: [Photo.ID], at now: Instant) {
    let photoSet = PhotoSet(photos)
    pool.markStale { if case .read(let photo) = $0 { photoSet.contains(photo) } else { false } }
    reloads += photos
    advance(at: now)
  }

  /// Replaces the photos to read.
  package func setDemands(visible: [Photo.ID], _ demands: [Photo.ID], at now: Instant) {
    if visible != self.visible {
      self.visible = visible
      visibleDue = visible.isEmpty ? nil : now.advanced(bySeconds: Self.visibleDelay)
    }
    guard demands != self.demands else { return }
    self.demands = demands
    next = 0
    advance(at: now)
  }

  // MARK: - Polling

  package var pollRequests: [pollfd] { pool.pollRequests }

  package var nextDeadline: Instant? {
    guard report.isEmpty else { return Instant(nanoseconds: 0) }
    return [pool.nextDeadline, idleEnd, visibleDue].compactMap(\.self).min()
  }

  /// The number of changes that wait to be sent.
  package var waitingCount: Int { changes.count }

  /// The jobs that are not answered yet, without the changes that wait for their turn.
  private var openJobs: [Job] { pool.tasks + pool.waiting + returned }

  /// The number of changes without a result.
  private var openCount: Int {
    changes.count + openJobs.count { if case .write = $0 { true } else { false } }
  }

  /// Whether no job is queued or in flight, and all results have been returned.
  ///
  /// Visible photos that are not read yet, because the grid may be scrolling, do not count.
  package var isIdle: Bool {
    openJobs.isEmpty && changes.isEmpty && reloads.isEmpty && next >= demands.count
      && pool.isIdle && report.isEmpty
  }

  package func service(at now: Instant) -> [Report] {
    let losses = pool.service(at: now) { message, job in
      guard !message.isDeclined else {
        // Every process can do its first job: one that declines even that is broken.
        guard replacements <= Self.maxReplacements else { return .violation }
        returned.append(job)
        return .declined
      }
      replacements = 0
      receive(message, about: job)
      return .finished
    }
    for loss in losses { handle(loss) }
    if let due = visibleDue, due <= now {
      visibleDue = nil
      let known = PhotoSet(reloads)
      reloads += visible.filter { !known.contains($0) }
    }
    advance(at: now)
    defer { report = Report() }
    return report.isEmpty ? [] : [report]
  }

  private func receive(_ response: AnnotationProtocol.Response, about job: Job) {
    switch job {
    case .read(let photo):
      report.readings.append(
        Reading(photo: photo, rating: response.rating ?? .none, stamp: response.stamp))
    case .write(let task):
      note(
        task, before: response.rating, failure: response.failure,
        sidecarReason: response.sidecarReason)
      if task.isUndo {
        let undone = reversals[task.photo]?.popLast() ?? []
        reversalSize -= undone.reduce(0) { $0 + $1.byteCount }
      } else if response.failure == nil {
        let size = response.reversals.reduce(0) { $0 + $1.byteCount }
        // Without it the change is undone by its value.
        let isKept = reversalSize + size <= Self.maxReversalBytes
        var known = reversals.removeValue(forKey: task.photo) ?? []
        if known.count == AnnotationTask.maxUndoableCount {
          reversalSize -= known.removeFirst().reduce(0) { $0 + $1.byteCount }
        }
        known.append(isKept ? response.reversals : [])
        reversals[task.photo] = known
        if isKept { reversalSize += size }
      }
      guard response.failure == nil, let before = response.rating else { return }
      report.written.append(
        Reading(
          photo: task.photo, rating: task.edit.applied(to: before), stamp: response.stamp))
    }
  }

  private func note(
    _ task: AnnotationTask, before: Rating? = nil, failure: String?, sidecarReason: String? = nil
  ) {
    let path = path(task.photo)
    report.results.append(
      AnnotationResult(
        task, before: before, failure: failure, sidecarReason: sidecarReason,
        name: Array(path[path.nameStart...])))
  }

  /// Fails the job that a lost process was working on, and queues its other jobs again.
  private func handle(_ loss: WorkerPool<AnnotationProtocol, Job>.Loss) {
    if let job = loss.current { fail(job, loss.ending.message(about: "the annotation worker")) }
    pool.waiting += loss.waiting.reversed()
  }

  private func fail(_ job: Job, _ reason: String) {
    switch job {
    // A filter would wait forever for a photo without a reading.
    case .read(let photo):
      report.readings.append(Reading(photo: photo, rating: .none, stamp: 0))
    case .write(let task): note(task, failure: reason)
    }
  }

  // MARK: - Sending

  private func advance(at now: Instant) {
    guard returned.isEmpty || replaceProcess() else { return }
    pool.fill(0, depth: Self.depth, at: now, next: nextJob, order: order) { fail($0, $1.message) }
    if !pool.isIdle || pool.isEmpty {
      idleEnd = nil
    } else if let end = idleEnd, end <= now {
      idleEnd = nil
      pool.releaseAll()
    } else {
      idleEnd = idleEnd ?? now.advanced(bySeconds: Self.idleTime)
    }
  }

  /// Ends a process that has declined jobs, once it has answered everything.
  ///
  /// - Returns: Whether the process was ended, and the declined jobs were queued again.
  private func replaceProcess() -> Bool {
    guard pool.isIdle else { return false }
    pool.releaseAll()
    replacements += 1
    pool.waiting += returned.reversed()
    returned = []
    return true
  }

  private func nextJob() -> Job? {
    if let task = changes.first {
      // An undo needs to know what the change replaced.
      guard !task.isUndo || !isWriting(task.photo) else { return nil }
      return .write(changes.removeFirst())
    }
    if let photo = reloads.popFirst() { return .read(photo) }
    guard next < demands.count else { return nil }
    next += 1
    return .read(demands[next - 1])
  }

  private func isWriting(_ photo: Photo.ID) -> Bool {
    pool.tasks.contains { if case .write(let task) = $0 { task.photo == photo } else { false } }
  }

  private func order(_ job: Job) -> WorkerPool<AnnotationProtocol, Job>.Order {
    let photo: Photo.ID
    var edit: AnnotationEdit?
    var undone: [FileReversal] = []
    switch job {
    case .read(let read): photo = read
    case .write(let task):
      (photo, edit) = (task.photo, task.edit)
      if task.isUndo { undone = reversals[photo]?.last ?? [] }
    }
    let request = AnnotationProtocol.Request(
      path: path(photo), edit: edit, isEmbedded: isEmbedded, reversals: undone)
    return .init(
      request: request, timeout: Self.timeout,
      payloadLimit: AnnotationProtocol.Response.maxPayloadLength)
  }

  /// Waits a little for changes to be written, and ends the process, which never leaves a file half
  /// written.
  ///
  /// - Returns: The number of changes that may not have been written.
  @discardableResult
  package func shutDown(clock: () -> Instant) -> Int {
    (reloads, demands, next, visibleDue) = ([], [], 0, nil)
    pool.waiting.removeAll { if case .read = $0 { true } else { false } }
    var now = clock()
    let end = now.advanced(bySeconds: Self.shutDownTime)
    while openCount > 0, now < end {
      var requests = pollRequests
      poll(&requests, nfds_t(requests.count), 20)
      now = clock()
      _ = service(at: now)
    }
    defer { pool.releaseAll() }
    return openCount
  }
}

extension AnnotationClient {
  /// A rating that was read or written.
  package struct Reading: Equatable, Sendable {
    package var photo: Photo.ID
    /// The rating that its files have now.
    package var rating: Rating
    /// The `RatingStamp` of the files, which changes when one of them does; 0 if unknown.
    package var stamp: UInt64
  }

  /// The results that have arrived since the last report.
  package struct Report {
    package var readings: [Reading] = []
    package var written: [Reading] = []
    package var results: [AnnotationResult] = []

    /// Whether nothing has arrived; a written rating always has a result too.
    package var isEmpty: Bool { readings.isEmpty && results.isEmpty }
  }
}
