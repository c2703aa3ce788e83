import Geometry
import Photos

/// A request for the picture of a photo, or of a region of it, at a size.
///
/// After every change, the browser lists its demands, most urgent first; demands that are no longer
/// in the list are dropped.
package struct Demand: Hashable, Sendable {
  package var photo: Photo.ID
  /// The size that the picture needs, before the user's rotation, in the samples that the terminal
  /// can show; at least 1 by 1.
  package var size: PixelSize
  /// Whether the whole photo, scaled, must fit inside `size` or cover it.
  package var mode: ContentMode
  /// The region of the photo; nil for a picture of the whole photo.
  package var region: Region?
  /// Where the picture is needed, relative to the screen.
  package var proximity: Proximity
  /// Whether a larger picture does not satisfy the demand.
  ///
  /// A picture that is shown pixel for pixel is sharper if it is scaled only once, from the photo.
  package var isExact = false

  /// Where a picture is needed, relative to the screen.
  package enum Proximity: Hashable, Sendable {
    /// On the screen.
    case visible
    /// On the screen after a step to the next or the previous photo.
    case neighbor
    /// On the screen after scrolling a little further.
    case nearby
  }

  package init(photo: Photo.ID, size: PixelSize, mode: ContentMode, proximity: Proximity = .visible)
  {
    self.photo = photo
    self.size = size
    self.mode = mode
    self.proximity = proximity
  }

  package init(photo: Photo.ID, region: Region) {
    let (width, height) = region.wanted.sampleSize
    self.init(
      photo: photo, size: PixelSize(width: Double(width), height: Double(height)), mode: .fit)
    self.region = region
  }

  package struct Region: Hashable, Sendable {
    /// The region that must be sharp: a picture of all of it satisfies the demand.
    package var needed: PhotoRegion
    /// The region to decode if there is no such picture: a larger one, so that further panning
    /// finds its pixels already decoded.
    package var wanted: PhotoRegion

    /// Creates a needed region inside a larger one that is worth decoding.
    package init(needed: PhotoRegion, wanted: PhotoRegion) {
      self.needed = needed
      self.wanted = wanted
    }
  }
}
