/// Receiving names, facts, ratings and hashes of photos, and when the order and the filter change.
extension PhotoCollection {
  /// Receives names of items, including items that are found later.
  mutating func receive(_ names: NameBatch) { album.name(names) }

  /// Receives facts of photos' files.
  mutating func receive(_ facts: [FactUpdate]) {
    for update in facts {
      album.updateFacts(of: update.photo, update.facts)
      if update.facts != nil { receiveShape(of: update.photo) }
    }
    if search?.unknown.isEmpty == false { search?.isStale = true }
  }

  /// Receives facts of many photos' files.
  ///
  /// - Parameters:
  ///   - block: The facts; photos without known ones stay as they are.
  ///   - photos: The photos, in the order of the facts.
  ///   - isRecorded: Whether an earlier session read the facts.
  mutating func receive(_ block: FactBlock, of photos: [Photo.ID], isRecorded: Bool) {
    album.updateFacts(of: photos, block, isRecorded: isRecorded)
    for photo in photos { receiveShape(of: photo) }
    if search?.unknown.isEmpty == false { search?.isStale = true }
  }

  /// Receives ratings of photos.
  mutating func receive(_ ratings: [RatingUpdate]) {
    guard !ratings.isEmpty else { return }
    album.updateRatings(ratings)
    if search?.filter.needsRatings == true { search?.isStale = true }
  }

  /// Receives hashes of photos' pictures.
  mutating func receive(_ hashes: [HashUpdate]) {
    album.updateHashes(hashes)
    if search?.filter.needsHashes == true { search?.isStale = true }
  }

  /// Receives the notes that come at the end of the listing.
  mutating func receive(_ notes: ListingNotes) { listingNotes = notes }

  /// Receives the size of a photo, after the orientation in its file, and the number of its frames.
  ///
  /// - Returns: Whether the size has changed.
  mutating func receive(_ size: PixelSize, frameCount: Int, of photo: Photo.ID) -> Bool {
    frameCounts[photo] = frameCount > 1 ? frameCount : nil
    return shapes.receive(size: size, of: photo, capacity: items.count)
  }

  private mutating func receiveShape(of photo: Photo.ID) {
    guard let facts = album.facts(of: photo) else { return }
    shapes.receive(facts, of: photo, capacity: items.count)
  }

  /// The photos whose files must be read for the filter, the order or the search.
  package var missingFacts: [Photo.ID] {
    album.unknown.isEmpty && search?.filter.needsFacts == true
      ? search?.unknown ?? [] : album.unknown
  }

  /// The photos whose ratings must be read for the filter, the order or the search.
  package var missingRatings: [Photo.ID] {
    album.missingRatings.isEmpty && search?.filter.needsRatings == true
      ? search?.unknown ?? [] : album.missingRatings
  }

  /// The photos whose hashes must be found for the filter, the order or the search.
  package var missingHashes: [Photo.ID] {
    album.missingHashes.isEmpty && search?.filter.needsHashes == true
      ? album.photosWithoutHash : album.missingHashes
  }

  /// Whether the listing is complete, and its order and filter are final.
  package var isSettled: Bool { isComplete && !album.isStale }

  /// Whether the listing is complete, and everything is known that its order and filter need.
  var isComplete: Bool { listingNotes != nil && album.progress == nil }

  /// The delay until new facts are applied to the filter, in seconds.
  ///
  /// Facts are not applied photo by photo, as the tiles would never come to rest.
  private static let filterDelay = 0.3
  /// The delay until new facts are applied to the order, in seconds.
  private static let sortDelay = 5.0
  /// The delay per photo for listings grouped by date, in seconds: long listings take longer to
  /// sort and are updated less often.
  private static let secondsPerPhoto = 3e-6
  /// The delay per photo for a filter of near duplicates, in seconds: ten times what it takes to
  /// find them.
  private static let secondsPerComparedPhoto = 2e-5

  /// Returns whether new facts must be applied now, with `refresh()`; if they must be applied
  /// later, sets `refreshDue`.
  mutating func isRefreshDue(at now: Instant) -> Bool {
    guard album.isStale || search?.isStale == true else {
      (staleSince, refreshDue) = (nil, nil)
      return false
    }
    let since = staleSince ?? now
    // The delay grows with a listing that continues, which would soon have to be sorted again.
    let due = since.advanced(bySeconds: refreshDelay)
    let isDue = isComplete || due <= now
    (staleSince, refreshDue) = isDue ? (nil, nil) : (since, due)
    return isDue
  }

  private var refreshDelay: Double {
    // Sections and months are what the user looks for: they appear soon after the facts.
    guard album.order.needsReading || album.needsDates else {
      guard album.dependsOnSimilarity else { return Self.filterDelay }
      let seconds = Double(album.photos.count) * Self.secondsPerComparedPhoto
      return min(max(Self.filterDelay, seconds), Self.sortDelay)
    }
    guard grouping.isByDate || album.needsDates || album.hasStacks else { return Self.sortDelay }
    return min(
      max(Self.filterDelay, Double(album.photos.count) * Self.secondsPerPhoto), Self.sortDelay)
  }
}
