import PhotoGridCore
import WorkerProtocol

/// Has many photos' files looked at, by workers of its own that are there only as long as there is
/// something to look at.
///
/// Each is asked for some photos ahead, so that it never waits for the program. Nothing here ever
/// waits either. Poll `pollDescriptors` until `nextDeadline`, then call `service(at:)`.
package final class FactFinder {
  /// What came out for a photo.
  package struct Finding: Equatable, Sendable {
    package var photo: Photo.ID
    /// Nil where the file cannot be read.
    package var info: PhotoInfo?

    /// What came out for a photo.
    package init(photo: Photo.ID, info: PhotoInfo?) {
      self.photo = photo
      self.info = info
    }
  }

  private let executable: WorkerExecutable
  private let limits: StoreLimits
  private let path: (Photo.ID) -> [UInt8]
  private var wanted: [Photo.ID] = []
  /// All of `wanted` before this were asked for.
  private var next = 0
  /// Asked of workers that ended before they came to them.
  private var returned: [Photo.ID] = []
  private var slots: [Slot]
  private var ended = EndedProcesses()
  private var findings: [Finding] = []
  private var lastToken: UInt32 = 0
  /// How many workers in a row did not start, or ended before they said anything.
  private var stillbornCount = 0

  /// A place for a worker.
  private struct Slot {
    var worker: WorkerProcess?
    /// What it was asked for and has not answered, in order.
    var jobs: [Job] = []
    /// When the first of them has to be answered.
    var deadline: Instant?
  }

  private struct Job {
    var token: UInt32
    var photo: Photo.ID
  }

  /// How many photos a worker is asked for ahead.
  private static let depth = 16

  /// A finder that asks for paths when it needs them.
  package init(
    worker: WorkerExecutable, limits: StoreLimits = StoreLimits(),
    path: @escaping (Photo.ID) -> [UInt8]
  ) {
    executable = worker
    self.limits = limits
    self.path = path
    slots = Array(repeating: Slot(), count: max(1, limits.workerCount))
  }

  /// Says which photos are to be looked at, in order, instead of those said before.
  ///
  /// - Complexity: O(1) where these are the same array as before.
  package func want(_ photos: [Photo.ID], at now: Instant) {
    guard photos != wanted else { return }
    wanted = photos
    next = 0
    returned = []
    advance(at: now)
  }

  /// Kills all workers and takes the wishes back.
  package func shutDown() {
    wanted = []
    returned = []
    for index in slots.indices { release(index) }
  }

  // MARK: The loop

  /// What to poll for reading, and for writing too where `wantsWrite`.
  package var pollDescriptors: [(descriptor: Int32, wantsWrite: Bool)] {
    slots.compactMap { slot in slot.worker.map { ($0.descriptor, $0.wantsWrite) } }
  }

  /// When `service(at:)` has to be called at the latest, whatever the descriptors say.
  package var nextDeadline: Instant? {
    findings.isEmpty ? slots.compactMap(\.deadline).min() : Instant(nanoseconds: 0)
  }

  /// Takes what has arrived, and asks for more.
  package func service(at now: Instant) -> [Finding] {
    ended.reap()
    forgiveSleep(until: now)
    for index in slots.indices { receive(index, at: now) }
    for index in slots.indices {
      if let deadline = slots[index].deadline, deadline <= now { lose(index, at: now) }
    }
    advance(at: now)
    defer { findings = [] }
    return findings
  }

  // MARK: Workers

  /// Where the program itself was stopped or held up for long, the workers are not to blame.
  private func forgiveSleep(until now: Instant) {
    guard let earliest = slots.compactMap(\.deadline).min() else { return }
    let late = now.seconds(since: earliest)
    guard late > 1 else { return }
    for index in slots.indices {
      slots[index].deadline = slots[index].deadline?.advanced(bySeconds: late + 1)
    }
  }

  private func receive(_ index: Int, at now: Instant) {
    guard let worker = slots[index].worker else { return }
    worker.flush()
    let (messages, ending) = worker.receive()
    for message in messages {
      guard let job = slots[index].jobs.first else { return lose(index, at: now) }
      switch message {
      case .described(job.token, let info):
        findings.append(Finding(photo: job.photo, info: info))
      case .failed(job.token, _):
        findings.append(Finding(photo: job.photo, info: nil))
      default:
        return lose(index, at: now)
      }
      slots[index].jobs.removeFirst()
      slots[index].deadline =
        slots[index].jobs.isEmpty ? nil : now.advanced(bySeconds: limits.quickSeconds)
    }
    if ending != nil { lose(index, at: now) }
  }

  /// Gives up a worker that ended or has to end; the photo that it was at is to blame, if it was at
  /// one.
  private func lose(_ index: Int, at now: Instant) {
    let hadGreeted = slots[index].worker?.hasGreeted ?? false
    var jobs = slots[index].jobs[...]
    if hadGreeted {
      stillbornCount = 0
      if let job = jobs.popFirst() { findings.append(Finding(photo: job.photo, info: nil)) }
    } else {
      stillbornCount += 1
    }
    returned += jobs.map(\.photo)
    release(index)
  }

  private func release(_ index: Int) {
    slots[index].worker?.end(into: &ended)
    slots[index] = Slot()
  }

  // MARK: Asking

  private func advance(at now: Instant) {
    guard stillbornCount < limits.mostFutileStarts else { return giveUp() }
    for index in slots.indices {
      while slots[index].jobs.count < Self.depth, let photo = nextPhoto() {
        guard let worker = slots[index].worker ?? (try? WorkerProcess(executable)) else {
          // The others go on, if there are any.
          returned.append(photo)
          if slots.allSatisfy({ $0.worker == nil }) { giveUp() }
          return
        }
        slots[index].worker = worker
        ask(photo, of: index, worker, at: now)
      }
      // Nothing is left to look at.
      if slots[index].jobs.isEmpty { release(index) }
    }
  }

  private func ask(_ photo: Photo.ID, of index: Int, _ worker: WorkerProcess, at now: Instant) {
    let path = path(photo)
    lastToken &+= 1
    worker.send(.describe(token: lastToken, path: path))
    slots[index].jobs.append(Job(token: lastToken, photo: photo))
    if slots[index].deadline == nil {
      slots[index].deadline = now.advanced(bySeconds: limits.quickSeconds)
    }
  }

  private func nextPhoto() -> Photo.ID? {
    if let photo = returned.popLast() { return photo }
    while next < wanted.count {
      let photo = wanted[next]
      next += 1
      let isAsked = slots.contains { $0.jobs.contains { $0.photo == photo } }
      if !isAsked { return photo }
    }
    return nil
  }

  /// Without workers nothing can be found out of any photo.
  private func giveUp() {
    findings += (returned + wanted[next...]).map { Finding(photo: $0, info: nil) }
    returned = []
    next = wanted.count
  }
}
