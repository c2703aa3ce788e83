import Glibc
import PhotoGridCore
import WorkerProtocol

/// Moves files through a process for that purpose, one after the other.
///
/// No call blocks, and there is no timeout: however slow a disk is, the outcome of every file is
/// reported. The process is started with the first file, and finishes its work when the program
/// ends.
package final class FileOperationClient {
  private let pool: WorkerPool<FileProtocol, Operation>
  /// Results that `service(at:)` has not returned yet.
  private var outcomes: [FileResult] = []
  private var reportTime: Instant?

  /// A file that is being moved: its task and the last component of its path.
  private struct Operation {
    var task: FileTask
    var name: [UInt8]
  }

  /// Seconds for which results are collected, so that many files make few events.
  private static let reportInterval = 0.1

  private static let stoppedMessage = "the file worker stopped"

  /// Creates a client that has started no process yet.
  package init(executable: WorkerExecutable = .keeper) { pool = WorkerPool(executable) }

  /// The number of files that are still to be moved.
  package var openCount: Int { pool.slots[0].jobs.count }

  /// The descriptor to poll, with the events to poll for; empty without a process.
  package var pollRequests: [pollfd] { pool.pollRequests }

  /// The time at which to call `service(at:)` at the latest, whatever the descriptor reports.
  package var nextDeadline: Instant? {
    let report = outcomes.isEmpty ? nil : reportTime
    return [report, pool.nextDeadline].compactMap(\.self).min()
  }

  /// Requests an operation.
  ///
  /// - Parameters:
  ///   - task: A value to return with the outcome.
  ///   - change: The operation, with its paths.
  ///   - name: The last component of the file's current path.
  ///   - now: The current time.
  package func request(_ task: FileTask, _ change: FileChange, name: [UInt8], at now: Instant) {
    let operation = Operation(task: task, name: name)
    let outcome = pool.assign(
      operation, to: 0, timeout: nil, payloadLimit: FileProtocol.Response.longestPayload,
      at: now
    ) { FileProtocol.Request(token: $0, change) }
    switch outcome {
    case .sent: break
    case .heldBack: note(.refused(Self.stoppedMessage), of: operation, at: now)
    case .unavailable(let error): note(.refused(error.message), of: operation, at: now)
    }
  }

  /// Reads the messages that have arrived.
  ///
  /// - Returns: The results so far, if it is time to report them.
  package func service(at now: Instant) -> [FileResult] {
    let losses = pool.service(at: now) { message, operation in
      note(message.outcome, of: operation, at: now)
      return .finished
    }
    for loss in losses {
      for operation in [loss.current].compactMap(\.self) + loss.waiting {
        note(.refused(Self.stoppedMessage), of: operation, at: now)
      }
    }
    guard !outcomes.isEmpty, openCount == 0 || reportTime.map({ $0 <= now }) ?? true else {
      return []
    }
    defer { outcomes = [] }
    return outcomes
  }

  /// Closes the connection; the process finishes what was requested, and then ends.
  package func shutDown() { pool.detachAll() }

  /// Adds a result.
  private func note(_ outcome: FileOutcome, of operation: Operation, at now: Instant) {
    if outcomes.isEmpty { reportTime = now.advanced(bySeconds: Self.reportInterval) }
    outcomes.append(FileResult(operation.task, outcome, name: operation.name))
  }
}
