import PhotoGridCore

/// The texts of the index (cameras, lenses and profiles), and pools of those in use.
final class IndexTexts {
  private let texts: [Int64: String]
  /// The texts that the facts so far refer to.
  private(set) var pools = TextPools()
  private var (cameras, lenses, profiles) = (TextNumbers(), TextNumbers(), TextNumbers())

  /// Creates the texts of an index, by their IDs.
  init(_ texts: [Int64: String] = [:]) { self.texts = texts }

  /// Returns the same texts with empty pools.
  func copy() -> IndexTexts { IndexTexts(texts) }

  /// Returns a stored row with numbers of texts in `pools` instead of IDs, and without impossible values.
  func facts(_ stored: PackedInfo) -> PackedInfo {
    guard stored.isKnown else {
      var row = PackedInfo()
      row.rating = stored.rating
      row.copyHash(of: stored)
      return row
    }
    var facts = stored
    if facts.takenBits != 0, facts.taken == nil { facts.takenBits = 0 }
    if facts.orientation > 8 { facts.orientation = 0 }
    facts.checkNumbers(Self.number)
    facts.camera = cameras.number(of: facts.camera, in: texts, &pools.camera)
    facts.lens = lenses.number(of: facts.lens, in: texts, &pools.lens)
    facts.profile = profiles.number(of: facts.profile, in: texts, &pools.profile)
    return facts
  }

  /// Returns a number if it is plausible; 0 otherwise.
  private static func number(_ value: Float) -> Float { (0...1e8).contains(value) ? value : 0 }
}

/// The mapping from text IDs in the database to numbers in a pool.
private struct TextNumbers {
  private var numbers: [UInt16: UInt16] = [:]
  /// The last translation; consecutive photos usually have the same camera.
  private var last = (id: UInt16(0), number: TextPool.none)

  /// Returns the number of a text in a pool, to which the text is added if it is new.
  mutating func number(
    of id: UInt16, in texts: [Int64: String], _ pool: inout TextPool
  ) -> UInt16 {
    if id == last.id { return last.number }
    let number =
      numbers[id] ?? pool.number(of: texts[Int64(id)].flatMap { $0.isEmpty ? nil : $0 })
    numbers[id] = number
    last = (id, number)
    return number
  }
}
