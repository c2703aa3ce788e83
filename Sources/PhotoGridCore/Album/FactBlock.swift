/// The facts of many photos, in the order of the photos, with the texts that they refer to by
/// number.
package struct FactBlock: Equatable, Sendable {
  /// The facts of each photo; those of an unknown photo are not `isKnown` and have no rating.
  package private(set) var facts: [PackedFacts]
  /// The texts of the facts.
  package private(set) var pools: TextPools
  /// The number of photos of which something is known.
  package private(set) var knownCount: Int
  /// The texts that appended facts refer to.
  private let source: TextPools
  /// The numbers in `pools` for the texts of `source`.
  private var renumbering = Renumbering()

  /// Creates an empty block.
  ///
  /// - Parameter source: The texts that the facts refer to that are appended.
  package init(copyingFrom source: TextPools = TextPools()) {
    self.init([], TextPools(), copyingFrom: source)
  }

  /// Creates a block of facts and the texts that they refer to.
  package init(_ facts: [PackedFacts], _ pools: TextPools) {
    self.init(facts, pools, copyingFrom: pools)
  }

  private init(_ facts: [PackedFacts], _ pools: TextPools, copyingFrom source: TextPools) {
    self.facts = facts
    self.pools = pools
    self.source = source
    knownCount = facts.count { $0.isKnown || $0.rating != nil }
  }

  /// The size of the facts and texts that were appended, in bytes.
  package private(set) var byteCount = 0

  /// Appends the facts of the next photo; nil if nothing is known of it.
  package mutating func append(_ new: PackedFacts?) {
    byteCount += MemoryLayout<PackedFacts>.stride
    guard var facts = new, facts.isKnown || facts.rating != nil else {
      return self.facts.append(PackedFacts())
    }
    knownCount += 1
    byteCount += renumbering.camera.translate(&facts.camera, from: source.camera, to: &pools.camera)
    byteCount += renumbering.lens.translate(&facts.lens, from: source.lens, to: &pools.lens)
    byteCount += renumbering.profile.translate(
      &facts.profile, from: source.profile, to: &pools.profile)
    self.facts.append(facts)
  }

  /// Whether two blocks have the same facts and texts, wherever they were copied from.
  package static func == (left: FactBlock, right: FactBlock) -> Bool {
    left.facts == right.facts && left.pools == right.pools
  }
}

/// The mapping from text numbers in one set of pools to those in another.
private struct Renumbering: Sendable {
  var camera = TextRenumbering()
  var lens = TextRenumbering()
  var profile = TextRenumbering()
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
