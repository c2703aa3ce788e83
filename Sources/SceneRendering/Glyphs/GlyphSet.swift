import Geometry

/// The block glyphs that a picture may be drawn with.
///
/// A set divides a cell into samples, in rows from the top and in each row from the left. A pattern
/// is identified by a mask: bit n is set if sample n shows the foreground. The finest sets have
/// eight samples, so a mask is a byte. The samples of a cell are numbered like this:
///
///     half    quadrant    octant    sextant (rows of 2, 1, 1 and 2 sixths)
///      0        0 1        0 1        0 1
///      1        2 3        2 3        2 3
///                          4 5        4 5
///                          6 7        6 7
package enum GlyphSet: String, CaseIterable, Sendable {
  /// Upper and lower half: 1 by 2.
  case half
  /// Quarters and halves: 2 by 2.
  case quadrant
  /// Sixths, 2 by 3, and quarters, which keep the edges of tiles exact.
  case sextant
  /// Eighths, quarters and halves: 2 by 4.
  case octant
  /// Spaces with background colors; without colors, characters from light to dense.
  case ascii

  /// The number of samples side by side in a cell, all of the same width.
  package var sampleColumns: Int {
    switch self {
    case .half, .ascii: 1
    case .quadrant, .sextant, .octant: 2
    }
  }

  /// The heights of the sample rows of a cell, in units that add up to the cell's height.
  ///
  /// Sextants have their middle third cut in two, because tiles and quarters end at half cells.
  package var sampleHeights: [Int] {
    switch self {
    case .ascii: [1]
    case .half, .quadrant: [1, 1]
    case .sextant: [2, 1, 1, 2]
    case .octant: [1, 1, 1, 1]
    }
  }

  /// The number of samples in a cell.
  package var sampleCount: Int { sampleColumns * sampleHeights.count }

  /// The mask in which every sample shows the foreground.
  package var fullMask: UInt8 { UInt8((1 << sampleCount) - 1) }

  /// The mask of the samples at a cell's upper edge.
  var firstRow: UInt8 { UInt8((1 << sampleColumns) - 1) }

  /// The mask of the samples at a cell's lower edge.
  var lastRow: UInt8 { firstRow << UInt8(sampleCount - sampleColumns) }

  /// Returns the glyph that shows the foreground in exactly the mask's samples; nil if the set has
  /// none.
  package func scalar(for mask: UInt8) -> Unicode.Scalar? {
    guard mask <= fullMask else { return nil }
    switch self {
    case .ascii: return mask == 0 ? " " : nil
    case .half: return Self.quadrants[Int(mask & 1) * 0b0011 + Int(mask >> 1) * 0b1100]
    case .quadrant: return Self.quadrants[Int(mask)]
    case .sextant: return Self.sextant(for: mask)
    case .octant: return Self.octant(for: mask)
    }
  }

  func canDraw(_ mask: UInt8) -> Bool { scalar(for: mask) != nil }

  /// Characters from no ink to the most ink, for cells that have neither colors nor blocks.
  package static let ramp: [Unicode.Scalar] = [" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"]
}

extension GlyphSet {
  /// The patterns to try besides a cell of one color, each without its inverse.
  ///
  /// From each pattern to the next, samples either only join or only leave.
  var trials: [Trial] {
    let blocks = self.blocks.dropFirst()
    var trials: [Trial] = []
    var mask: UInt8 = 0
    // Gray code: the lowest set bit of the counter gives the block that changes.
    for count in 1..<max(1 << blocks.count, 1) {
      let block = blocks[blocks.startIndex + count.trailingZeroBitCount]
      mask ^= block
      trials.append(Trial(mask: mask, toggled: block))
    }
    guard self == .sextant else { return trials }
    // Halves and quarters do not consist of sixths. The lower half contains the last pattern of the
    // Gray code.
    for next: UInt8 in [
      0b1111_0000, 0b1111_1010, 0b0000_1010, 0b0101_1010, 0b0101_1111, 0b0101_0000,
    ] {
      trials.append(Trial(mask: next, toggled: mask ^ next))
      mask = next
    }
    return trials
  }

  /// A pattern to try, and its difference from the previous one.
  struct Trial: Equatable {
    /// The samples of the pattern.
    let mask: UInt8
    /// The samples that all joined, or all left, since the previous pattern.
    let toggled: UInt8
  }

  /// The smallest parts of a cell that the set can show separately, as masks.
  var blocks: [UInt8] {
    switch self {
    case .ascii: [0b1]
    case .half, .quadrant, .octant: (0..<sampleCount).map { 1 << UInt8($0) }
    case .sextant: [0b1, 0b10, 0b1_0100, 0b10_1000, 0b100_0000, 0b1000_0000]
    }
  }

  /// Characters of U+2580 to U+259F, by the bits upper left, upper right, lower left, lower right.
  private static let quadrants: [Unicode.Scalar] = [
    " ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█",
  ]

  /// Returns the character of a pattern of sixths, or of the quarters and halves that equal it.
  ///
  /// Unicode 13, "Symbols for Legacy Computing", adds no characters for patterns that older
  /// characters show.
  private static func sextant(for mask: UInt8) -> Unicode.Scalar? {
    let (upper, lower) = (mask & 0b1111, mask >> 4)
    if upper & 0b11 == upper >> 2, lower & 0b11 == lower >> 2 {
      return quadrants[Int(upper & 0b11 | (lower & 0b11) << 2)]
    }
    guard (mask >> 2) & 0b11 == (mask >> 4) & 0b11 else { return nil }
    let bits = UInt32(mask & 0b1111) | UInt32(mask >> 6) << 4
    return Unicode.Scalar(0x1FB00 + bits - 1 - (bits > 21 ? 1 : 0) - (bits > 42 ? 1 : 0))
  }

  /// Returns the character of a pattern of eighths.
  ///
  /// Unicode 16, "Symbols for Legacy Computing Supplement", adds no characters for patterns that
  /// older characters show; the codes of the others follow each other in the order of their masks.
  private static func octant(for mask: UInt8) -> Unicode.Scalar? {
    var older: UInt32 = 0
    for (pattern, scalar) in olderOctants {
      if pattern == mask { return scalar }
      if pattern < mask { older += 1 }
    }
    return Unicode.Scalar(0x1CD00 + UInt32(mask) - older)
  }

  /// The patterns that older characters show, by mask.
  private static let olderOctants: [(UInt8, Unicode.Scalar)] = [
    (0x00, " "), (0x01, "\u{1CEA8}"), (0x02, "\u{1CEAB}"), (0x03, "\u{1FB82}"), (0x05, "▘"),
    (0x0A, "▝"), (0x0F, "▀"), (0x14, "\u{1FBE6}"), (0x28, "\u{1FBE7}"), (0x3F, "\u{1FB85}"),
    (0x40, "\u{1CEA3}"), (0x50, "▖"), (0x55, "▌"), (0x5A, "▞"), (0x5F, "▛"),
    (0x80, "\u{1CEA0}"), (0xA0, "▗"), (0xA5, "▚"), (0xAA, "▐"), (0xAF, "▜"),
    (0xC0, "▂"), (0xF0, "▄"), (0xF5, "▙"), (0xFA, "▟"), (0xFC, "▆"), (0xFF, "█"),
  ]
}
