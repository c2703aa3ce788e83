/// A picture of a part of a photo, with a higher resolution than the picture of the whole photo.
package struct CloseUp: Equatable, Sendable {
  /// The region of the picture; it can extend beyond the photo's edges by less than a sample.
  package var region: PhotoRegion
  /// Whether the picture is fully opaque.
  package var isOpaque: Bool

  /// Creates a close-up of a region.
  package init(region: PhotoRegion, isOpaque: Bool) {
    self.region = region
    self.isOpaque = isOpaque
  }
}
