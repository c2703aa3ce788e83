/// The ratings of photos.
extension Album {
  /// Returns the rating of a photo; nil until it has been read.
  package func rating(of photo: Photo.ID) -> Rating? { ratings[photo] }

  /// Whether the order or the filter depends on ratings.
  var dependsOnRatings: Bool { order.needsRatings || filter?.needsRatings == true }

  /// Stores ratings.
  package mutating func updateRatings(_ updates: [RatingUpdate]) {
    for update in updates { updateRating(of: update.photo, update.rating) }
  }

  /// Stores a rating.
  mutating func updateRating(of photo: Photo.ID, _ new: Rating) {
    pendingRatings.remove(photo)
    guard ratings[photo] != new else { return }
    ratings[photo] = new
    if dependsOnRatings { isStale = true }
  }

  /// Finds the photos whose ratings are missing: among all files for the order, among the photos
  /// of `unknown` for the filter.
  mutating func findMissingRatings() {
    (missingRatings, pendingRatings) = ([], PhotoSet())
    guard dependsOnRatings else { return }
    addMissingRatings(of: order.needsRatings ? listing : unknown)
  }

  /// Adds photos whose ratings are needed, except those that were read.
  mutating func addMissingRatings(of photos: [Photo.ID]) {
    for photo in photos where !ratings.isKnown(photo) && pendingRatings.insert(photo) {
      missingRatings.append(photo)
    }
  }

  /// The number of shown photos that are not rated.
  var unratedCount: Int { shown.count { ratings[$0]?.isRated != true } }
}
