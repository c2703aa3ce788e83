import PhotoGridCore
import WorkerProtocol

/// A change in a photo store.
package enum StoreEvent: Equatable, Sendable {
  /// The photo's facts are known, or have changed.
  case described(Photo.ID)
  /// There is a picture, or a better one.
  case pictureReady(Photo.ID)
  /// The photo cannot be shown, or not better than before.
  case failed(Photo.ID)
  /// The frames of the animation that plays have changed.
  case framesChanged(Photo.ID)
  /// A request for a thumbnail in the shared cache is settled.
  case thumbnailCached(Photo.ID, ThumbnailOutcome)
  /// Nothing can be decoded any more; all requests have failed.
  case unusable(LibraryError)
}
