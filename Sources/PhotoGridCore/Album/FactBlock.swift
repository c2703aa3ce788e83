/// The facts of many photos, in the order of the photos, with the texts that they refer to by
/// number.
package struct FactBlock: Equatable, Sendable {
  /// The facts of each photo; those of an unknown photo are not `isKnown` and have no rating.
  package private(set) var facts: [PackedFacts]
  /// The texts of the facts.
  package private(set) var pools: TextPools
  /// The number of photos of which something is known.
  package private(set) var knownCount: Int
  /// The size of the facts and of texts that were copied, in bytes.
  package private(set) var byteCount = 0

  /// Creates a block of facts with the texts that they refer to, a few of many.
  ///
  /// - Parameters:
  ///   - facts: The facts of each photo; those of an unknown photo are not `isKnown` and have no
  ///     rating.
  ///   - source: The texts that they refer to.
  package init(_ facts: [PackedFacts], copyingFrom source: TextPools) {
    self.init(facts, TextPools())
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
  package init(_ facts: [PackedFacts], _ pools: TextPools) {
    self.facts = facts
    self.pools = pools
    knownCount = facts.count { $0.isKnown || $0.rating != nil || $0.hasHash }
  }

  /// Whether two blocks have the same facts and texts.
  package static func == (left: FactBlock, right: FactBlock) -> Bool {
    left.facts == right.facts && left.pools == right.pools
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
