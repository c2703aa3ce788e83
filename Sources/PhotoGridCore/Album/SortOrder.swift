/// The order in which photos are shown.
package struct SortOrder: Hashable, Sendable {
  /// The property by which photos are compared.
  package var key: Key
  /// Whether the order is reversed; photos whose key is unknown still come last.
  package var isReversed: Bool

  /// The property by which photos are compared; equal photos keep the order of the listing.
  package enum Key: Hashable, Sendable {
    /// The order of the folders or the list.
    case listed
    /// Folder by folder, and by name in natural order within each: "img2" before "img10".
    case name
    /// The time when the photo was taken, on the camera's clock.
    case taken
    /// The time when the file was last modified.
    case modified
    /// The size of the file, in bytes.
    case size
    /// The rating: the most stars first, rejected photos last.
    case rating
    /// Near duplicates next to each other, in the order of the first photo of each group; photos
    /// without a near duplicate follow.
    case similar
    /// A random order, always the same for the same seed.
    case random(seed: UInt64)
  }

  /// Creates an order by a key.
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
    case .rating: "rating"
    case .similar: "similar"
    case .random: "random"
    }
  }

  /// The order of the listing.
  package static let listed = SortOrder(by: .listed)

  /// Whether the photos' files must be read.
  package var needsFacts: Bool {
    switch key {
    case .taken, .modified, .size: true
    case .listed, .name, .random, .rating, .similar: false
    }
  }

  /// Whether the photos' ratings must be read.
  package var needsRatings: Bool { key == .rating }

  /// Whether the hashes of the photos' pictures must be known.
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
      case .modified: "modified"
      case .size: "size"
      case .rating: "rating"
      case .similar: "similar together"
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
    case .listed, .name, .random, .rating, .similar, .taken: return nil
    }
  }
}
