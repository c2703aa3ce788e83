import Glibc
import PhotoGridCore
import PhotoLibrary
import TerminalIO
import WorkerProtocol

/// Reads the facts of many photos in other processes, and waits for the facts that are needed next.
final class FactReader {
  private let finder: FactFinder
  private var found: [Photo.ID: PhotoInfo?] = [:]

  init(_ store: PhotoStore, worker: WorkerExecutable, _ sandbox: SandboxMode) {
    finder = FactFinder(worker: worker, headerReader: .reader.confined(sandbox)) {
      store.index[$0]
    }
  }

  func setDemands(_ photos: [Photo.ID]) {
    finder.setDemands(photos.filter { found[$0] == nil }, at: MonotonicClock.now)
  }

  /// Waits for and returns the facts of a demanded photo; nil if its file cannot be read.
  func info(of photo: Photo.ID) -> PhotoInfo? {
    while found[photo] == nil {
      for batch in finder.service(at: MonotonicClock.now) {
        for (index, photo) in batch.photos.enumerated() where batch.facts.rows[index].isKnown {
          found[photo] = batch.facts.info(at: index)
        }
      }
      if found[photo] != nil { break }
      let requests = finder.pollRequests
      guard !requests.isEmpty || finder.nextDeadline != nil else { return nil }
      Poll.wait(requests, until: finder.nextDeadline)
    }
    return found[photo] ?? nil
  }

  func shutDown() { finder.shutDown() }
}
