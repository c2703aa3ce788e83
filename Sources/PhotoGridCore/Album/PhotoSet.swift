/// A set of photos, stored as one bit per photo number.
package struct PhotoSet: Equatable, Sendable {
  private var words: [UInt64] = []
  package private(set) var count = 0

  /// Creates an empty set.
  package init() {}

  package init(_ photos: some Sequence<Photo.ID>) {
    for photo in photos { insert(photo) }
  }

  package var isEmpty: Bool { count == 0 }

  package func contains(_ photo: Photo.ID) -> Bool {
    let word = photo.index >> 6
    return words.indices.contains(word) && words[word] & Self.bit(of: photo) != 0
  }

  /// Inserts a photo.
  ///
  /// - Returns: Whether the photo was not in the set before.
  @discardableResult
  package mutating func insert(_ photo: Photo.ID) -> Bool {
    guard photo.index >= 0, !contains(photo) else { return false }
    let word = photo.index >> 6
    if word >= words.count {
      words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
    }
    words[word] |= Self.bit(of: photo)
    count += 1
    return true
  }

  /// Removes a photo.
  ///
  /// - Returns: Whether the photo was in the set before.
  @discardableResult
  package mutating func remove(_ photo: Photo.ID) -> Bool {
    guard contains(photo) else { return false }
    words[photo.index >> 6] &= ~Self.bit(of: photo)
    count -= 1
    return true
  }

  /// Removes the photos that are in another set.
  package mutating func subtract(_ other: PhotoSet) {
    count = 0
    for place in words.indices {
      if other.words.indices.contains(place) { words[place] &= ~other.words[place] }
      count += words[place].nonzeroBitCount
    }
  }

  /// Returns the number of photos that are in another set too.
  package func countShared(with other: PhotoSet) -> Int {
    zip(words, other.words).reduce(0) { $0 + ($1.0 & $1.1).nonzeroBitCount }
  }

  /// The photos in ascending order of their numbers.
  package var photos: [Photo.ID] {
    var photos: [Photo.ID] = []
    photos.reserveCapacity(count)
    for (place, word) in words.enumerated() where word != 0 {
      for bit in 0..<64 where word & 1 << UInt64(bit) != 0 {
        photos.append(Photo.ID(place << 6 + bit))
      }
    }
    return photos
  }

  /// Whether two sets contain the same photos, regardless of their capacity.
  package static func == (left: PhotoSet, right: PhotoSet) -> Bool {
    guard left.count == right.count else { return false }
    let (short, long) =
      left.words.count < right.words.count
      ? (left.words, right.words) : (right.words, left.words)
    return long.starts(with: short)
  }

  private static func bit(of photo: Photo.ID) -> UInt64 { 1 << UInt64(photo.index & 63) }
}
