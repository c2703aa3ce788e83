import PhotoGridCore
import WorkerProtocol

/// Has files made of pictures, in a worker of its own, so that no slow photo is in the way.
///
/// Nothing here waits. The worker is started with the first picture.
package final class PictureFiles {
  private let executable: WorkerExecutable
  private var worker: WorkerProcess?
  private var ended = EndedProcesses()
  /// Pictures that are waited for; the worker is at the first.
  private var queue: [PictureEncoding] = []
  private var deadline: Instant?
  /// What came up outside of `service(at:)`.
  private var pending: [(id: UInt32, file: [UInt8]?)] = []

  /// Seconds that a picture may take, by the clock.
  private static let patience = 5.0

  /// A maker of files that has nothing to do yet.
  package init(worker: WorkerExecutable) { executable = worker }

  /// What to poll for reading, and for writing too if `wantsWrite`; nil where nothing can come.
  package var pollDescriptor: (descriptor: Int32, wantsWrite: Bool)? {
    worker.map { ($0.descriptor, $0.wantsWrite) }
  }

  /// When `service(at:)` has to be called at the latest, whatever the descriptor says.
  package var nextDeadline: Instant? { pending.isEmpty ? deadline : Instant(nanoseconds: 0) }

  /// Adds pictures to those that are waited for.
  package func add(_ encodings: [PictureEncoding], at now: Instant) {
    let wasIdle = queue.isEmpty
    queue += encodings
    if wasIdle { ask(at: now) }
  }

  /// Takes what has arrived.
  ///
  /// - Returns: the files by the numbers of their encodings, nil for those that cannot be made.
  package func service(at now: Instant) -> [(id: UInt32, file: [UInt8]?)] {
    ended.reap()
    receive(at: now)
    if let deadline, deadline <= now { loseWorker(at: now) }
    defer { pending = [] }
    return pending
  }

  /// Ends the worker; nothing comes after that.
  package func shutDown() {
    worker?.end(into: &ended)
    worker = nil
    queue = []
    deadline = nil
  }

  private func receive(at now: Instant) {
    guard let worker else { return }
    worker.flush()
    let (messages, ending) = worker.receive()
    for message in messages {
      switch message {
      case .encoded(let token, let file) where token == queue.first?.id: finish(file, at: now)
      case .failed(let token, _) where token == queue.first?.id: finish(nil, at: now)
      default:
        loseWorker(at: now)
        return
      }
    }
    if ending != nil { loseWorker(at: now) }
  }

  /// Notes the file of the first picture, or that there is none, and goes on with the next.
  private func finish(_ file: [UInt8]?, at now: Instant) {
    guard !queue.isEmpty else { return }
    pending.append((queue.removeFirst().id, file))
    deadline = nil
    ask(at: now)
  }

  /// Gives the worker up, and with it the picture that it was at.
  private func loseWorker(at now: Instant) {
    worker?.end(into: &ended)
    worker = nil
    deadline = nil
    finish(nil, at: now)
  }

  private func ask(at now: Instant) {
    guard let first = queue.first else { return }
    do throws(LibraryError) {
      let running: WorkerProcess
      if let worker { running = worker } else { running = try WorkerProcess(executable) }
      worker = running
      running.send(.encode(token: first.id, first.bitmap, first.format))
      deadline = now.advanced(bySeconds: Self.patience)
    } catch {
      pending += queue.map { ($0.id, nil) }
      queue = []
    }
  }
}
