extension [Photo.ID] {
  /// Merges photos into this array; both must be sorted.
  ///
  /// - Returns: Whether all of them went to the end.
  /// - Complexity: One comparison if they go to the end; otherwise O(m log n) comparisons and O(n +
  ///   m) moves, where n is the count of this array and m that of `photos`.
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

  /// Removes the photos at the given indices, which must be in ascending order.
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
