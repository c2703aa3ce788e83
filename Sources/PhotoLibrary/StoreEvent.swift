import PhotoGridCore
import WorkerProtocol

/// What a store tells.
package enum StoreEvent: Equatable, Sendable {
  /// The photo's facts are known, or have changed.
  case described(Photo.ID)
  /// There is a picture, or a better one.
  case pictureReady(Photo.ID)
  /// The photo cannot be shown, or not better than it is.
  case failed(Photo.ID)
  /// There are other frames than before of the animated photo that plays.
  case framesChanged(Photo.ID)
  /// A wish for a thumbnail in the cache is settled.
  case kept(Photo.ID, ThumbnailOutcome)
  /// Nothing can be decoded any more; all wishes have failed.
  case unusable(LibraryError)
}
