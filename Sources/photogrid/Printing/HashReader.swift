import Glibc
import PhotoLibrary
import Photos
import TerminalIO

/// Computes the hashes of many photos in other processes, and waits for them.
struct HashReader {
  private let store: PhotoStore

  init(_ store: PhotoStore) { self.store = store }

  /// Computes and returns the hashes of photos.
  ///
  /// - Throws: `CommandFailure` if nothing can be decoded.
  func read(_ photos: [Photo.ID]) throws(CommandFailure) -> [HashUpdate] {
    guard !photos.isEmpty else { return [] }
    var updates: [HashUpdate] = []
    store.setHashDemands(photos, at: MonotonicClock.now)
    while !store.isIdle {
      for event in store.service(at: MonotonicClock.now) {
        switch event {
        case .hashed(let photo, let info): updates.append(HashUpdate(photo, info.hash))
        case .failed(let photo): updates.append(HashUpdate(photo, nil))
        case .unusable(let error):
          throw CommandFailure(error.message, status: .nothingShown)
        case .described, .pictureReady, .framesChanged, .filmFailed, .thumbnailCached,
          .waitingForDisk:
          break
        }
      }
      guard !store.isIdle else { break }
      Poll.wait(store.pollRequests, until: store.nextDeadline)
    }
    return updates
  }
}

/// Reads the ratings of many photos in another process, and waits for them.
final class RatingReader {
  private let client: AnnotationClient

  init(_ store: PhotoStore, worker: WorkerExecutable) {
    client = AnnotationClient(worker: worker, isEmbedded: false) { store.index[$0] }
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

  func shutDown() { client.shutDown { MonotonicClock.now } }
}
