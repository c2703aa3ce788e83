import PhotoGridCore
import WorkerProtocol

/// A change in a photo store.
package enum StoreEvent: Equatable, Sendable {
  /// The photo's facts have arrived, or changed.
  case described(Photo.ID)
  /// A picture has arrived, or a better one.
  case pictureReady(Photo.ID)
  /// The photo cannot be shown, or not at the demanded size.
  case failed(Photo.ID)
  /// The frames of the animation that plays have changed.
  case framesChanged(Photo.ID)
  /// A thumbnail was stored in the shared cache, or cannot be.
  case thumbnailCached(Photo.ID, ThumbnailOutcome)
  /// A picture of the whole photo was hashed; the facts have the hash.
  case hashed(Photo.ID, PhotoInfo)
  /// Nothing can be decoded any more; all requests have failed.
  case unusable(LibraryError)
}
