/// A new hash of a photo's picture.
package struct HashUpdate: Equatable, Sendable {
  /// The photo.
  package var photo: Photo.ID
  /// The hash; nil for a photo without one, because it has only one colour or cannot be shown.
  package var hash: DifferenceHash?

  /// Creates an update of a photo's hash.
  package init(_ photo: Photo.ID, _ hash: DifferenceHash?) {
    self.photo = photo
    self.hash = hash
  }
}
