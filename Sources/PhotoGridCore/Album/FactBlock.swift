/// The facts of many photos, in the order of the photos, with the texts that they refer to by
/// number.
package struct FactBlock: Equatable, Sendable {
  /// The facts of each photo; facts without `isKnown` and without a rating for an unknown photo.
  package private(set) var facts: [PackedFacts]
  /// The bits of the hash of each photo's picture, 0 for a photo without a hash; empty if no photo
  /// has one.
  package private(set) var hashBits: [UInt64]
  /// The places where photos were taken, by the photos' indices in the block; only of photos whose
  /// places were requested.
  package private(set) var places: [Int: PhotoMetadata.Place] = [:]
  /// The texts of the facts.
  package private(set) var pools: TextPools
  /// The number of photos about which anything is known.
  package private(set) var knownCount: Int
  /// The size of the facts, hashes, places and copied texts in a message, in bytes.
  ///
  /// Only `init(_:hashBits:copyingFrom:)` and `setPlaces(_:)` count it.
  package private(set) var byteCount = 0

  /// Creates a block of facts, and copies the texts that they refer to from larger pools.
  ///
  /// - Parameters:
  ///   - facts: The facts of each photo; facts without `isKnown` and without a rating for an
  ///     unknown photo.
  ///   - hashBits: The bits of their hashes; empty if no photo has one.
  ///   - source: The pools whose numbers the facts have.
  package init(
    _ facts: [PackedFacts], hashBits: [UInt64] = [], copyingFrom source: TextPools
  ) {
    self.init(facts, hashBits: hashBits, TextPools())
    byteCount = hashBits.count * MemoryLayout<UInt64>.stride
    var (camera, lens, profile) = (TextRenumbering(), TextRenumbering(), TextRenumbering())
    for place in self.facts.indices {
      byteCount += MemoryLayout<PackedFacts>.stride
      byteCount += camera.translate(
        &self.facts[place].camera, from: source.camera, to: &pools.camera)
      byteCount += lens.translate(&self.facts[place].lens, from: source.lens, to: &pools.lens)
      byteCount += profile.translate(
        &self.facts[place].profile, from: source.profile, to: &pools.profile)
    }
  }

  /// Creates a block of facts and the texts that they refer to.
  ///
  /// - Parameters:
  ///   - facts: The facts of each photo.
  ///   - hashBits: The bits of their hashes, as many as facts; empty if no photo has one.
  ///   - pools: The texts.
  package init(_ facts: [PackedFacts], hashBits: [UInt64] = [], _ pools: TextPools) {
    self.facts = facts
    self.hashBits = hashBits.count == facts.count ? hashBits : []
    self.pools = pools
    knownCount = facts.count { $0.isKnown || $0.rating != nil || $0.isHashKnown }
  }

  /// Sets the places where photos were taken, by the photos' indices in the block.
  package mutating func setPlaces(_ places: [Int: PhotoMetadata.Place]) {
    self.places = places
    byteCount += places.count * Self.placeLength
  }

  /// The length of a place in a message, with the index of its photo, in bytes.
  private static let placeLength = 20

  /// Returns everything that is known about a photo's file; nil unless it was read.
  package func info(at place: Int) -> PhotoInfo? {
    facts[place].info(texts: pools, takenAt: places[place])
  }

  /// Returns the hash of the picture of the photo at an index; nil if it has no known hash.
  package func hash(at place: Int) -> DifferenceHash? {
    facts[place].hasHash && place < hashBits.count ? DifferenceHash(bits: hashBits[place]) : nil
  }

  /// Whether two blocks have the same facts, hashes, places and texts.
  package static func == (left: FactBlock, right: FactBlock) -> Bool {
    left.facts == right.facts && left.hashBits == right.hashBits
      && left.places == right.places && left.pools == right.pools
  }
}

/// The mapping from text numbers in one pool to those in another.
struct TextRenumbering: Sendable {
  private var numbers: [UInt16: UInt16] = [:]
  /// The last translation; consecutive photos usually have the same camera.
  private var last = (old: TextPool.none, new: TextPool.none)

  /// Replaces a text's number in one pool by its number in another, adding the text there if
  /// needed.
  ///
  /// - Returns: The size of the text in bytes if it was new, else 0.
  mutating func translate(
    _ number: inout UInt16, from source: TextPool, to target: inout TextPool
  ) -> Int {
    if number == last.old {
      number = last.new
      return 0
    }
    let old = number
    var byteCount = 0
    if let known = numbers[old] {
      number = known
    } else {
      let text = source.text(old)
      number = target.number(of: text)
      numbers[old] = number
      byteCount = text.map { $0.utf8.count + 2 } ?? 0
    }
    last = (old, number)
    return byteCount
  }
}
