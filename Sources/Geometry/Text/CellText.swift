import CLinux

/// Text measured in terminal cells by the locale's `wcwidth`, as in ncurses.
///
/// Characters that only join, reorder or restyle others are omitted, because terminals disagree
/// about the width of the result. Characters that the locale cannot display are replaced by similar
/// ASCII characters, or by question marks.
package struct CellText: Equatable, Sendable {
  /// The text to draw, without control characters.
  package private(set) var string = ""
  /// The width, in cells.
  package private(set) var width = 0

  /// The text to draw, character by character.
  package private(set) var glyphs: [Glyph] = []

  /// A character with its combining marks, one or two cells wide.
  package struct Glyph: Equatable, Sendable {
    /// The character, without marks beyond the fourth.
    package var string: String
    package var width: Int

    package init(string: String, width: Int) {
      self.string = string
      self.width = width
    }
  }

  package init(_ text: String) { append(text.lazy.flatMap(Self.glyphs(of:))) }

  package init(glyphs: some Sequence<Glyph>) { append(glyphs) }

  /// Returns the text truncated in the middle with an ellipsis if it is wider than a number of
  /// cells.
  package func truncatedMiddle(to limit: Int) -> CellText {
    guard width > limit else { return self }
    let ellipsis = Self.ellipsis(in: limit)
    let room = limit - ellipsis.count
    guard room >= 0, limit > 0 else { return CellText("") }
    // An odd cell goes to the end, where file names differ from their neighbors.
    let start = prefix(room / 2)
    var cut = start
    cut.append(ellipsis)
    cut.append(suffix(room - start.width))
    return cut
  }

  /// Returns the text truncated at the end with an ellipsis if it is wider than a number of cells.
  package func truncatedTail(to limit: Int) -> CellText {
    guard width > limit else { return self }
    let ellipsis = Self.ellipsis(in: limit)
    let room = limit - ellipsis.count
    guard room >= 0, limit > 0 else { return CellText("") }
    var cut = prefix(room)
    cut.append(ellipsis)
    return cut
  }

  /// Returns the text cut or filled with spaces to a width, in cells.
  package func padded(to width: Int) -> String {
    let cut = truncatedTail(to: width)
    return cut.string + String(repeating: " ", count: max(width - cut.width, 0))
  }

  /// Returns the part of the text in a range of cells, without characters that are only partly in
  /// it.
  package func cut(to columns: Range<Int>) -> CellText {
    var column = 0
    return CellText(
      glyphs: glyphs.filter { glyph in
        defer { column += glyph.width }
        return column >= columns.lowerBound && column + glyph.width <= columns.upperBound
      })
  }

  /// Returns the text truncated at the beginning with an ellipsis if it is wider than a number of
  /// cells.
  package func truncatedHead(to limit: Int) -> CellText {
    guard width > limit else { return self }
    let ellipsis = Self.ellipsis(in: limit)
    guard limit >= ellipsis.count, limit > 0 else { return CellText("") }
    var cut = CellText(glyphs: ellipsis)
    cut.append(suffix(limit - ellipsis.count))
    return cut
  }

  /// Joins words into lines, as many in each as fit in a number of cells; a word that is too wide by
  /// itself is shortened.
  package static func wrapped(_ words: [String], to width: Int, separator: String) -> [String] {
    var lines: [String] = []
    for word in words {
      if let last = lines.last, CellText(last + separator + word).width <= width {
        lines[lines.count - 1] = last + separator + word
      } else {
        lines.append(CellText(word).truncatedMiddle(to: width).string)
      }
    }
    return lines
  }

  /// Whether the locale can display a character in one cell.
  package static func isShown(_ scalar: Unicode.Scalar) -> Bool { width(of: scalar) == 1 }

  private mutating func append(_ more: some Sequence<Glyph>) {
    for glyph in more where glyph.width > 0 {
      glyphs.append(glyph)
      string += glyph.string
      width += glyph.width
    }
  }

  private func prefix(_ limit: Int) -> CellText {
    var text = CellText("")
    for glyph in glyphs {
      guard text.width + glyph.width <= limit else { break }
      text.append([glyph])
    }
    return text
  }

  private func suffix(_ limit: Int) -> [Glyph] {
    var kept: [Glyph] = []
    var room = limit
    for glyph in glyphs.reversed() {
      guard glyph.width <= room else { break }
      room -= glyph.width
      kept.append(glyph)
    }
    return kept.reversed()
  }

  /// Returns the ellipsis: one cell, or three dots if only ASCII can be displayed and there is
  /// room.
  private static func ellipsis(in limit: Int) -> [Glyph] {
    if isShown("…") { return [Glyph(string: "…", width: 1)] }
    return Array(repeating: Glyph(string: ".", width: 1), count: limit < 8 ? 1 : 3)
  }

  /// Returns the ASCII characters that replace a character the locale cannot display; nil if there
  /// are none.
  package static func substitute(for scalar: Unicode.Scalar) -> String? { substitutes[scalar] }

  private static let substitutes: [Unicode.Scalar: String] = [
    "×": "x", "·": "|", "…": "...", "–": "-", "—": "-", "←": "<", "→": ">", "↑": "^", "↓": "v",
    "“": "\"", "”": "\"", "‘": "'", "’": "'", "•": "*", "★": "*", "✕": "x", "●": "o",
    "━": "=", "─": "-",
  ]

  private static func glyphs(of character: Character) -> [Glyph] {
    let glyph = glyph(of: character)
    guard glyph.string == "?", let scalar = character.unicodeScalars.first,
      let substitute = substitutes[scalar]
    else { return [glyph] }
    return substitute.map { Glyph(string: String($0), width: 1) }
  }

  private static func glyph(of character: Character) -> Glyph {
    var glyph = Glyph(string: "", width: 0)
    var markCount = 0
    for scalar in character.unicodeScalars where !isIgnorable(scalar) {
      let width = width(of: scalar)
      guard width >= 0 else { return Glyph(string: "?", width: 1) }
      if width == 0 {
        // ncurses keeps a base and four marks in a cell.
        markCount += 1
        guard markCount <= 4 else { continue }
      }
      glyph.string.unicodeScalars.append(scalar)
      glyph.width += width
    }
    return glyph
  }

  /// Returns the width of a scalar in cells: 0 for marks, negative if the locale cannot display it.
  private static func width(of scalar: Unicode.Scalar) -> Int {
    Int(wcwidth(wchar_t(bitPattern: scalar.value)))
  }

  private static func isIgnorable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x80: false
    // Variation selectors and skin tones.
    case 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF, 0xE0100...0xE01EF: true
    default: scalar.properties.generalCategory == .format
    }
  }
}
