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
      ordered(listing.map { Ranked(rank: Self.randomRank(of: $0, seed), photo: $0) })
    case .taken, .modified, .size, .rating: sortedByRank(listing, rank)
    }
  }

  private struct Ranked {
    var rank: Int64
    var photo: Photo.ID
  }

  private func sortedByRank(
    _ listing: [Photo.ID], _ rank: (Photo.ID) -> Int64?
  ) -> [Photo.ID] {
    var known: [Ranked] = []
    var rest: [Photo.ID] = []
    known.reserveCapacity(listing.count)
    for photo in listing {
      if let rank = rank(photo) {
        known.append(Ranked(rank: rank, photo: photo))
      } else {
        rest.append(photo)
      }
    }
    return ordered(known) + rest
  }

  private func ordered(_ entries: [Ranked]) -> [Photo.ID] {
    var places = entries.enumerated().map { (rank: $1.rank, place: Int32($0)) }
    if isReversed {
      places.sort { ($1.rank, $0.place) < ($0.rank, $1.place) }
    } else {
      places.sort { ($0.rank, $0.place) < ($1.rank, $1.place) }
    }
    return places.map { entries[Int($0.place)].photo }
  }

  /// A pseudorandom number that is always the same for a photo and a seed (the finalizer of
  /// SplitMix64).
  private static func randomRank(of photo: Photo.ID, _ seed: UInt64) -> Int64 {
    let number = UInt64(bitPattern: Int64(photo.number))
    return Int64(bitPattern: (seed &+ number &* .mixingStep).mixed)
  }
}
