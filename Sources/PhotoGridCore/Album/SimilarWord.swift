/// A word that is found in names despite typing errors: an extra, missing or wrong letter, or two
/// adjacent letters swapped.
///
/// A word of less than 8 bytes may have one error, a longer word two.
struct SimilarWord {
  private let count: Int
  /// For each byte value, a mask of its positions in the word.
  private var masks = [UInt64](repeating: 0, count: 256)
  /// The largest number of errors.
  private let slips: Int

  /// Creates a pattern for a folded word; nil unless the word has 4 to 64 bytes.
  ///
  /// A shorter word is similar to too many others, and a longer one does not fit into a mask.
  init?(_ word: [UInt8]) {
    guard (4...64).contains(word.count) else { return nil }
    count = word.count
    slips = word.count < 8 ? 1 : 2
    for (index, byte) in word.enumerated() { masks[Int(byte)] |= 1 << UInt64(index) }
  }

  /// Whether a name contains the word with at most the permitted number of errors.
  ///
  /// All prefixes of the word are matched in parallel, one bit each (Wu and Manber, "Fast text
  /// searching allowing errors", 1992), with a row for each number of errors.
  func occurs(in name: UnsafeBufferPointer<UInt8>) -> Bool {
    // Each further error permits one more letter to be missing at the start.
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

  /// Returns the next state of a row: after a correct, extra, wrong or missing letter, or after two
  /// swapped letters.
  ///
  /// - Parameters:
  ///   - row: The state before this byte of the name.
  ///   - mask: The positions of the byte in the word.
  ///   - old: The state before this byte of the row with one error fewer.
  ///   - new: The state of that row after this byte.
  ///   - swapped: The positions reached by swapping this byte and the last one.
  /// - Returns: The state after this byte.
  private func step(
    _ row: UInt64, _ mask: UInt64, _ old: UInt64, _ new: UInt64, _ swapped: UInt64
  ) -> UInt64 {
    (row << 1 | 1) & mask | old | (old << 1 | 1) | (new << 1 | 1) | swapped
  }

  private func swapped(_ before: UInt64, _ last: UInt64, _ mask: UInt64) -> UInt64 {
    (((before << 1 | 1) & mask) << 1) & last
  }
}
