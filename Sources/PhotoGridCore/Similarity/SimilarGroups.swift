/// The groups of near duplicates among the photos of a listing.
struct SimilarGroups: Equatable, Sendable {
  /// The index in the listing of the first photo of the group, for each photo that is in a group.
  private var ranks: [Photo.ID: Int64] = [:]
  /// Whether the hashes of all photos were known.
  let isComplete: Bool

  /// Finds the groups of photos whose hashes are known.
  init(of photos: [Photo.ID], _ table: HashTable) {
    var hashes: [DifferenceHash] = []
    var places: [Int] = []
    var isComplete = true
    for (place, photo) in photos.enumerated() {
      if let hash = table[photo] {
        hashes.append(hash)
        places.append(place)
      } else if !table.isKnown(photo) {
        isComplete = false
      }
    }
    self.isComplete = isComplete
    for group in NearDuplicates.groups(of: hashes) {
      for member in group { ranks[photos[places[member]]] = Int64(places[group[0]]) }
    }
  }

  /// Returns the index in the listing of the first photo of a photo's group; nil if the photo is in
  /// no group.
  func rank(of photo: Photo.ID) -> Int64? { ranks[photo] }

  /// Whether a photo has a near duplicate.
  func contains(_ photo: Photo.ID) -> Bool { ranks[photo] != nil }
}
