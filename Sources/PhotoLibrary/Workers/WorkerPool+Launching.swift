import PhotoGridCore
import WorkerProtocol

/// Starting processes and sending jobs to them.
extension WorkerPool {
  /// The outcome of assigning a job, or of starting a process.
  enum Assignment: Equatable {
    /// The process runs, and has the job.
    case sent
    /// No process may be started yet; `nextDeadline` says when to try again.
    case heldBack
    /// No process can be started.
    case unavailable(LibraryError)
  }

  /// Sends a job to the process of a slot, which is started if necessary.
  ///
  /// - Parameters:
  ///   - task: The client's value for the job; it comes back with the answer, or with the loss of
  ///     the process.
  ///   - slot: The index of the slot.
  ///   - timeout: The timeout of the answer in seconds; nil for none.
  ///   - payloadLimit: The longest payload of an answer, in bytes.
  ///   - isLast: Whether the job is sent immediately; otherwise it waits for the next job of the
  ///     slot, or for `flush(_:)`, to be sent in the same write.
  ///   - now: The current time.
  ///   - request: Makes the request with the job's token.
  /// - Returns: Whether the job was sent, has to wait, or can never be sent.
  func assign(
    _ task: Task, to slot: Int, timeout: Double?, payloadLimit: Int,
    isLast: Bool = true, at now: Instant,
    request: (UInt32) -> Messages.Request
  ) -> Assignment {
    if slots[slot].worker == nil {
      let outcome = launch(in: slot, at: now)
      guard outcome == .sent else { return outcome }
    }
    lastToken &+= 1
    slots[slot].worker?.enqueue(request(lastToken))
    if isLast { flush(slot) }
    slots[slot].jobs.append(
      Job(token: lastToken, task: task, timeout: timeout, payloadLimit: payloadLimit))
    if slots[slot].jobs.count == 1 {
      slots[slot].answerDeadline = timeout.map { ExtendableDeadline(seconds: $0, from: now) }
    }
    return .sent
  }

  /// Sends the jobs of a slot that have not been sent yet.
  func flush(_ slot: Int) { slots[slot].worker?.flush() }

  /// Sends a further request to a running process, about the job that it already has.
  func send(_ request: Messages.Request, to slot: Int) { slots[slot].worker?.send(request) }

  /// Leaves the requests that do not fit into the sockets, and all later ones, in the files from
  /// which the processes read once the sockets are closed.
  func leaveRest() {
    for slot in slots { slot.worker?.leaveRest() }
  }

  /// Starts a process in an empty slot; `sent` if it runs.
  func launch(in slot: Int, at now: Instant) -> Assignment {
    if let nextStart, now < nextStart {
      isHeldBack = true
      return .heldBack
    }
    // A dead disk holds even killed processes: more would only join them.
    guard zombies.count < limits.maxZombies else {
      nextStart = now.advanced(bySeconds: limits.longestPause)
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
          ? error.message : "\(running.count) of \(slots.count) workers decode: \(error.message)")
      slots = running
      launchFailures = 0
    } else if error.isPermanent || launchFailures >= limits.maxLaunchFailures {
      return .unavailable(error)
    }
    isHeldBack = true
    return .heldBack
  }
}
