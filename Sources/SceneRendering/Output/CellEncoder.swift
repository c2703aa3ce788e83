/// Encodes cells as bytes for a terminal, without what the terminal shows or has set already.
struct CellEncoder {
  private let glyphs: GlyphSet
  private let depth: ColorDepth
  /// Whether a pattern may be replaced by its inverse in exchanged colors.
  private let usesInverses: Bool
  private let patterns: [PackedBytes]
  /// ";0" to ";255".
  private let numbers: [PackedBytes]
  /// CSI, the introducer of a control sequence.
  private let escape = PackedBytes("\u{1B}[")
  /// The start of an SGR parameter that sets a color by its channels, or by its index.
  private let selectors: (foreground: PackedBytes, background: PackedBytes)
  /// The colors that are set in the terminal now; nil if they are unknown.
  private var foreground: CellColor?
  private var background: CellColor?
  /// The number of cells written since the frame was started.
  private(set) var cellCount = 0
  /// The position of the terminal's cursor; nil if it is unknown.
  private var cursor: (row: Int, column: Int)?

  init(glyphs: GlyphSet, depth: ColorDepth, usesInverses: Bool = true) {
    self.glyphs = glyphs
    self.depth = depth
    self.usesInverses = usesInverses && glyphs != .ascii
    patterns =
      (0...255).map { mask in
        let scalar =
          glyphs == .ascii && mask < GlyphSet.ramp.count
          ? GlyphSet.ramp[mask] : glyphs.scalar(for: UInt8(mask))
        return PackedBytes(String(Character(scalar ?? " ")))
      } + (0..<Wedge.glyphCount).map { PackedBytes(String(Character(Wedge.scalar($0) ?? " "))) }
    numbers = (0...255).map { PackedBytes(";\($0)") }
    selectors =
      depth == .full
      ? (PackedBytes("38;2"), PackedBytes("48;2")) : (PackedBytes("38;5"), PackedBytes("48;5"))
  }

  /// Returns the most bytes that a row of cells can take.
  ///
  /// A cell is at most a cursor move (14 bytes), an SGR (39) and three scalars (12).
  static func byteLimit(columns: Int) -> Int { columns * 80 + 80 }

  mutating func begin() {
    cursor = nil
    cellCount = 0
    foreground = depth == .none ? .standard : nil
    background = foreground
  }

  /// Starts a row of text, where the terminal is known to have its default colors set.
  mutating func beginLine() {
    cursor = nil
    foreground = .standard
    background = .standard
  }

  /// Ends a frame or a row of text by setting the terminal's default colors.
  mutating func end(to out: inout ByteWriter) {
    if depth != .none {
      out.put(escape)
      out.put(UInt8(ascii: "m"))
    }
    foreground = .standard
    background = .standard
  }

  /// Writes the cells of a row that differ from the cells on the screen, and updates `shown`.
  ///
  /// - Parameters:
  ///   - row: The row, from 0.
  ///   - columns: The columns to write.
  ///   - cells: The new cells of the whole row.
  ///   - shown: The cells on the screen, of all rows.
  ///   - out: The writer for the bytes.
  mutating func encode(
    row: Int, columns: Range<Int>, of cells: [Cell], over shown: inout [Cell],
    to out: inout ByteWriter
  ) {
    let base = row * cells.count
    var column = columns.lowerBound
    while column < columns.upperBound {
      let cell = cells[column]
      let isWide = column + 1 < cells.count && cells[column + 1].glyph == .continuation
      let width = isWide ? 2 : 1
      let isShown =
        shown[base + column] == cell && (!isWide || shown[base + column + 1] == cells[column + 1])
      if !isShown {
        move(toRow: row, column: column, of: cells, from: columns.lowerBound, out: &out)
        encode(cell, to: &out)
        cellCount += 1
        shown[base + column] = cell
        if isWide { shown[base + column + 1] = cells[column + 1] }
        if cursor != nil { cursor?.column += width }
      }
      column += width
    }
  }

  mutating func encode(_ cells: some Sequence<Cell>, to out: inout ByteWriter) {
    for cell in cells where cell.glyph != .continuation { encode(cell, to: &out) }
  }
}

extension CellEncoder {
  /// Moves the cursor, by writing the cells in between again if that is shorter.
  ///
  /// Only cells from the column `start` on may be written: those before it may be others', such as
  /// pixels of a picture, which text removes.
  private mutating func move(
    toRow row: Int, column: Int, of cells: [Cell], from start: Int, out: inout ByteWriter
  ) {
    defer { cursor = (row, column) }
    if let cursor, cursor.row == row, cursor.column <= column {
      let gap = column - cursor.column
      guard gap > 0 else { return }
      if gap <= 4, cursor.column >= start,
        let patterns = patternsWithoutColors(cells[cursor.column..<column])
      {
        for pattern in patterns { out.put(pattern) }
        return
      }
      out.put(escape)
      if gap > 1 { out.put(decimal: gap) }
      out.put(UInt8(ascii: "C"))
      return
    }
    out.put(escape)
    out.put(decimal: row + 1)
    if column > 0 {
      out.put(UInt8(ascii: ";"))
      out.put(decimal: column + 1)
    }
    out.put(UInt8(ascii: "H"))
  }

  private mutating func encode(_ cell: Cell, to out: inout ByteWriter) {
    guard let block = cell.glyph.block else {
      setColors(cell.foreground, cell.background, to: &out)
      encode(cell.glyph.scalars, to: &out)
      return
    }
    let background = cell.background
    if block == 0 {
      // Never a full block, even where its color is set already: fonts whose block does not reach
      // the cell's edges (DejaVu in xterm) let the background shine through as a grid of lines.
      setColors(nil, background, to: &out)
      out.put(patterns[0])
      return
    }
    // The inverse pattern in exchanged colors looks the same, unless the background is the
    // terminal's default, which cannot be a foreground.
    let changes = (foreground == cell.foreground ? 0 : 1) + (self.background == background ? 0 : 1)
    let inverseChanges =
      (foreground == background ? 0 : 1) + (self.background == cell.foreground ? 0 : 1)
    if inverseChanges < changes, background != .standard, usesInverses {
      setColors(background, cell.foreground, to: &out)
      out.put(patterns[inverse(of: block)])
    } else {
      setColors(cell.foreground, background, to: &out)
      out.put(patterns[block])
    }
  }

  /// Returns the block that shows the foreground exactly where another block does not.
  private func inverse(of block: Int) -> Int {
    block < 256 ? ~block & Int(glyphs.fullMask) : 256 + Wedge.inverse(of: block - 256)
  }

  /// Writes a character; the cursor's position is unknown afterwards unless the character is ASCII,
  /// because terminals disagree about widths.
  private mutating func encode(_ scalars: [Unicode.Scalar], to out: inout ByteWriter) {
    for scalar in scalars {
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { out.put(byte) }
      if !scalar.isASCII { cursor = nil }
    }
  }

  /// Returns the bytes of cells that need no change of colors, if they are shorter than a move.
  private func patternsWithoutColors(_ cells: ArraySlice<Cell>) -> [PackedBytes]? {
    // Few cells have the current colors: checking the first one avoids most allocations.
    guard let first = cells.first, hasPresentColors(first) else { return nil }
    let found = cells.compactMap { cell in
      hasPresentColors(cell) ? cell.glyph.block.map { patterns[$0] } : nil
    }
    let limit = cells.count == 1 ? 3 : 4
    guard found.count == cells.count, found.reduce(0, { $0 + $1.count }) <= limit else {
      return nil
    }
    return found
  }

  private func hasPresentColors(_ cell: Cell) -> Bool {
    cell.background == background
      && (cell.glyph == .pattern(0) || cell.foreground == foreground)
  }
}

extension CellEncoder {
  /// Sets the terminal's colors, where they differ; nil leaves the foreground as it is.
  private mutating func setColors(
    _ foreground: CellColor?, _ background: CellColor, to out: inout ByteWriter
  ) {
    let setsForeground = foreground != nil && self.foreground != foreground
    guard setsForeground || self.background != background else { return }
    out.put(escape)
    if self.background == nil {
      // Reset first: an attribute that another writer has left on, such as bold, would change
      // colors.
      out.put(UInt8(ascii: "0"))
      if let foreground, foreground != .standard {
        out.put(UInt8(ascii: ";"))
        put(foreground, isBackground: false, to: &out)
      }
      if background != .standard {
        out.put(UInt8(ascii: ";"))
        put(background, isBackground: true, to: &out)
      }
      self.foreground = foreground ?? .standard
    } else {
      if let foreground, setsForeground {
        put(foreground, isBackground: false, to: &out)
        self.foreground = foreground
      }
      if self.background != background {
        if setsForeground { out.put(UInt8(ascii: ";")) }
        put(background, isBackground: true, to: &out)
      }
    }
    self.background = background
    out.put(UInt8(ascii: "m"))
  }

  /// Writes the parameters of an SGR for one color.
  private func put(_ color: CellColor, isBackground: Bool, to out: inout ByteWriter) {
    let selector = isBackground ? selectors.background : selectors.foreground
    guard color != .standard else { return out.put(decimal: isBackground ? 49 : 39) }
    switch depth {
    case .none: break
    case .palette16:
      let index = Int(color.code)
      out.put(decimal: (index < 8 ? 30 + index : 82 + index) + (isBackground ? 10 : 0))
    case .palette256:
      out.put(selector)
      out.put(numbers[Int(color.code & 255)])
    case .full:
      out.put(selector)
      out.put(numbers[Int(color.code >> 16 & 255)])
      out.put(numbers[Int(color.code >> 8 & 255)])
      out.put(numbers[Int(color.code & 255)])
    }
  }
}
