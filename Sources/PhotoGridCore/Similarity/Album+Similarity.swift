extension Album {
  var dependsOnSimilarity: Bool { order.needsHashes || filter?.needsHashes == true }

  /// Whether a hash of a photo is not known yet, or differs from the known one.
  package func isNew(_ hash: DifferenceHash?, of photo: Photo.ID) -> Bool {
    known.hashes.isNew(hash, of: photo)
  }

  package mutating func updateHashes(_ updates: [HashUpdate]) {
    for update in updates { updateHash(of: update.photo, update.hash) }
  }

  mutating func updateHash(of photo: Photo.ID, _ hash: DifferenceHash?) {
    missing.pendingHashes.remove(photo)
    if known.hashes.update(hash, of: photo) { expireSimilarity() }
  }

  mutating func forgetHash(of photo: Photo.ID) {
    if similarity.digests.removeValue(forKey: photo) != nil { findCopies() }
    if known.hashes.forget(photo) { expireSimilarity() }
  }

  private mutating func expireSimilarity() {
    similarity.groups = nil
    if dependsOnSimilarity { isStale = true }
  }

  /// Finds the groups of near duplicates, unless they are up to date.
  mutating func groupSimilar() {
    if similarity.groups == nil { similarity.groups = SimilarGroups(of: photos, known.hashes) }
  }

  /// Finds the photos whose hashes the order or the filter needs: all photos without a hash,
  /// because any may be the near duplicate of another.
  mutating func findMissingHashes() {
    (missing.hashes, missing.pendingHashes) = ([], PhotoSet())
    guard dependsOnSimilarity else { return }
    missing.hashes = photosWithoutHash
    missing.pendingHashes = PhotoSet(missing.hashes)
  }

  /// The photos whose hashes are not known.
  var photosWithoutHash: [Photo.ID] { photos.filter { !known.hashes.isKnown($0) } }
}
