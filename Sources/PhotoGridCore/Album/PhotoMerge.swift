extension [Photo.ID] {
  /// Adds photos, which are in order among themselves, at their places among these, which are too.
  ///
  /// - Returns: Whether all of them came behind the others.
  /// - Complexity: O(1) comparisons where they do; else O(m log n), and O(n) moves.
  @discardableResult
  package mutating func merge(
    _ photos: [Photo.ID], by precedes: (Photo.ID, Photo.ID) -> Bool
  ) -> Bool {
    guard let first = photos.first else { return true }
    guard let last, precedes(first, last) else {
      self += photos
      return true
    }
    var merged: [Photo.ID] = []
    merged.reserveCapacity(count + photos.count)
    var taken = 0
    for photo in photos {
      var (low, high) = (taken, count)
      while low < high {
        let middle = (low + high) / 2
        if precedes(photo, self[middle]) { high = middle } else { low = middle + 1 }
      }
      merged += self[taken..<low]
      merged.append(photo)
      taken = low
    }
    self = merged + self[taken...]
    return false
  }

  /// Takes out the photos at some indices, in ascending order.
  ///
  /// - Complexity: O(n) moves.
  package mutating func remove(at indices: [Int]) {
    guard let first = indices.first else { return }
    var end = first
    for (place, index) in indices.enumerated() {
      let next = place + 1 < indices.count ? indices[place + 1] : count
      for kept in (index + 1)..<Swift.max(next, index + 1) {
        self[end] = self[kept]
        end += 1
      }
    }
    removeSubrange(end...)
  }
}
