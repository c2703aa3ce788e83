import Glibc
import PhotoGridCore
import WorkerProtocol

/// Reading answers, and discarding processes that fail.
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
  }

  /// Reads what has arrived, discards processes that failed or timed out, and reaps dead ones.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - answer: Uses a message about a job; messages for stale jobs and unknown tokens never reach
  ///     it.
  /// - Returns: The processes that were lost; their slots are empty.
  func service(at now: Instant, answer: (Messages.Response, Task) -> Answer) -> [Loss] {
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
      if ending == nil, let deadline = slots[slot].deadline, deadline <= now,
        !extendDeadline(of: slot, worker.process, at: now)
      {
        ending = .timedOut
      }
      if let ending { losses.append(discard(slot, ending, at: now)) }
    }
    return losses
  }

  /// Postpones the deadline of a slot if other programs kept the processors from its process.
  ///
  /// - Returns: Whether the deadline was postponed.
  private func extendDeadline(of slot: Int, _ process: pid_t, at now: Instant) -> Bool {
    let wait = ProcessorWait(ofFamilyOf: process)
    return slots[slot].answerDeadline?.extend(at: now, processorWait: wait) ?? false
  }

  /// Postpones all deadlines after the program itself was stopped, for example by Ctrl-Z.
  private func extendDeadlinesAfterStall(until now: Instant) {
    guard let earliest = slots.compactMap(\.deadline).min() else { return }
    let delay = now.seconds(since: earliest)
    guard delay > 1 else { return }
    for slot in slots.indices {
      slots[slot].answerDeadline?.postpone(bySeconds: delay + 1)
    }
  }

  private func receive(
    _ message: Messages.Response, from slot: Int, at now: Instant,
    answer: (Messages.Response, Task) -> Answer
  ) -> Verdict {
    guard let job = slots[slot].jobs.first, message.token == nil || message.token == job.token
    else { return .violation }
    switch job.isStale ? .declined : answer(message, job.task) {
    case .partial: return .valid
    case .violation: return .violation
    case .finished: consecutiveFailures = 0
    case .declined: break
    }
    // The client may have released the slot while it handled the answer.
    guard slots[slot].jobs.first?.token == job.token else { return .violation }
    slots[slot].jobs.removeFirst()
    slots[slot].answerDeadline = slots[slot].jobs.first?.timeout.map {
      ExtendableDeadline(seconds: $0, from: now)
    }
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
