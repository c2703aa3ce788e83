/// Sorting and filtering by near duplicates.
extension Album {
  var dependsOnSimilarity: Bool { order.needsHashes || filter?.needsHashes == true }

  /// Whether a hash of a photo is not known yet, or differs from the known one.
  package func isNew(_ hash: DifferenceHash?, of photo: Photo.ID) -> Bool {
    hashes.isNew(hash, of: photo)
  }

  package mutating func updateHashes(_ updates: [HashUpdate]) {
    for update in updates { updateHash(of: update.photo, update.hash) }
  }

  mutating func updateHash(of photo: Photo.ID, _ hash: DifferenceHash?) {
    pendingHashes.remove(photo)
    if hashes.update(hash, of: photo) { expireSimilarity() }
  }

  /// Drops the hash of a photo whose file has changed.
  mutating func forgetHash(of photo: Photo.ID) {
    if digests.removeValue(forKey: photo) != nil { findCopies() }
    if hashes.forget(photo) { expireSimilarity() }
  }

  private mutating func expireSimilarity() {
    similar = nil
    if dependsOnSimilarity { isStale = true }
  }

  /// Finds the groups of near duplicates, unless they are up to date.
  mutating func groupSimilar() {
    if similar == nil { similar = SimilarGroups(of: photos, hashes) }
  }

  /// Finds the photos whose hashes the order or the filter needs: all photos without a hash,
  /// because any may be the near duplicate of another.
  mutating func findMissingHashes() {
    (missingHashes, pendingHashes) = ([], PhotoSet())
    guard dependsOnSimilarity else { return }
    missingHashes = photosWithoutHash
    pendingHashes = PhotoSet(missingHashes)
  }

  /// The photos whose hashes are not known.
  var photosWithoutHash: [Photo.ID] { photos.filter { !hashes.isKnown($0) } }
}
