/// What one text cell shows.
struct Cell: Equatable {
  var glyph: Glyph
  /// Equal to `background` where the glyph has no ink, so that equal looks are equal cells.
  var foreground: CellColor
  var background: CellColor

  /// A space in the terminal's own colours.
  static let blank = Cell(glyph: .pattern(0), foreground: .standard, background: .standard)

  /// A cell of which nothing is known; no cell that is drawn equals it.
  static let unknown = Cell(glyph: .unknown, foreground: .standard, background: .standard)
}

/// A block pattern, a character of text, or a state of the cell; 64 bits, for quick comparing.
struct Glyph: Equatable {
  let code: UInt64

  /// The pattern of a glyph set, or the step of its ramp.
  static func pattern(_ mask: UInt8) -> Glyph { Glyph(code: UInt64(mask)) }

  /// The part of a cell below a line, or above it, by its index among all of those.
  static func wedge(_ index: Int) -> Glyph { Glyph(code: 256 + UInt64(index)) }

  /// A character with up to two combining marks.
  static func text(_ base: Unicode.Scalar, marks: ArraySlice<Unicode.Scalar> = []) -> Glyph {
    var code = textFlag | UInt64(base.value)
    for (place, mark) in zip([21, 42], marks) { code |= UInt64(mark.value) << UInt64(place) }
    return Glyph(code: code)
  }

  /// The right half of the wide character in the cell before.
  static let continuation = Glyph(code: 1 << 62)

  /// Nothing is known about the cell.
  static let unknown = Glyph(code: 1 << 62 | 1)

  /// The pattern, if it is one.
  var pattern: UInt8? { code < 256 ? UInt8(truncatingIfNeeded: code) : nil }

  /// The index among a set's patterns, by their masks, and the wedges after them; nil for what is
  /// neither.
  var block: Int? { code < 256 + UInt64(Wedge.glyphCount) ? Int(truncatingIfNeeded: code) : nil }

  /// The character and its marks; empty if it is not text.
  var scalars: [Unicode.Scalar] {
    guard code & Self.textFlag != 0 else { return [] }
    return [0, 21, 42].compactMap { place in
      let value = UInt32(truncatingIfNeeded: code >> UInt64(place)) & 0x1F_FFFF
      return value == 0 ? nil : Unicode.Scalar(value)
    }
  }

  private static let textFlag: UInt64 = 1 << 63
}
