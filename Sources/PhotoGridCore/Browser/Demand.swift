/// One wish for pixels: a photo, and how large its picture has to be.
///
/// The browser lists its wishes, most urgent first, each time something changed; what is no longer
/// in the list is no longer wanted.
package struct Demand: Hashable, Sendable {
  package var photo: Photo.ID
  /// In device samples, not below 1.
  package var size: PixelSize
  /// Whether the whole photo, scaled, must fit inside `size` or cover it.
  package var mode: ContentMode

  /// A wish for a picture of the whole photo at a size.
  package init(photo: Photo.ID, size: PixelSize, mode: ContentMode) {
    self.photo = photo
    self.size = size
    self.mode = mode
  }
}

/// How a picture meets a frame of another shape.
package enum ContentMode: UInt8, Sendable {
  /// All of the picture is inside the frame.
  case fit
  /// All of the frame is covered by the picture.
  case fill
}
