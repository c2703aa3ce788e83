import PhotoGridCore
import PhotoLibrary
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
        case .described, .pictureReady, .framesChanged, .thumbnailCached: break
        }
      }
      guard !store.isIdle else { break }
      Poll.wait(store.pollRequests, until: store.nextDeadline)
    }
    return updates
  }
}
