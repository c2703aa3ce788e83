import PhotoGridCore
import WorkerProtocol

/// Has files moved by a process of its own, one after the other.
///
/// Nothing here waits, and there is no time limit: whatever a disk does, what becomes of a file has
/// to be known. The process is started with the first file, and left to finish at the end.
package final class FileKeeper {
  private let executable: WorkerExecutable
  private var worker: WorkerProcess?
  private var ended = EndedProcesses()
  /// What is not answered yet, in its order.
  private var open: [(token: UInt32, task: FileTask, name: [UInt8])] = []
  private var nextToken: UInt32 = 1
  /// What came back and is not told yet.
  private var filed: [Filed] = []
  private var tellingTime: Instant?

  /// What comes back is told together, so that many files are few changes; in seconds.
  private static let patience = 0.1

  /// A keeper that has nothing to do yet.
  package init(executable: WorkerExecutable = .keeper) { self.executable = executable }

  /// How many files it was asked for, and is not done with.
  package var openCount: Int { open.count }

  /// What to poll for reading, and for writing too if `wantsWrite`; nil where nothing can come.
  package var pollDescriptor: (descriptor: Int32, wantsWrite: Bool)? {
    worker.map { ($0.descriptor, $0.wantsWrite) }
  }

  /// When `service(at:)` has something to tell, whatever the descriptor says.
  package var nextDeadline: Instant? { filed.isEmpty ? nil : tellingTime }

  /// Asks for a task.
  ///
  /// - Parameters:
  ///   - task: what is told back with the outcome.
  ///   - change: what it means for paths.
  ///   - name: the last part of the path at present.
  ///   - now: the time.
  package func ask(_ task: FileTask, _ change: FileChange, name: [UInt8], at now: Instant) {
    let token = nextToken
    nextToken &+= 1
    open.append((token, task, name))
    do throws(LibraryError) {
      let running: WorkerProcess
      if let worker { running = worker } else { running = try WorkerProcess(executable) }
      worker = running
      running.send(.change(token: token, change))
    } catch {
      refuseAll(error.words, at: now)
    }
  }

  /// Takes what has arrived, and tells it where it is time.
  package func service(at now: Instant) -> [Filed] {
    ended.reap()
    receive(at: now)
    guard !filed.isEmpty, open.isEmpty || tellingTime.map({ $0 <= now }) ?? true else { return [] }
    defer { filed = [] }
    return filed
  }

  /// Lets go of the process, which finishes what it was asked for and then ends by itself.
  package func shutDown() {
    worker?.leave()
    worker = nil
  }

  private func receive(at now: Instant) {
    guard let worker else { return }
    worker.flush()
    let (messages, ending) = worker.receive()
    for message in messages {
      guard case .changed(let token, let outcome) = message, token == open.first?.token else {
        return lose(at: now)
      }
      note(outcome, at: now)
    }
    if ending != nil { lose(at: now) }
  }

  private func note(_ outcome: FileOutcome, at now: Instant) {
    let first = open.removeFirst()
    if filed.isEmpty { tellingTime = now.advanced(bySeconds: Self.patience) }
    filed.append(Filed(first.task, outcome, name: first.name))
  }

  private func lose(at now: Instant) {
    worker?.end(into: &ended)
    worker = nil
    refuseAll("what moves files stopped", at: now)
  }

  private func refuseAll(_ words: String, at now: Instant) {
    while !open.isEmpty { note(.refused(words), at: now) }
  }
}
