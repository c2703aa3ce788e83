/// A word that is looked for with a few slips of the finger allowed: a letter too many, too few or
/// another, or two letters in the wrong order.
struct SimilarWord {
  private let count: Int
  /// By byte: at which places of the word it stands.
  private var masks = [UInt64](repeating: 0, count: 256)
  private let slips: Int

  /// A folded word; nil where it is too short to be told from others, or too long.
  init?(_ word: [UInt8]) {
    guard (4...64).contains(word.count) else { return nil }
    count = word.count
    slips = word.count < 8 ? 1 : 2
    for (place, byte) in word.enumerated() { masks[Int(byte)] |= 1 << UInt64(place) }
  }

  /// Whether a part of a name is the word but for the slips.
  ///
  /// All beginnings of the word are followed at once, one bit for each (Wu and Manber, "Fast text
  /// searching allowing errors", 1992), in a row for each number of slips.
  func occurs(in name: UnsafeBufferPointer<UInt8>) -> Bool {
    // A slip more has one letter of the word left out at the start.
    var rows: (UInt64, UInt64, UInt64) = (0, 1, 3)
    var before: (UInt64, UInt64, UInt64) = (0, 0, 0)
    var last: UInt64 = 0
    let end: UInt64 = 1 << UInt64(count - 1)
    for byte in name {
      let mask = masks[Int(byte)]
      let old = rows
      rows.0 = (old.0 << 1 | 1) & mask
      rows.1 = step(old.1, mask, old.0, rows.0, swapped(before.0, last, mask))
      if slips > 1 { rows.2 = step(old.2, mask, old.1, rows.1, swapped(before.1, last, mask)) }
      if (slips > 1 ? rows.2 : rows.1) & end != 0 { return true }
      (before, last) = (old, mask)
    }
    return false
  }

  /// A row from itself and from the one with a slip less: a letter as it should be, one too many,
  /// another one or one left out, or two in the wrong order.
  private func step(
    _ row: UInt64, _ mask: UInt64, _ old: UInt64, _ new: UInt64, _ swapped: UInt64
  ) -> UInt64 {
    (row << 1 | 1) & mask | old | (old << 1 | 1) | (new << 1 | 1) | swapped
  }

  private func swapped(_ before: UInt64, _ last: UInt64, _ mask: UInt64) -> UInt64 {
    (((before << 1 | 1) & mask) << 1) & last
  }
}
