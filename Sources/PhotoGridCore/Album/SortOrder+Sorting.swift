/// Sorting a listing.
extension SortOrder {
  /// Sorts photos.
  ///
  /// - Parameters:
  ///   - listing: The photos, in the order of the folder or the list.
  ///   - names: The names of the photos.
  ///   - rank: Returns the number by which a photo is compared; nil if it is unknown.
  /// - Returns: The photos in this order; photos with equal ranks keep the order of the listing,
  ///   and photos with an unknown rank come last.
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
    guard let keys = sortedKeys(of: listing, rank) else {
      let known = listing.filter { rank($0) != nil }
      return ordered(known, by: known.compactMap(rank)) + listing.filter { rank($0) == nil }
    }
    var sorted: [Photo.ID] = []
    sorted.reserveCapacity(listing.count)
    let mask = UInt64(1) << UInt64(Self.bitCount(of: UInt64(listing.count))) &- 1
    for key in keys { sorted.append(listing[Int(key & mask)]) }
    if keys.count < listing.count { sorted += listing.lazy.filter { rank($0) == nil } }
    return sorted
  }

  /// Returns the ranks of photos in order, each with its photo's index in the lowest bits; nil if
  /// both together do not fit into 64 bits.
  ///
  /// A key takes eight bytes, a third of what sorting indices beside the ranks takes for each
  /// photo: a library may have a million photos.
  private func sortedKeys(of listing: [Photo.ID], _ rank: (Photo.ID) -> Int64?) -> [UInt64]? {
    var (least, most, count) = (Int64.max, Int64.min, 0)
    for photo in listing {
      guard let rank = rank(photo) else { continue }
      (least, most, count) = (min(least, rank), max(most, rank), count + 1)
    }
    guard count > 0 else { return [] }
    let indexBits = Self.bitCount(of: UInt64(listing.count))
    guard Self.bitCount(of: UInt64(bitPattern: most &- least)) + indexBits <= UInt64.bitWidth else {
      return nil
    }
    var keys: [UInt64] = []
    keys.reserveCapacity(count)
    for (index, photo) in listing.enumerated() {
      guard let rank = rank(photo) else { continue }
      let distance = UInt64(bitPattern: isReversed ? most &- rank : rank &- least)
      keys.append(distance << UInt64(indexBits) | UInt64(index))
    }
    RadixSort.sort(&keys)
    return keys
  }

  private static func bitCount(of number: UInt64) -> Int {
    UInt64.bitWidth - number.leadingZeroBitCount
  }

  private func ordered(_ photos: [Photo.ID], by ranks: [Int64]) -> [Photo.ID] {
    RadixSort.places(of: ranks, isReversed: isReversed).map { photos[Int($0)] }
  }

  /// Returns a pseudorandom number that is always the same for a photo and a seed (the finalizer of
  /// SplitMix64).
  private static func randomRank(of photo: Photo.ID, _ seed: UInt64) -> Int64 {
    let number = UInt64(bitPattern: Int64(photo.number))
    return Int64(bitPattern: (seed &+ number &* .mixingStep).mixed)
  }
}
