/// A line of text as glyphs in cells.
struct CellText: Equatable {
  /// One glyph a cell; the second cell of a wide character holds a continuation.
  private(set) var glyphs: [Glyph] = []

  /// Lays out text, from the left, in at most `width` cells; what does not fit is left out.
  ///
  /// Characters that nothing is known about, or that are not ASCII where `asciiOnly`, become
  /// question marks, so that no width is ever a guess. Signs without width other than combining
  /// marks (joiners, variation selectors, direction overrides) are left out: they would make
  /// terminals disagree about the width of their neighbours.
  init(_ text: some StringProtocol, width: Int = .max, asciiOnly: Bool = false) {
    var base: Unicode.Scalar?
    var marks: [Unicode.Scalar] = []
    var cells = 0

    func closeCharacter(in glyphs: inout [Glyph]) {
      guard let base else { return }
      glyphs.append(.text(base, marks: marks.prefix(2)))
      if cells == 2 { glyphs.append(.continuation) }
    }

    for scalar in text.unicodeScalars {
      let columns = asciiOnly && !scalar.isASCII ? nil : scalar.displayWidth
      if columns == 0 {
        if scalar.isCombining { marks.append(scalar) }
        continue
      }
      closeCharacter(in: &glyphs)
      base = nil
      marks = []
      cells = columns ?? 1
      guard width - glyphs.count >= cells else { return }
      base = columns == nil ? "?" : scalar
    }
    closeCharacter(in: &glyphs)
  }

  /// Lays out words in lines of at most `width` cells, as many as `height`; words longer than a
  /// line go on in the next.
  static func wrapped(
    _ words: String, width: Int, height: Int, asciiOnly: Bool
  ) -> [CellText] {
    guard width > 0, height > 0 else { return [] }
    var lines: [CellText] = []
    var line = CellText("")
    for word in words.split(whereSeparator: \.isWhitespace) {
      var rest = CellText(word, asciiOnly: asciiOnly).glyphs[...]
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
        lines.append(CellText(glyphs: rest.prefix(count)))
        rest = rest.dropFirst(count)
        if lines.count >= height { return Array(lines.prefix(height)) }
      }
      line = CellText(glyphs: rest)
    }
    if !line.glyphs.isEmpty { lines.append(line) }
    return Array(lines.prefix(height))
  }

  private init(glyphs: ArraySlice<Glyph>) { self.glyphs = Array(glyphs) }
}
