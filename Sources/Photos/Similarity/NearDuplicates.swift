/// A search for hashes that differ in few bits.
///
/// If the bits are divided into `d` + 1 parts, two hashes that differ in at most `d` bits are equal
/// in at least one part. So the hashes are sorted by each part, and only hashes with an equal part
/// are compared.
package enum NearDuplicates {
  /// The largest number of bits in which the hashes of near duplicates differ.
  package static let usualDistance = 6

  /// Returns groups of hashes, each connected by pairs that differ in few bits.
  ///
  /// - `distance`: The largest number of bits in which the hashes of a pair differ, at most 15.
  /// - Returns: The indices of the hashes in each group of at least two, in ascending order; the
  ///   groups are in ascending order of their first index.
  package static func groups(
    of hashes: [DifferenceHash], within distance: Int = usualDistance
  ) -> [[Int]] {
    var sets = DisjointSets(count: hashes.count)
    // Of equal hashes, such as the hashes of copies, only one is compared with others.
    var firsts: [DifferenceHash: Int] = [:]
    firsts.reserveCapacity(hashes.count)
    var indices: [Int32] = []
    for (index, hash) in hashes.enumerated() {
      if let first = firsts[hash] {
        sets.join(first, index)
      } else {
        firsts[hash] = index
        indices.append(Int32(index))
      }
    }
    for part in parts(count: min(max(distance, 0), 15) + 1) {
      join(indices, of: hashes, equalIn: part, within: distance, &sets)
    }
    return sets.groups
  }

  /// Divides the bits of a hash into parts of nearly equal length.
  private static func parts(count: Int) -> [Range<Int>] {
    (0..<count).map { ($0 * 64 / count)..<(($0 + 1) * 64 / count) }
  }

  private static func join(
    _ indices: [Int32], of hashes: [DifferenceHash], equalIn part: Range<Int>,
    within distance: Int, _ sets: inout DisjointSets
  ) {
    let mask: UInt64 = part.count == 64 ? .max : (1 << UInt64(part.count)) - 1
    let shift = UInt64(part.lowerBound)
    let entries = indices.map { index in
      (bits: hashes[Int(index)].bits, index: index)
    }.sorted { ($0.bits >> shift & mask) < ($1.bits >> shift & mask) }
    entries.withUnsafeBufferPointer { entries in
      var first = 0
      while first < entries.count {
        let key = entries[first].bits >> shift & mask
        var end = first + 1
        while end < entries.count, entries[end].bits >> shift & mask == key { end += 1 }
        for left in first..<end {
          let bits = entries[left].bits
          for right in (left + 1)..<max(end, left + 1)
          where (bits ^ entries[right].bits).nonzeroBitCount <= distance {
            sets.join(Int(entries[left].index), Int(entries[right].index))
          }
        }
        first = end
      }
    }
  }
}

/// A union-find structure: numbers in disjoint sets that can be joined.
private struct DisjointSets {
  private var parents: [Int32]

  init(count: Int) { parents = (0..<Int32(count)).map { $0 } }

  /// Returns the lowest number of the set that contains a number.
  private mutating func root(of number: Int) -> Int {
    var number = number
    while Int(parents[number]) != number {
      parents[number] = parents[Int(parents[number])]
      number = Int(parents[number])
    }
    return number
  }

  /// Joins the sets of two numbers.
  mutating func join(_ left: Int, _ right: Int) {
    let (left, right) = (root(of: left), root(of: right))
    if left != right { parents[max(left, right)] = Int32(min(left, right)) }
  }

  var groups: [[Int]] {
    var sets = self
    var members: [Int: [Int]] = [:]
    for number in parents.indices {
      let root = sets.root(of: number)
      if root != number { members[root, default: [root]].append(number) }
    }
    return members.values.sorted { $0[0] < $1[0] }
  }
}

/// The groups of near duplicates among the photos of a listing.
struct SimilarGroups: Equatable, Sendable {
  /// The index in the listing of the first photo of the group, for each photo that is in a group.
  private var ranks: [Photo.ID: Int64] = [:]
  /// Whether the hashes of all photos were known.
  let isComplete: Bool

  init(of photos: [Photo.ID], _ table: HashTable) {
    var hashes: [DifferenceHash] = []
    var indices: [Int] = []
    var isComplete = true
    for (index, photo) in photos.enumerated() {
      if let hash = table[photo] {
        hashes.append(hash)
        indices.append(index)
      } else if !table.isKnown(photo) {
        isComplete = false
      }
    }
    self.isComplete = isComplete
    for group in NearDuplicates.groups(of: hashes) {
      for member in group { ranks[photos[indices[member]]] = Int64(indices[group[0]]) }
    }
  }

  /// Returns the index in the listing of the first photo of a photo's group; nil if the photo is in
  /// no group.
  func rank(of photo: Photo.ID) -> Int64? { ranks[photo] }

  /// Whether a photo has a near duplicate.
  func contains(_ photo: Photo.ID) -> Bool { ranks[photo] != nil }
}
