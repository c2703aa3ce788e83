package struct PhotoSet: Equatable, Sendable {
  private var words: [UInt64] = []
  package private(set) var count = 0

  package init() {}

  package init(_ photos: some Sequence<Photo.ID>) {
    for photo in photos { insert(photo) }
  }

  /// Creates a set of those photos whose flag is not 0.
  init(_ photos: [Photo.ID], where flags: [UInt8]) {
    let last = photos.lazy.map(\.index).max() ?? -1
    guard last >= 0 else { return }
    words = [UInt64](repeating: 0, count: last >> 6 + 1)
    for (photo, flag) in zip(photos, flags) where flag != 0 && photo.index >= 0 {
      words[photo.index >> 6] |= Self.bit(of: photo)
    }
    count = words.reduce(0) { $0 + $1.nonzeroBitCount }
  }

  package var isEmpty: Bool { count == 0 }

  package func contains(_ photo: Photo.ID) -> Bool {
    let word = photo.index >> 6
    return words.indices.contains(word) && words[word] & Self.bit(of: photo) != 0
  }

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

  @discardableResult
  package mutating func remove(_ photo: Photo.ID) -> Bool {
    guard contains(photo) else { return false }
    words[photo.index >> 6] &= ~Self.bit(of: photo)
    count -= 1
    return true
  }

  package mutating func subtract(_ other: PhotoSet) {
    count = 0
    for index in words.indices {
      if other.words.indices.contains(index) { words[index] &= ~other.words[index] }
      count += words[index].nonzeroBitCount
    }
  }

  /// Returns the number of photos that are in another set too.
  package func countShared(with other: PhotoSet) -> Int {
    zip(words, other.words).reduce(0) { $0 + ($1.0 & $1.1).nonzeroBitCount }
  }

  package var photos: [Photo.ID] {
    var photos: [Photo.ID] = []
    guard !isEmpty else { return photos }
    photos.reserveCapacity(count)
    for (index, word) in words.enumerated() where word != 0 {
      for bit in 0..<64 where word & 1 << UInt64(bit) != 0 {
        photos.append(Photo.ID(index << 6 + bit))
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
