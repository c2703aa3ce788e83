import Glibc
import PhotoGridCore
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
  /// The program to run.
  let executable: WorkerExecutable
  /// Requests sent to each process before its first job.
  let preamble: [Messages.Request]
  /// Killed processes that have not been reaped yet.
  var zombies = ZombieProcesses()
  /// The token of the latest job.
  var lastToken: UInt32 = 0

  /// A place for one process, with the jobs sent to it.
  struct Slot {
    /// The running process; nil if there is none.
    var worker: WorkerProcess<Messages>?
    /// Jobs that are not answered yet, in the order of the requests.
    var jobs: ArraySlice<Job> = []
    /// The deadline of the answer to the first job; nil if there is none.
    var deadline: Instant? { answerDeadline.map { $0.end } }
    /// How long to wait for the answer to the first job; nil without a timeout.
    var answerDeadline: ExtendableDeadline?
  }

  /// A request that is not answered yet.
  struct Job {
    /// The token by which the answer is recognized.
    var token: UInt32
    /// The client's value for the job.
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
  ///
  /// - Parameters:
  ///   - executable: The program to run.
  ///   - limits: How many processes there may be, and how failures are handled.
  ///   - preamble: Requests sent to each process first; they are not answered.
  init(
    _ executable: WorkerExecutable, limits: WorkerPoolLimits = WorkerPoolLimits(),
    preamble: [Messages.Request] = []
  ) {
    self.executable = executable
    self.limits = limits
    self.preamble = preamble
    slots = Array(repeating: Slot(), count: max(1, limits.slotCount))
  }

  /// All tasks whose answers are awaited, without the stale ones.
  var tasks: some Sequence<Task> {
    slots.lazy.flatMap { $0.jobs.lazy.filter { !$0.isStale }.map { $0.task } }
  }

  /// Whether no answer is awaited.
  var isIdle: Bool { slots.allSatisfy { $0.jobs.isEmpty } }

  /// The number of processes that are running.
  var runningCount: Int { slots.count { $0.worker != nil } }

  /// Whether no process is running.
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
    return (slots.compactMap(\.deadline) + [isHeldBack ? nextStart : nil].compactMap(\.self)).min()
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

  /// Kills the process of a slot and drops its jobs.
  func release(_ slot: Int) {
    slots[slot].worker?.end(into: &zombies)
    slots[slot] = Slot()
  }

  /// Kills all processes and drops all jobs.
  func releaseAll() {
    for slot in slots.indices { release(slot) }
  }

  /// Closes the sockets without killing the processes, which finish their jobs and end.
  func detachAll() {
    for slot in slots.indices {
      slots[slot].worker?.detach()
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
  /// The longest pause, in seconds.
  var longestPause = 2.0
  /// The number of killed processes that have not ended at which no more are started.
  var maxZombies = 16
  /// The number of failed launches in a row at which jobs are `unavailable` if no process runs.
  var maxLaunchFailures = 1
  /// Whether requests can be left to the processes when the program ends.
  var takesRest = false
  /// How much is read from one process in one turn of the loop.
  var reading = ReadLimits()

  /// Returns the pause before the next launch after some failures in a row, in seconds.
  func pause(after failures: Int) -> Double {
    failures <= 1 ? 0 : min(firstPause * Double(1 << min(failures - 2, 20)), longestPause)
  }
}
