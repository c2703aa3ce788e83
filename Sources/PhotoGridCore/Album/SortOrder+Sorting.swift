/// Sorting a listing.
extension SortOrder {
  /// Sorts photos.
  ///
  /// - Parameters:
  ///   - listing: The photos, in the order of the folder or the list.
  ///   - names: The names of the photos.
  ///   - rank: Returns the number by which a photo is compared; nil if it is unknown.
  /// - Returns: The photos in this order; those with equal ranks keep the order of the listing, and
  ///   those of unknown rank come last.
  func sorted(
    _ listing: [Photo.ID], names: PhotoNames, rank: (Photo.ID) -> Int64?
  ) -> [Photo.ID] {
    switch key {
    case .listed: isReversed ? listing.reversed() : listing
    case .name: isReversed ? names.sorted(listing).reversed() : names.sorted(listing)
    case .random(let seed):
      ordered(listing, by: listing.map { Self.randomRank(of: $0, seed) })
    case .taken, .modified, .size, .rating, .similar: sortedByRank(listing, rank)
    }
  }

  private func sortedByRank(
    _ listing: [Photo.ID], _ rank: (Photo.ID) -> Int64?
  ) -> [Photo.ID] {
    var known: [Photo.ID] = []
    var ranks: [Int64] = []
    var rest: [Photo.ID] = []
    known.reserveCapacity(listing.count)
    ranks.reserveCapacity(listing.count)
    for photo in listing {
      if let rank = rank(photo) {
        known.append(photo)
        ranks.append(rank)
      } else {
        rest.append(photo)
      }
    }
    return ordered(known, by: ranks) + rest
  }

  private func ordered(_ photos: [Photo.ID], by ranks: [Int64]) -> [Photo.ID] {
    RadixSort.places(of: ranks, isReversed: isReversed).map { photos[Int($0)] }
  }

  /// A pseudorandom number that is always the same for a photo and a seed (the finalizer of
  /// SplitMix64).
  private static func randomRank(of photo: Photo.ID, _ seed: UInt64) -> Int64 {
    let number = UInt64(bitPattern: Int64(photo.number))
    return Int64(bitPattern: (seed &+ number &* .mixingStep).mixed)
  }
}
