import Glibc
import PhotoGridCore
import PhotoLibrary
import TerminalIO

/// Reads the ratings of many photos in another process, and waits for them.
final class RatingReader {
  private let client: RatingClient

  init(_ store: PhotoStore, worker: WorkerExecutable) {
    client = RatingClient(worker: worker, isEmbedded: false) { store.index[$0] }
  }

  func read(_ photos: [Photo.ID]) -> [RatingUpdate] {
    guard !photos.isEmpty else { return [] }
    var updates: [RatingUpdate] = []
    client.setDemands(visible: [], photos, at: MonotonicClock.now)
    while updates.count < photos.count {
      for report in client.service(at: MonotonicClock.now) {
        updates += report.readings.map { RatingUpdate($0.photo, $0.rating) }
      }
      guard updates.count < photos.count else { break }
      let requests = client.pollRequests
      guard !requests.isEmpty || client.nextDeadline != nil else { break }
      Poll.wait(requests, until: client.nextDeadline)
    }
    return updates
  }

  /// Ends the process.
  func shutDown() { client.shutDown { MonotonicClock.now } }
}
