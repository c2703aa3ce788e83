import Geometry
import Glibc
import Photos
import WorkerProtocol

/// A client of the process that moves, copies and trashes files, one operation after another.
///
/// Only `stop(within:clock:)` blocks, and there is no timeout: however slow a disk is, the outcome
/// of every operation is reported. The process is started with the first operation. If it is
/// killed, its replacement reads the journal to find out what happened to the files that were being
/// moved, and continues.
package final class FileOperationClient {
  private let pool: WorkerPool<FileProtocol, FileProtocol.Request>
  private let journal: [UInt8]
  private var waiting: ArraySlice<FileProtocol.Request> = []
  /// The operations that were performed, with their outcomes.
  private var results: [FileOperation] = []
  /// When the results are reported, even if operations are still open.
  private var reportTime: Instant?
  private var batchNumber: UInt32 = 0
  /// The folders between which the running process may move files; nil for any.
  private var folders: Set<[UInt8]>? = []
  /// Whether the running process may use the trashes for these folders.
  private var reachesTrash = false
  /// Whether the process may lack access to a folder that was created after it started, or to which
  /// a symbolic link leads.
  private var isOutdated = false
  package private(set) var percent: Int?
  /// The remark about the operation that is being performed, although it succeeds; nil for none.
  private var remark: String?
  /// Why operations cannot be undone after a restart; nil if they can.
  private var historyFault: String?
  private var hasReportedFault = false
  private var lossCount = 0
  /// Whether the first waiting operation was sent to a process that was lost, and may have been done.
  private var isInterrupted = false

  /// The time for which results are collected, in seconds, so that many files cause few events.
  private static let reportInterval = 0.1
  /// The most requests in flight: several, so that the process never waits for the next one.
  private static let maxSentCount = 16
  /// The number of processes lost in a row after which an operation is given up.
  private static let maxLosses = 3

  /// The longest list of folders that a request has, in bytes.
  private static let maxFolderBytes = 16 << 10

  private static let stoppedMessage = "the file worker stopped"

  /// Creates a client that has started no process yet.
  package init(executable: WorkerExecutable = .fileWorker, journal: [UInt8] = []) {
    pool = WorkerPool(
      executable,
      limits: WorkerPoolLimits(
        firstPause: 0.05, maxLaunchFailures: Self.maxLosses, takesRest: true))
    self.journal = journal
  }

  package var openCount: Int { pool.slots[0].jobs.count + waiting.count }

  package var pollRequests: [pollfd] { pool.pollRequests }

  package var nextDeadline: Instant? {
    let report = results.isEmpty ? nil : reportTime
    return [report, pool.nextDeadline].compactMap(\.self).min()
  }

  /// Queues operations that were requested together, and are undone together after a restart.
  ///
  /// - Parameters:
  ///   - operations: Each is returned with its outcome.
  ///   - trash: The absolute path of the user's home trash folder; empty if there is no home folder.
  ///   - here: The absolute path of the folder on the screen; empty for a list of files.
  ///   - now: The current time.
  package func request(
    _ operations: [FileOperation], trash: [UInt8], here: [UInt8], at now: Instant
  ) {
    batchNumber &+= 1
    waiting += operations.map {
      FileProtocol.Request(batch: batchNumber, journal: journal, trash: trash, here: here, $0)
    }
    send(at: now)
  }

  /// Reads the messages that have arrived.
  package func service(at now: Instant) -> [FileOperation] {
    receive(at: now)
    send(at: now)
    guard !results.isEmpty, openCount == 0 || reportTime.map({ $0 <= now }) ?? true else {
      return []
    }
    defer { results = [] }
    return results
  }

  /// Returns why operations cannot be undone after a restart: once in a session, when no operation is
  /// open.
  package func takeHistoryFault() -> String? {
    guard let fault = historyFault, !hasReportedFault, openCount == 0 else { return nil }
    hasReportedFault = true
    return fault
  }

  /// The operations that are open when a client stops.
  package struct Remainder {
    /// The results that were not reported before.
    package var results: [FileOperation]
    /// Those that were never sent.
    package var notStarted: [FileOperation]
    /// Those without an outcome that a process has.
    package var open: [FileOperation]
    /// Whether the process will do them; otherwise they may have been done.
    package var goesOn: Bool
    /// That which a lost process may have done; nil if none was lost.
    package var interrupted: FileOperation?
  }

  /// Drops the operations that were not sent, and waits for those in flight, which a new process
  /// continues if theirs is lost.
  ///
  /// - Parameters:
  ///   - seconds: The longest wait, since a disk may hang.
  ///   - kills: Whether the process is killed then, and a later one completes or takes back the
  ///     operation that it has begun. Otherwise it finishes what it was sent, and what the socket has
  ///     no room for.
  ///   - clock: Returns the current time.
  /// - Returns: The operations that were open.
  package func stop(
    within seconds: Double, kills: Bool = false, clock: () -> Instant
  ) -> Remainder {
    let keptCount = isInterrupted ? 1 : 0
    let dropped = waiting.dropFirst(keptCount).map(\.operation)
    waiting = waiting.prefix(keptCount)
    let end = clock().advanced(bySeconds: seconds)
    var now = clock()
    while openCount > 0, now < end {
      var requests = pollRequests
      let left = Int32(max(1, end.seconds(since: now) * 1000))
      poll(&requests, nfds_t(requests.count), min(left, 50))
      now = clock()
      receive(at: now)
      send(at: now)
    }
    let open = pool.slots[0].jobs.map(\.task.operation)
    if kills, !open.isEmpty { pool.releaseAll() }
    let goesOn = !kills && pool.leaveRest()
    // What a lost process had is sent to no other one any more.
    let lost = waiting.map(\.operation)
    let interrupted = isInterrupted ? lost.first : nil
    waiting = []
    defer { results = [] }
    return Remainder(
      results: results, notStarted: lost.dropFirst(interrupted == nil ? 0 : 1) + dropped,
      open: open, goesOn: goesOn, interrupted: interrupted)
  }

  /// Closes the connection; the process finishes the requests that it has received, and ends.
  package func shutDown() { pool.detachAll() }

  private func receive(at now: Instant) {
    var declined: [FileProtocol.Request] = []
    let losses = pool.service(at: now) { message, request in
      if message == .declined {
        declined.append(request)
        return .declined
      }
      lossCount = 0
      let outcome: FileOutcome
      switch message {
      case .declined: return .violation
      case .progress(let percent):
        self.percent = percent
        return .partial
      case .historyFault(let message):
        historyFault = message
        return .partial
      case .remark(let message):
        remark = message
        return .partial
      case .outcome(let last): outcome = last
      }
      if case .refused = outcome, request.operation.destination != nil { isOutdated = true }
      percent = nil
      note(outcome, of: request, at: now)
      return .finished
    }
    for loss in losses {
      isInterrupted = loss.current != nil
      requeue(loss.tasks, at: now)
    }
    if !declined.isEmpty {
      isOutdated = true
      requeue(declined, at: now)
    }
  }

  /// Queues the operations of a process again that was lost or has declined them.
  ///
  /// The first one is given up if no process carries it out.
  private func requeue(_ requests: [FileProtocol.Request], at now: Instant) {
    lossCount += 1
    (percent, remark) = (nil, nil)
    var requests = requests[...]
    if lossCount >= Self.maxLosses, let request = requests.popFirst() {
      isInterrupted = false
      note(.unknown(Self.stoppedMessage), of: request, at: now)
    }
    waiting = requests + waiting
  }

  private func send(at now: Instant) {
    while pool.slots[0].jobs.count < Self.maxSentCount, var request = waiting.first {
      guard mayMove(request) else { return }
      request.folders = folders.map { Array($0) } ?? []
      let outcome = pool.assign(
        request, request, to: 0, timeout: nil,
        payloadLimit: FileProtocol.Response.maxPayloadLength, at: now)
      switch outcome {
      case .sent: isInterrupted = false
      case .heldBack: return
      case .unavailable(let error): note(.refused(error.message), of: request, at: now)
      }
      waiting.removeFirst()
    }
  }

  /// Returns whether an operation can be sent, to the running process or to a new one.
  ///
  /// A process can only reach the folders that it was started for. If an operation needs others,
  /// the process is replaced, once it has answered everything, by one for the folders of as many of
  /// the next operations as fit.
  private func mayMove(_ request: FileProtocol.Request) -> Bool {
    let needsTrash = request.operation.kind == .trash && !request.operation.isUndo
    if isOutdated || needsTrash && !reachesTrash && folders != nil {
      // The process is replaced below.
    } else if let needed = request.neededFolders, Self.fits(needed) {
      if let folders, needed.isSubset(of: folders) { return true }
    } else if folders == nil {
      return true
    }
    guard pool.slots[0].jobs.isEmpty else { return false }
    pool.release(0)
    isOutdated = false
    reachesTrash = needsTrash
    folders = request.neededFolders.flatMap { Self.fits($0) ? $0 : nil }
    for next in waiting.prefix(1000) {
      // The process cannot be granted a folder that does not exist yet.
      guard next.createdFolder.map({ folders?.contains($0) ?? false }) ?? true,
        let all = folders, let more = next.neededFolders?.union(all), Self.fits(more)
      else { break }
      folders = more
    }
    return true
  }

  private static func fits(_ folders: Set<[UInt8]>) -> Bool {
    folders.count <= FileProtocol.Request.maxFolders
      && folders.reduce(0) { $0 + $1.count } <= maxFolderBytes
  }

  private func note(
    _ outcome: FileOutcome, of request: FileProtocol.Request, at now: Instant
  ) {
    if results.isEmpty { reportTime = now.advanced(bySeconds: Self.reportInterval) }
    var operation = request.operation
    (operation.outcome, operation.remark) = (outcome, remark)
    results.append(operation)
    remark = nil
  }
}
