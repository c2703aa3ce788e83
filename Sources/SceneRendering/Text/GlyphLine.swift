import PhotoGridCore

/// A line of text as glyphs in cells.
struct GlyphLine: Equatable {
  /// One glyph a cell; the second cell of a wide character holds a continuation.
  private(set) var glyphs: [Glyph] = []

  /// Lays out text, from the left, in at most `width` cells; what does not fit is left out.
  ///
  /// Characters that are not ASCII are those that stand for them, or question marks, where
  /// `asciiOnly`.
  init(_ text: some StringProtocol, width: Int = .max, asciiOnly: Bool = false) {
    for glyph in CellText(String(text)).glyphs {
      guard width - glyphs.count >= glyph.width else { return }
      let scalars = Array(glyph.string.unicodeScalars)
      guard let base = scalars.first else { continue }
      let isShown = !asciiOnly || base.isASCII
      if !isShown, let substitute = CellText.substitute(for: base) {
        let room = max(width - glyphs.count, 0)
        glyphs += substitute.unicodeScalars.prefix(room).map { .text($0) }
        continue
      }
      glyphs.append(.text(isShown ? base : "?", marks: isShown ? scalars.dropFirst() : []))
      if glyph.width == 2 { glyphs.append(isShown ? .continuation : .text(" ", marks: [])) }
    }
  }

  /// Adds spaces at the end, up to a number of cells.
  mutating func pad(to width: Int) {
    if glyphs.count < width {
      glyphs += repeatElement(.text(" ", marks: []), count: width - glyphs.count)
    }
  }

  /// Lays out words in lines of at most `width` cells, as many as `height`; words longer than a
  /// line go on in the next.
  static func wrapped(
    _ words: String, width: Int, height: Int, asciiOnly: Bool
  ) -> [GlyphLine] {
    guard width > 0, height > 0 else { return [] }
    var lines: [GlyphLine] = []
    var line = GlyphLine("")
    for word in words.split(whereSeparator: \.isWhitespace) {
      var rest = GlyphLine(word, asciiOnly: asciiOnly).glyphs[...]
      let space = line.glyphs.isEmpty ? 0 : 1
      if line.glyphs.count + space + rest.count <= width {
        if space == 1 { line.glyphs.append(.text(" ")) }
        line.glyphs += rest
        continue
      }
      if !line.glyphs.isEmpty { lines.append(line) }
      while rest.count > width {
        var count = width
        if rest[rest.startIndex + count] == .continuation { count -= 1 }
        // A wide character in a line of one cell: nothing of it can be shown.
        guard count > 0 else { return lines }
        lines.append(GlyphLine(glyphs: rest.prefix(count)))
        rest = rest.dropFirst(count)
        if lines.count >= height { return Array(lines.prefix(height)) }
      }
      line = GlyphLine(glyphs: rest)
    }
    if !line.glyphs.isEmpty { lines.append(line) }
    return Array(lines.prefix(height))
  }

  private init(glyphs: ArraySlice<Glyph>) { self.glyphs = Array(glyphs) }
}
