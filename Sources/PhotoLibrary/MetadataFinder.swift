import PhotoGridCore
import WorkerProtocol

/// Has the metadata of the photo read that is looked at, by a worker of its own that is there only
/// as long as metadata is wanted: so no slow picture is in the way.
///
/// Nothing here waits. Poll `pollDescriptor` until `nextDeadline`, then call `service(at:)`.
package final class MetadataFinder {
  private let executable: WorkerExecutable
  private let path: (Photo.ID) -> [UInt8]
  private let patience: Double
  private var worker: WorkerProcess?
  private var ended = EndedProcesses()
  /// The photo that is looked at.
  private var wanted: Photo.ID?
  private var job: Job?
  private var lastToken: UInt32 = 0
  /// What was found out; nothing for files that cannot be read.
  private var found: [Photo.ID: PhotoMetadata] = [:]
  private var isChanged = false

  private struct Job {
    var token: UInt32
    var photo: Photo.ID
    var deadline: Instant
    /// Whether the file may have changed since it was asked for.
    var isStale = false
  }

  /// Metadata of so many photos is remembered.
  private static let mostFound = 256

  /// A finder that asks for paths when it needs them, and waits so many seconds for each photo.
  package init(
    worker: WorkerExecutable, patience: Double = 5, path: @escaping (Photo.ID) -> [UInt8]
  ) {
    executable = worker
    self.patience = patience
    self.path = path
  }

  /// What is known of a photo; nil until it was looked at.
  package func metadata(of photo: Photo.ID) -> PhotoMetadata? { found[photo] }

  /// Says which photo is looked at; without one the worker is let go.
  package func want(_ photo: Photo.ID?, at now: Instant) {
    wanted = photo
    advance(at: now)
  }

  /// Forgets what is known of a photo, because its file may have changed.
  package func forget(_ photo: Photo.ID) {
    found[photo] = nil
    if job?.photo == photo { job?.isStale = true }
  }

  /// Ends the worker and takes the wish back.
  package func shutDown() {
    wanted = nil
    release()
  }

  /// What to poll for reading, and for writing too if `wantsWrite`; nil where nothing can come.
  package var pollDescriptor: (descriptor: Int32, wantsWrite: Bool)? {
    worker.map { ($0.descriptor, $0.wantsWrite) }
  }

  /// When `service(at:)` has to be called at the latest, whatever the descriptor says.
  package var nextDeadline: Instant? { isChanged ? Instant(nanoseconds: 0) : job?.deadline }

  /// Takes what has arrived.
  ///
  /// - Returns: whether something became known.
  package func service(at now: Instant) -> Bool {
    ended.reap()
    receive()
    if let job, job.deadline <= now { lose() }
    advance(at: now)
    defer { isChanged = false }
    return isChanged
  }

  private func receive() {
    guard let worker else { return }
    worker.flush()
    let (messages, ending) = worker.receive()
    for message in messages {
      guard let job, message.token == job.token else { return lose() }
      switch message {
      case .inspected(_, let metadata): note(metadata)
      case .failed: note(PhotoMetadata())
      default: return lose()
      }
    }
    if ending != nil { lose() }
  }

  /// Notes what came out for the photo that was asked for.
  private func note(_ metadata: PhotoMetadata) {
    guard let job else { return }
    self.job = nil
    guard !job.isStale else { return }
    if found.count >= Self.mostFound { found = [:] }
    found[job.photo] = metadata
    isChanged = true
  }

  /// Gives the worker up; nothing is to be known of the photo that it was at.
  private func lose() {
    note(PhotoMetadata())
    release()
  }

  private func release() {
    worker?.end(into: &ended)
    worker = nil
    job = nil
  }

  private func advance(at now: Instant) {
    guard let photo = wanted else { return release() }
    guard job == nil, found[photo] == nil else { return }
    do throws(LibraryError) {
      let running: WorkerProcess
      if let worker { running = worker } else { running = try WorkerProcess(executable) }
      worker = running
      lastToken &+= 1
      running.send(.inspect(token: lastToken, path: path(photo)))
      job = Job(token: lastToken, photo: photo, deadline: now.advanced(bySeconds: patience))
    } catch {
      found[photo] = PhotoMetadata()
      isChanged = true
    }
  }
}
