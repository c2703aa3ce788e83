package struct SortOrder: Hashable, Sendable {
  package var key: Key
  package var isReversed: Bool

  /// The property by which photos are compared; equal photos keep the order of the listing.
  package enum Key: Hashable, Sendable {
    case listed
    /// Folder by folder, and by name in natural order within each: "img2" before "img10".
    case name
    /// The time when the photo was taken, on the camera's clock.
    case taken
    case modified
    case size
    /// The length of a film; photos have none.
    case length
    /// The rating: the most stars first, rejected photos last.
    case rating
    /// Near duplicates next to each other, in the order of the first photo of each group; photos
    /// without a near duplicate follow.
    case similar
    /// A random order, always the same for the same seed.
    case random(seed: UInt64)
  }

  package init(by key: Key, isReversed: Bool = false) {
    self.key = key
    self.isReversed = isReversed
  }

  /// The name of the key in options and key maps.
  package var keyName: String {
    switch key {
    case .listed: "listed"
    case .name: "name"
    case .taken: "date"
    case .modified: "mtime"
    case .size: "size"
    case .length: "length"
    case .rating: "rating"
    case .similar: "similar"
    case .random: "random"
    }
  }

  package static let listed = SortOrder(by: .listed)

  package var needsFacts: Bool {
    switch key {
    case .taken, .modified, .size, .length: true
    case .listed, .name, .random, .rating, .similar: false
    }
  }

  package var needsRatings: Bool { key == .rating }

  package var needsHashes: Bool { key == .similar }

  /// Whether something must be read from the photos' files or sidecars.
  var needsReading: Bool { needsFacts || needsRatings || needsHashes }

  /// The description of the order in the bar.
  package var label: String {
    let key =
      switch key {
      case .listed: "as listed"
      case .name: "name"
      case .taken: "date taken"
      case .modified: "date modified"
      case .size: "size"
      case .length: "length"
      case .rating: "rating"
      case .similar: "similarity"
      case .random: "random"
      }
    return isReversed ? key + ", reversed" : key
  }
}

extension SortOrder {
  /// Returns the number by which a photo is compared, by its facts or its rating; nil if it is
  /// unknown.
  func rank(of photo: Photo.ID, _ facts: PackedInfo?, _ rating: Rating?) -> Int64? {
    key == .rating ? rating.map { -Int64($0.stars) } : rank(of: facts)
  }

  /// Returns the number by which a file is compared; nil if it is unknown, or the order does not
  /// depend on the file's facts alone.
  func rank(of facts: PackedInfo?) -> Int64? {
    guard let facts else { return nil }
    switch key {
    case .modified: return facts.isReadable ? facts.modified : nil
    case .size: return facts.isReadable ? facts.byteCount : nil
    case .length: return facts.length.map { Int64($0 * 1000) }
    case .listed, .name, .random, .rating, .similar, .taken: return nil
    }
  }
}

extension SortOrder {
  /// Sorts photos.
  ///
  /// - Returns: The photos in this order; photos with equal ranks keep the order of the listing,
  ///   and photos with an unknown rank come last.
  func sorted(_ listing: [Photo.ID], names: PhotoNames, rank: (Photo.ID) -> Int64?) -> [Photo.ID] {
    switch key {
    case .listed: isReversed ? listing.reversed() : listing
    case .name: isReversed ? names.sorted(listing).reversed() : names.sorted(listing)
    case .random(let seed):
      ordered(listing, by: listing.map { Self.randomRank(of: $0, seed) })
    case .taken, .modified, .size, .length, .rating, .similar: sortedByRank(listing, rank)
    }
  }

  private func sortedByRank(_ listing: [Photo.ID], _ rank: (Photo.ID) -> Int64?) -> [Photo.ID] {
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
    RadixSort.order(of: ranks, isReversed: isReversed).map { photos[Int($0)] }
  }

  /// Returns a pseudorandom number that is always the same for a photo and a seed (the finalizer of
  /// SplitMix64).
  private static func randomRank(of photo: Photo.ID, _ seed: UInt64) -> Int64 {
    let number = UInt64(bitPattern: Int64(photo.number))
    return Int64(bitPattern: (seed &+ number &* .mixingStep).mixed)
  }
}

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
