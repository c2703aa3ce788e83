import PhotoGridCore

struct GlyphLine: Equatable {
  /// A glyph for each cell; the second cell of a wide character is a continuation.
  private(set) var glyphs: [Glyph] = []

  /// Lays out text from the left, in at most `width` cells; characters that do not fit are dropped.
  ///
  /// With `asciiOnly`, other characters are replaced by similar ones, or by question marks; the
  /// characters before an ellipsis make room for its three dots.
  init(_ text: some StringProtocol, width: Int = .max, asciiOnly: Bool = false) {
    var source = CellText(String(text)).glyphs
    if asciiOnly, let ellipsis = source.lastIndex(where: { $0.string == "…" }) {
      let overflow = source.reduce(2) { $0 + $1.width } - width
      var (first, removed) = (ellipsis, 0)
      while removed < overflow, first > 0 {
        first -= 1
        removed += source[first].width
      }
      source.removeSubrange(first..<ellipsis)
    }
    for glyph in source {
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

  /// Appends spaces up to a width in cells.
  mutating func pad(to width: Int) {
    if glyphs.count < width {
      glyphs += repeatElement(.text(" ", marks: []), count: width - glyphs.count)
    }
  }

  /// Lays out words in up to `height` lines of at most `width` cells; words longer than a line
  /// continue in the next.
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
        // A wide character does not fit into a line of one cell.
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
