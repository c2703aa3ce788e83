import Geometry
import Glibc
import WorkerProtocol

/// Worker processes of one program, each with a queue of jobs.
///
/// The pool starts processes when there are jobs, matches answers to jobs, enforces deadlines and
/// size limits, replaces failed processes after growing pauses, and reaps the dead. What to ask
/// for, and what a failure means, is left to the client. No call blocks.
final class WorkerPool<Messages: MessageSet, Task> {
  var limits: WorkerPoolLimits
  /// The slots; fewer than at the start if some processes could not be started.
  var slots: [Slot]
  /// Tasks that go before all others of the client, the next one last: those that had to wait for a
  /// process, or lost theirs.
  var waiting: [Task] = []
  /// Messages for the user about processes that cannot be started; each appears once.
  var notices: [String] = []
  /// The number of processes in a row that did not start, or ended before their greeting.
  var launchFailures = 0
  /// The number of processes that were lost since a job was finished.
  var consecutiveFailures = 0
  /// The earliest time at which a process may be started.
  var nextStart: Instant?
  /// Whether a job is waiting for `nextStart`.
  var isHeldBack = false
  let executable: WorkerExecutable
  /// Requests sent to each process before its first job.
  let preamble: [Messages.Request]
  /// Processes that were killed or left to end, and have not been reaped yet.
  var zombies = ZombieProcesses()
  var lastToken: UInt32 = 0

  /// A place for one process, with the jobs sent to it.
  struct Slot {
    /// The running process; nil if there is none.
    var worker: WorkerProcess<Messages>?
    /// Jobs that are not answered yet, in the order of the requests.
    var jobs: ArraySlice<Job> = []
    /// When the process is given up if it has not answered the first job; nil without a job or a timeout.
    var deadline: Instant?
    /// When the answer to the first job is late; nil if it is, and where that is not noted.
    var lateAt: Instant?
    /// Whether that answer is late, as if a disk did not respond.
    var isLate = false
  }

  /// A request that is not answered yet.
  struct Job {
    var token: UInt32
    var task: Task
    /// The timeout of the answer in seconds, counted from when the job becomes the first of its
    /// process; nil for none.
    var timeout: Double?
    /// The longest payload of an answer, in bytes.
    var payloadLimit: Int
    /// Whether the answer is to be ignored, because the file may have changed.
    var isStale = false
  }

  /// Creates a pool that has started no process yet.
  init(
    _ executable: WorkerExecutable, limits: WorkerPoolLimits = WorkerPoolLimits(),
    preamble: [Messages.Request] = []
  ) {
    self.executable = executable
    self.limits = limits
    self.preamble = preamble
    slots = Array(repeating: Slot(), count: max(1, limits.slotCount))
  }

  var tasks: some Sequence<Task> {
    slots.lazy.flatMap { $0.jobs.lazy.filter { !$0.isStale }.map { $0.task } }
  }

  var isIdle: Bool { slots.allSatisfy { $0.jobs.isEmpty } }

  var runningCount: Int { slots.count { $0.worker != nil } }

  /// The memory of large messages that have arrived in part, in bytes.
  var unreadByteCount: Int { slots.reduce(0) { $0 + ($1.worker?.reader.bufferedByteCount ?? 0) } }

  var isEmpty: Bool { slots.allSatisfy { $0.worker == nil } }

  /// Descriptors to poll: for reading, and for writing too where bytes are left to send.
  var pollRequests: [pollfd] {
    slots.compactMap { slot in
      slot.worker.map { pollfd(reading: $0.descriptor, writing: $0.wantsWrite) }
    }
  }

  /// The time at which to call `service(at:answer:)` at the latest, whatever the descriptors
  /// report.
  var nextDeadline: Instant? {
    if slots.contains(where: { $0.worker?.hasUnreadMessages ?? false }) {
      return Instant(nanoseconds: 0)
    }
    return
      (slots.compactMap(\.deadline) + slots.compactMap(\.lateAt)
      + [isHeldBack ? nextStart : nil].compactMap(\.self)).min()
  }

  /// Marks jobs whose answers are to be ignored, and reports whether there were any.
  @discardableResult
  func markStale(where isAffected: (Task) -> Bool) -> Bool {
    var found = false
    for slot in slots.indices {
      for job in slots[slot].jobs.indices
      where !slots[slot].jobs[job].isStale && isAffected(slots[slot].jobs[job].task) {
        slots[slot].jobs[job].isStale = true
        found = true
      }
    }
    return found
  }

  func release(_ slot: Int) {
    slots[slot].worker?.end(into: &zombies)
    slots[slot] = Slot()
  }

  func releaseAll() {
    for slot in slots.indices { release(slot) }
  }

  /// Closes the sockets without killing the processes, which finish their requests and end.
  func detachAll() {
    for slot in slots.indices {
      slots[slot].worker?.detach(into: &zombies)
      slots[slot] = Slot()
    }
  }
}

/// How many processes a pool runs, and how it treats those that fail.
struct WorkerPoolLimits {
  /// The most processes that run at the same time.
  var slotCount = 1
  /// The pause before the second replacement in a row, in seconds; it doubles with each.
  var firstPause = 0.0
  var maxPause = 2.0
  /// The number of killed processes that have not ended at which no more are started.
  var maxZombies = 16
  /// The number of them that prove that a disk is dead.
  static let provingZombies = 2
  /// The number of failed launches in a row at which jobs are `unavailable` if no process runs.
  var maxLaunchFailures = 1
  /// Whether requests can be left to the processes when the program ends.
  var takesRest = false
  /// The seconds after which an answer is late, and the process may be waiting for a disk; nil if that is
  /// not noted.
  ///
  /// Where killed processes prove that a disk is dead, no late one is killed.
  var lateSeconds: Double?
  /// How much is read from one process in one turn of the loop.
  var reading = ReadLimits()

  /// Returns the pause before the next launch after some failures in a row, in seconds.
  func pause(after failures: Int) -> Double {
    failures <= 1 ? 0 : min(firstPause * Double(1 << min(failures - 2, 20)), maxPause)
  }
}

extension WorkerPool {
  /// The outcome of assigning a job, or of starting a process.
  enum Assignment: Equatable {
    case sent
    /// No process may be started yet; `nextDeadline` says when to try again.
    case heldBack
    case unavailable(LibraryError)
  }

  /// Sends a job to the process of a slot, which is started if necessary.
  ///
  /// `task` comes back with the answer, or with the loss of the process. A job that is not the last
  /// waits for the next one of the slot, or for `flush(_:)`, to be sent in the same write.
  ///
  /// - Returns: Whether the job was sent, has to wait, or can never be sent.
  func assign(
    _ task: Task, _ request: Messages.Request, to slot: Int, timeout: Double?, payloadLimit: Int,
    isLast: Bool = true, at now: Instant
  ) -> Assignment {
    if slots[slot].worker == nil {
      let outcome = launch(in: slot, at: now)
      guard outcome == .sent else { return outcome }
    }
    lastToken &+= 1
    slots[slot].worker?.enqueue(request, token: lastToken)
    if isLast { flush(slot) }
    slots[slot].jobs.append(
      Job(token: lastToken, task: task, timeout: timeout, payloadLimit: payloadLimit))
    if slots[slot].jobs.count == 1 { beginJob(of: slot, at: now) }
    return .sent
  }

  /// The request for a task, and for how long and for how much of an answer the client waits.
  struct Order {
    let request: Messages.Request
    let timeout: Double?
    let payloadLimit: Int
  }

  /// Sends tasks to the process of a slot, in one write, until it has `depth` of them: those that are
  /// `waiting`, then those that `next` returns.
  ///
  /// `fail` is called for every task if none can ever be sent.
  ///
  /// - Returns: Whether other slots can be filled too.
  @discardableResult
  func fill(
    _ slot: Int, depth: Int = 1, at now: Instant, next: () -> Task? = { nil },
    order: (Task) -> Order, fail: (Task, LibraryError) -> Void
  ) -> Bool {
    // If no process can be started, there may be fewer slots afterwards.
    defer { if slots.indices.contains(slot) { flush(slot) } }
    while slots[slot].jobs.count < depth, let task = waiting.popLast() ?? next() {
      let order = order(task)
      let outcome = assign(
        task, order.request, to: slot, timeout: order.timeout, payloadLimit: order.payloadLimit,
        isLast: false, at: now)
      switch outcome {
      case .sent: continue
      case .heldBack: waiting.append(task)
      case .unavailable(let error):
        fail(task, error)
        while let task = waiting.popLast() ?? next() { fail(task, error) }
      }
      return false
    }
    return true
  }

  /// Sets the deadline of the first job of a slot, if there is one.
  private func beginJob(of slot: Int, at now: Instant) {
    let job = slots[slot].jobs.first
    slots[slot].deadline = job?.timeout.map { now.advanced(bySeconds: $0) }
    slots[slot].lateAt = job == nil ? nil : limits.lateSeconds.map { now.advanced(bySeconds: $0) }
    slots[slot].isLate = false
  }

  /// Sends the jobs of a slot that have not been sent yet.
  func flush(_ slot: Int) { slots[slot].worker?.flush() }

  /// Sends a further request to a running process, about the job that it already has.
  func send(_ request: Messages.Request, to slot: Int) { slots[slot].worker?.send(request) }

  /// Leaves the requests that do not fit into the sockets, and all later ones, in the files from
  /// which the processes read once the sockets are closed.
  ///
  /// - Returns: Whether all requests have a place, and will be read.
  @discardableResult
  func leaveRest() -> Bool {
    for slot in slots { slot.worker?.leaveRest() }
    return slots.allSatisfy { $0.worker?.wantsWrite != true }
  }

  /// Starts a process in an empty slot; `sent` if it runs.
  func launch(in slot: Int, at now: Instant) -> Assignment {
    if let nextStart, now < nextStart {
      isHeldBack = true
      return .heldBack
    }
    // A dead disk holds even killed processes: more would only join them.
    guard zombies.count < limits.maxZombies else {
      nextStart = now.advanced(bySeconds: limits.maxPause)
      isHeldBack = true
      return .heldBack
    }
    do throws(LibraryError) {
      let worker = try WorkerProcess<Messages>(executable, takesRest: limits.takesRest)
      for request in preamble { worker.send(request) }
      slots[slot].worker = worker
      return .sent
    } catch {
      return refuse(error, at: now)
    }
  }

  /// Handles a failed launch: the pool goes on with the running processes, or tries a few more
  /// times if there are none.
  private func refuse(_ error: LibraryError, at now: Instant) -> Assignment {
    launchFailures += 1
    nextStart = now.advanced(bySeconds: limits.pause(after: launchFailures + 1))
    let running = slots.filter { $0.worker != nil }
    if !running.isEmpty {
      notices.append(
        error.isPermanent
          ? error.message : "\(running.count) of \(slots.count) workers running: \(error.message)")
      slots = running
      launchFailures = 0
    } else if error.isPermanent || launchFailures >= limits.maxLaunchFailures {
      return .unavailable(error)
    }
    isHeldBack = true
    return .heldBack
  }
}

extension WorkerPool {
  /// A client's verdict on a message.
  enum Answer {
    /// The message belongs to the job, and more will follow.
    case partial
    /// The job is done with a result, which resets the back-off after failures.
    case finished
    /// The job is done without a result; the back-off stays, since a broken process could answer
    /// the same.
    case declined
    /// The message does not answer the job; the process is discarded.
    case violation
  }

  /// A process that ended or was discarded.
  struct Loss {
    /// Why the process can no longer be used.
    var ending: WorkerEnding
    /// Whether the process had greeted, so that its first job may be the cause.
    var hadGreeted: Bool
    /// Whether the process had only one job, stale or not.
    var hadOneJob: Bool
    /// The job that the process was working on, unless it is stale.
    var current: Task?
    /// The jobs after that, without the stale ones.
    var waiting: [Task]

    var tasks: [Task] { [current].compactMap(\.self) + waiting }
  }

  /// Reads what has arrived, discards processes that failed or timed out, and reaps dead ones.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - answer: Uses a message about a job; messages for stale jobs and unknown tokens never reach
  ///     it.
  /// - Returns: The processes that were lost; their slots are empty.
  func service(
    at now: Instant, answer: (Messages.Response, Task) -> Answer
  ) -> [Loss] {
    zombies.reap()
    isHeldBack = false
    extendDeadlinesAfterStall(until: now)
    var losses: [Loss] = []
    for slot in slots.indices {
      guard let worker = slots[slot].worker else { continue }
      worker.flush()
      var ending = worker.receive(limits.reading) { [self] in
        slots[slot].jobs.first?.payloadLimit ?? 0
      } handle: { message in
        receive(message, from: slot, at: now, answer: answer)
      }
      // The client may have released it while it handled an answer.
      guard slots[slot].worker === worker else { continue }
      if let late = slots[slot].lateAt, late <= now {
        (slots[slot].lateAt, slots[slot].isLate) = (nil, true)
      }
      if ending == nil, let deadline = slots[slot].deadline, deadline <= now,
        !keepsWaiting(slot, at: now)
      {
        ending = .overdue
      }
      if let ending { losses.append(discard(slot, ending, at: now)) }
    }
    return losses
  }

  /// Begins the timeout of a slot again if killed processes prove that a disk is dead: one more would only
  /// join them.
  private func keepsWaiting(_ slot: Int, at now: Instant) -> Bool {
    guard slots[slot].isLate, zombies.count >= WorkerPoolLimits.provingZombies,
      let timeout = slots[slot].jobs.first?.timeout
    else { return false }
    slots[slot].deadline = now.advanced(bySeconds: timeout)
    return true
  }

  /// Postpones all deadlines after the program itself was stopped, for example by Ctrl-Z.
  private func extendDeadlinesAfterStall(until now: Instant) {
    let times = slots.compactMap(\.deadline) + slots.compactMap(\.lateAt)
    guard let delay = times.min().map({ now.seconds(since: $0) }), delay > 1 else { return }
    for slot in slots.indices {
      slots[slot].deadline = slots[slot].deadline?.advanced(bySeconds: delay + 1)
      slots[slot].lateAt = slots[slot].lateAt?.advanced(bySeconds: delay + 1)
    }
  }

  private func receive(
    _ message: Messages.Response, from slot: Int, at now: Instant,
    answer: (Messages.Response, Task) -> Answer
  ) -> MessageOutcome {
    let token = slots[slot].worker?.token ?? 0
    guard let job = slots[slot].jobs.first, token == 0 || token == job.token else {
      return .violation
    }
    switch job.isStale ? .declined : answer(message, job.task) {
    case .partial: return .valid
    case .violation: return .violation
    case .finished: consecutiveFailures = 0
    case .declined: break
    }
    // If the client has released the slot while it handled the answer, nothing more is read from the
    // process.
    guard slots[slot].jobs.first?.token == job.token else { return .violation }
    slots[slot].jobs.removeFirst()
    beginJob(of: slot, at: now)
    return .valid
  }

  private func discard(_ slot: Int, _ ending: WorkerEnding, at now: Instant) -> Loss {
    let hadGreeted = slots[slot].worker?.hasGreeted ?? false
    var jobs = slots[slot].jobs
    let first = jobs.popFirst()
    launchFailures = hadGreeted ? 0 : launchFailures + 1
    consecutiveFailures += 1
    nextStart = now.advanced(bySeconds: limits.pause(after: consecutiveFailures))
    release(slot)
    return Loss(
      ending: ending, hadGreeted: hadGreeted, hadOneJob: first != nil && jobs.isEmpty,
      current: first.flatMap { $0.isStale ? nil : $0.task },
      waiting: jobs.filter { !$0.isStale }.map(\.task))
  }
}

extension pollfd {
  /// Creates a request to wait until a descriptor can be read, or with `writing` until it can be
  /// read or written.
  package init(reading descriptor: Int32, writing: Bool = false) {
    self.init(
      fd: descriptor, events: Int16(POLLIN | (writing ? POLLOUT : 0)), revents: 0)
  }
}
