import Geometry

struct Cell: Equatable {
  /// The glyph, which has the foreground color.
  var glyph: Glyph
  /// The color of the glyph; that of the background if the glyph has no ink, so that cells that
  /// look the same are equal.
  var foreground: CellColor
  var background: CellColor

  /// A space in the terminal's default colors.
  static let blank = Cell(glyph: .pattern(0), foreground: .standard, background: .standard)

  /// A cell whose contents are unknown; it equals no cell that is drawn.
  static let unknown = Cell(glyph: .unknown, foreground: .standard, background: .standard)
}

/// A block pattern, a wedge, a character of text, or a state of the cell, as a code of 64 bits.
///
///     0 to 255      pattern, by its mask
///     256 to 299    wedge, by its index
///     bit 62 set    continuation, or unknown
///     bit 63 set    text: three scalars of 21 bits, from the lowest on
struct Glyph: Equatable {
  /// The code, which is quick to compare.
  let code: UInt64

  /// Creates a pattern of a glyph set, or the step of its ramp.
  static func pattern(_ mask: UInt8) -> Glyph { Glyph(code: UInt64(mask)) }

  /// Creates a wedge: the part of a cell below a slanted line, or above it, by its index among all.
  static func wedge(_ index: Int) -> Glyph { Glyph(code: 256 + UInt64(index)) }

  /// Creates a character with up to two combining marks.
  static func text(_ base: Unicode.Scalar, marks: ArraySlice<Unicode.Scalar> = []) -> Glyph {
    var code = textFlag | UInt64(base.value)
    for (index, mark) in zip([21, 42], marks) { code |= UInt64(mark.value) << UInt64(index) }
    return Glyph(code: code)
  }

  /// The right half of a wide character, which is in the cell to the left.
  static let continuation = Glyph(code: 1 << 62)

  /// The state of a cell whose contents are unknown.
  static let unknown = Glyph(code: 1 << 62 | 1)

  /// The mask of the pattern; nil if the glyph is none.
  var pattern: UInt8? { code < 256 ? UInt8(truncatingIfNeeded: code) : nil }

  /// The index among all patterns, by their masks, and then all wedges; nil if the glyph is
  /// neither.
  var block: Int? { code < 256 + UInt64(Wedge.glyphCount) ? Int(truncatingIfNeeded: code) : nil }

  var scalars: [Unicode.Scalar] {
    guard code & Self.textFlag != 0 else { return [] }
    return [0, 21, 42].compactMap { index in
      let value = UInt32(truncatingIfNeeded: code >> UInt64(index)) & 0x1F_FFFF
      return value == 0 ? nil : Unicode.Scalar(value)
    }
  }

  private static let textFlag: UInt64 = 1 << 63
}

/// The text cells on the screen, in the glyphs and colors of the renderer that drew them.
package struct ShownCells {
  fileprivate var glyphs: GlyphSet
  fileprivate var depth: ColorDepth
  fileprivate var size: CellSize
  fileprivate var cells: [Cell]
}

extension CellRenderer {
  package var shownCells: ShownCells? {
    get { ShownCells(glyphs: glyphs, depth: depth, size: shownSize, cells: shown) }
    set {
      invalidate()
      guard let newValue, newValue.glyphs == glyphs, newValue.depth == depth else { return }
      (shownSize, shown) = (newValue.size, newValue.cells)
    }
  }
}
