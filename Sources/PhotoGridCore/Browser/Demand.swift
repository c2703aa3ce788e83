/// A request for pixels: a photo, and how large its picture has to be.
///
/// The browser lists its demands, most urgent first, after every change; those that are no longer
/// in the list are dropped.
package struct Demand: Hashable, Sendable {
  /// The photo that the picture is of.
  package var photo: Photo.ID
  /// The size that the picture needs, in device samples; at least 1 by 1.
  package var size: PixelSize
  /// Whether the whole photo, scaled, must fit inside `size` or cover it.
  package var mode: ContentMode
  /// The region of the photo; nil for a picture of the whole photo.
  package var region: Region?
  /// Where the picture is needed, relative to the screen.
  package var place: Place
  /// Whether a larger picture does not do: what is shown pixel by pixel is sharper if it is scaled
  /// once, from the photo.
  package var isExact = false

  /// Why a picture is demanded.
  package enum Place: Hashable, Sendable {
    /// It is on the screen.
    case visible
    /// The photo before or after the one that fills the screen.
    case neighbor
    /// Its tile becomes visible if scrolling goes on.
    case nearby
  }

  /// A demand for a picture of the whole photo at a size.
  package init(photo: Photo.ID, size: PixelSize, mode: ContentMode, place: Place = .visible) {
    self.photo = photo
    self.size = size
    self.mode = mode
    self.place = place
  }

  /// A demand for a picture of a region of the photo.
  package init(photo: Photo.ID, region: Region) {
    let (width, height) = region.wanted.sampleSize
    self.init(
      photo: photo, size: PixelSize(width: Double(width), height: Double(height)), mode: .fit)
    self.region = region
  }

  /// A region of a magnified photo.
  package struct Region: Hashable, Sendable {
    /// The region that has to be sharp: a picture of all of it satisfies the demand.
    package var needed: PhotoRegion
    /// The region to decode if there is no such picture: a larger one, so that further panning
    /// finds its pixels already decoded.
    package var wanted: PhotoRegion

    /// A needed region inside a larger one that is worth decoding.
    package init(needed: PhotoRegion, wanted: PhotoRegion) {
      self.needed = needed
      self.wanted = wanted
    }
  }
}

/// How a picture is scaled to a frame of different proportions.
package enum ContentMode: UInt8, Sendable {
  /// All of the picture is inside the frame.
  case fit
  /// All of the frame is covered by the picture.
  case fill
}
