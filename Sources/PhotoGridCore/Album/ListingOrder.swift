/// The order in which photos of folders and their subfolders are shown: first a folder's own photos
/// by name, then its subfolders one after the other.
///
///     rome/1.jpg  rome/2.jpg  rome/day1/1.jpg  rome/day2/1.jpg
package enum ListingOrder {
  /// Whether the photo at `left` comes before the one at `right`.
  ///
  /// Folder paths end in a slash, or are empty.
  package static func precedes(
    _ left: (folder: [UInt8], name: ArraySlice<UInt8>),
    _ right: (folder: [UInt8], name: ArraySlice<UInt8>)
  ) -> Bool {
    switch order(of: left.folder, right.folder) {
    case 0: precedes(left.name, right.name)
    case let order: order < 0
    }
  }

  /// Returns a negative number if the folder `left` comes before `right`, a positive number if it
  /// comes after, and 0 if both are the same.
  ///
  /// A folder comes before its subfolders.
  package static func order(of left: [UInt8], _ right: [UInt8]) -> Int {
    guard left != right else { return 0 }
    var start = 0
    for (index, (a, b)) in zip(left, right).enumerated() {
      guard a == b else { break }
      if a == UInt8(ascii: "/") { start = index + 1 }
    }
    if start == left.count { return -1 }
    if start == right.count { return 1 }
    let (first, second) = (component(of: left, at: start), component(of: right, at: start))
    return precedes(first, second) ? -1 : 1
  }

  private static func component(of folder: [UInt8], at start: Int) -> ArraySlice<UInt8> {
    folder[start..<(folder[start...].firstIndex(of: UInt8(ascii: "/")) ?? folder.count)]
  }

  /// Whether a name comes before another name in the same folder.
  ///
  /// Names of subfolders, which end in a slash, come before names of photos.
  package static func precedes(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
    let isFolder = left.last == UInt8(ascii: "/")
    guard isFolder == (right.last == UInt8(ascii: "/")) else { return isFolder }
    return left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in NaturalOrder.precedes(left, right) }
    }
  }
}

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
    for (position, index) in indices.enumerated() {
      let next = position + 1 < indices.count ? indices[position + 1] : count
      for kept in (index + 1)..<Swift.max(next, index + 1) {
        self[end] = self[kept]
        end += 1
      }
    }
    removeSubrange(end...)
  }
}
