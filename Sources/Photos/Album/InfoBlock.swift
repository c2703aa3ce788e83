/// What many photos' files say, in the order of the photos, with the texts that the rows refer to.
package struct InfoBlock: Equatable, Sendable {
  /// Without `isKnown`, a rating and a hash for a photo about which nothing is known.
  package private(set) var rows: [PackedInfo] = []
  /// The bits of the hash of each photo's picture, 0 for a photo without a hash; empty if no photo
  /// has one.
  package private(set) var hashBits: [UInt64] = []
  /// The `RatingStamp` of each photo, 0 for a photo without one; empty if no photo has one.
  ///
  /// Only ratings on their way to the index have stamps.
  package private(set) var ratingStamps: [UInt64] = []
  /// Where photos were taken, by the photos' indices in the block; only of photos whose locations were
  /// requested.
  package private(set) var locations: [Int: PhotoMetadata.Location] = [:]
  /// The words of photos as `PhotoWords.record`, by the photos' indices in the block.
  package private(set) var words: [Int: [UInt8]] = [:]
  package private(set) var pools = TextPools()
  /// The size of the rows, hashes, locations, words and copied texts in a message, in bytes.
  ///
  /// Only `init(_:hashBits:copyingFrom:)`, `setLocations(_:)` and `setWords(_:)` count it.
  package private(set) var byteCount = 0

  package init() {}

  /// Creates a block from rows and the texts that they refer to.
  package init(
    _ rows: [PackedInfo], hashBits: [UInt64] = [], ratingStamps: [UInt64] = [], _ pools: TextPools
  ) {
    self.rows = rows
    self.hashBits = hashBits.count == rows.count ? hashBits : []
    self.ratingStamps = ratingStamps.count == rows.count ? ratingStamps : []
    self.pools = pools
  }

  /// Creates a block from rows, and copies the texts that they refer to from larger pools.
  package init(_ rows: [PackedInfo], hashBits: [UInt64] = [], copyingFrom source: TextPools) {
    self.init(rows, hashBits: hashBits, TextPools())
    byteCount = hashBits.count * MemoryLayout<UInt64>.stride
    var renumbering = PoolRenumbering(from: source)
    for index in self.rows.indices {
      byteCount += MemoryLayout<PackedInfo>.stride
      byteCount += renumbering.translate(&self.rows[index], to: &pools)
    }
  }

  /// Creates a block about files that were read; nil for a file that cannot be read.
  package init(_ infos: some Sequence<PhotoInfo?>) {
    for info in infos {
      if let info { append(info) } else { append(.unreadable) }
    }
  }

  /// Appends a photo whose file was read, without a hash.
  package mutating func append(_ info: PhotoInfo) {
    if let location = info.metadata?.location { locations[rows.count] = location }
    if let words = info.metadata?.words { self.words[rows.count] = words.record }
    append(PackedInfo(info, &pools))
  }

  /// Appends a photo.
  ///
  /// - Parameters:
  ///   - row: Refers to no texts, or to texts of this block.
  ///   - hash: The hash of its picture; nil if it has none, or none is known.
  ///   - ratingStamp: The stamp of its rating; 0 without one.
  package mutating func append(
    _ row: PackedInfo, hash: DifferenceHash? = nil, ratingStamp: UInt64 = 0
  ) {
    // Nothing is appended before the first photo with a value, whose predecessors then get zeros.
    func append(_ value: UInt64, to column: inout [UInt64]) {
      guard value != 0 || !column.isEmpty else { return }
      column += repeatElement(0, count: rows.count - column.count)
      column.append(value)
    }
    append(hash?.bits ?? 0, to: &hashBits)
    append(ratingStamp, to: &ratingStamps)
    rows.append(row)
  }

  /// The number of photos about which anything is known.
  package var knownCount: Int { rows.count { $0.isKnown || $0.rating != nil || $0.isHashKnown } }

  /// Sets where photos were taken, by the photos' indices in the block.
  package mutating func setLocations(_ locations: [Int: PhotoMetadata.Location]) {
    self.locations = locations
    byteCount += locations.count * Self.locationLength
  }

  /// Sets the words of photos as records, by the photos' indices in the block.
  package mutating func setWords(_ words: [Int: [UInt8]]) {
    self.words = words
    byteCount += words.values.reduce(0) { $0 + $1.count + 8 }
  }

  /// The length of a location in a message, with the index of its photo, in bytes.
  private static let locationLength = 20

  /// Returns what a photo's file says; nil unless it was read.
  package func info(at index: Int) -> PhotoInfo? {
    rows[index].unpacked(
      texts: pools, takenAt: locations[index],
      words: words[index].flatMap { PhotoWords(record: $0) })
  }

  /// Returns the hash of the picture of the photo at an index; nil if it has no known hash.
  package func hash(at index: Int) -> DifferenceHash? {
    rows[index].hasHash && index < hashBits.count ? DifferenceHash(bits: hashBits[index]) : nil
  }

  /// Removes a photo's row, whose index stays.
  package mutating func forget(_ index: Int) { rows[index] = PackedInfo() }

  /// Whether all but `byteCount` is equal.
  package static func == (left: InfoBlock, right: InfoBlock) -> Bool {
    left.rows == right.rows && left.hashBits == right.hashBits
      && left.ratingStamps == right.ratingStamps && left.locations == right.locations
      && left.words == right.words && left.pools == right.pools
  }
}
