/// A picture of a part of a photo, finer than the one of the whole.
package struct CloseUp: Equatable, Sendable {
  /// What the picture is of; it may reach beyond the photo's edges by less than a sample.
  package var region: PhotoRegion
  /// Whether nothing shines through.
  package var isOpaque: Bool

  /// A picture of a region.
  package init(region: PhotoRegion, isOpaque: Bool) {
    self.region = region
    self.isOpaque = isOpaque
  }
}
