/// The hash of a photo's picture.
package struct HashUpdate: Equatable, Sendable {
  /// The photo.
  package var photo: Photo.ID
  /// The hash; nil for a photo that is similar to none: of one colour, or one that cannot be shown.
  package var hash: DifferenceHash?

  /// The hash of a photo.
  package init(_ photo: Photo.ID, _ hash: DifferenceHash?) {
    self.photo = photo
    self.hash = hash
  }
}
