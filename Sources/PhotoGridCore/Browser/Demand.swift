/// One wish for pixels: a photo, and how large its picture has to be.
///
/// The browser lists its wishes, most urgent first, each time something changed; what is no longer
/// in the list is no longer wanted.
package struct Demand: Hashable, Sendable {
  /// The photo that the picture is of.
  package var photo: Photo.ID
  /// In device samples, not below 1.
  package var size: PixelSize
  /// Whether the whole photo, scaled, must fit inside `size` or cover it.
  package var mode: ContentMode
  /// Nil where the whole photo is wanted.
  package var part: Part?
  /// How near it is to what is on the screen.
  package var place: Place

  /// Why a picture is wanted.
  package enum Place: Hashable, Sendable {
    /// It is on the screen.
    case inSight
    /// The photo before or after the one that fills the screen.
    case neighbor
    /// Its tile will come into sight if scrolling goes on.
    case nearby
  }

  /// A wish for a picture of the whole photo at a size.
  package init(photo: Photo.ID, size: PixelSize, mode: ContentMode, place: Place = .inSight) {
    self.photo = photo
    self.size = size
    self.mode = mode
    self.place = place
  }

  /// A wish for a picture of a part of the photo.
  package init(photo: Photo.ID, part: Part) {
    let (width, height) = part.wanted.sampleSize
    self.init(
      photo: photo, size: PixelSize(width: Double(width), height: Double(height)), mode: .fit)
    self.part = part
  }

  /// The part of a photo that is looked at closely.
  package struct Part: Hashable, Sendable {
    /// What has to be sharp: a picture of all of this satisfies the wish.
    package var needed: PhotoRegion
    /// What to decode where there is no such picture: more, so that moving on finds it there.
    package var wanted: PhotoRegion

    /// A part that is needed, inside of one that is worth having.
    package init(needed: PhotoRegion, wanted: PhotoRegion) {
      self.needed = needed
      self.wanted = wanted
    }
  }
}

/// How a picture meets a frame of another shape.
package enum ContentMode: UInt8, Sendable {
  /// All of the picture is inside the frame.
  case fit
  /// All of the frame is covered by the picture.
  case fill
}
