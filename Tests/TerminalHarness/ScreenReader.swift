/// The screen after a program's output: cells with glyph and colors.
///
/// Supports what this program and similar ones write to xterm-like terminals: cursor movement,
/// erasing, repeating, SGR, the alternate screen, wide and combining characters; strings (OSC, DCS,
/// APC) are skipped, except for pictures where there is a canvas. Bytes may come in any pieces.
package struct ScreenReader: Sendable {
  /// A cell.
  package struct Cell: Equatable, Sendable {
    /// `continuation` in the right half of a wide character.
    package var glyph: Character = " "
    /// The text color as 0xRRGGBB; nil is the terminal's own.
    package var foreground: UInt32?
    /// The background color as 0xRRGGBB; nil is the terminal's own.
    package var background: UInt32?

    /// Creates a cell.
    package init(
      glyph: Character = " ", foreground: UInt32? = nil, background: UInt32? = nil
    ) {
      self.glyph = glyph
      self.foreground = foreground
      self.background = background
    }

    /// The glyph for the right half of a wide character.
    package static let continuation: Character = "\0"
  }

  package private(set) var columns: Int
  package private(set) var rows: Int
  /// The cells, row by row.
  package private(set) var cells: [Cell]
  /// The DEC private modes that are on: at first wrapping (7) and the cursor (25).
  package private(set) var modes: Set<Int> = [7, 25]
  /// The pixels of the screen, for pictures; nil if cells have no pixels.
  package var canvas: PixelCanvas?
  /// The inline images so far; errors are among the canvas's faults.
  package private(set) var inlineImages: [InlineImage] = []
  /// Where the cursor is, whether it is visible or not.
  package private(set) var column = 0
  package private(set) var row = 0
  /// The colors that cells are written in.
  var pen = Cell()
  private var saved = (column: 0, row: 0, pen: Cell())
  private var state = State.ground
  private var parameters: [UInt8] = []
  private var scalar: [UInt8] = []
  private var lastGlyph: Character = " "
  /// The control string so far, if it may be a picture.
  private var string: [UInt8] = []

  private enum State { case ground, escape, control, string, stringEscape, charset }

  /// Creates an empty screen.
  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Cell(), count: columns * rows)
  }

  /// The cell at a column and a row.
  package subscript(column: Int, row: Int) -> Cell { cells[row * columns + column] }

  /// A row's glyphs.
  package func text(ofRow row: Int) -> String {
    String(
      cells[row * columns..<(row + 1) * columns].map(\.glyph).filter { $0 != Cell.continuation })
  }

  /// Changes the screen's size and fills it with question marks.
  ///
  /// Terminals differ in what they keep on the screen then, so a program has to draw all of it.
  package mutating func resize(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Cell(glyph: "?"), count: columns * rows)
    canvas = canvas.map {
      PixelCanvas(
        columns: columns, rows: rows, cellWidth: $0.cellWidth, cellHeight: $0.cellHeight)
    }
    column = min(column, columns - 1)
    row = min(row, rows - 1)
  }

  /// Drops the inline images so far.
  package mutating func forgetInlineImages() { inlineImages = [] }

  /// Parses a program's output.
  package mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { feed(byte) }
  }

  private mutating func feed(_ byte: UInt8) {
    switch state {
    case .ground: ground(byte)
    case .escape: escape(byte)
    case .control:
      if byte < 0x40 || byte > 0x7E {
        parameters.append(byte)
      } else {
        state = .ground
        control(byte)
      }
    case .string:
      if !string.isEmpty { string.append(byte) }
      if byte == 0x1B {
        state = .stringEscape
      } else if byte == 0x07 {
        state = .ground
        draw()
      }
    case .stringEscape:
      if !string.isEmpty { string.append(byte) }
      state = byte == UInt8(ascii: "\\") ? .ground : .string
      if state == .ground { draw() }
    case .charset: state = .ground
    }
  }

  private mutating func ground(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .escape
    case 0x0D: column = 0
    case 0x0A: row = min(row + 1, rows - 1)
    case 0x08: column = max(min(column, columns - 1) - 1, 0)
    case 0x09: column = min((column / 8 + 1) * 8, columns - 1)
    case 0..<0x20: break
    case 0x80...:
      scalar.append(byte)
      let length = scalar[0] >= 0xF0 ? 4 : scalar[0] >= 0xE0 ? 3 : 2
      if scalar.count == length {
        // Input that the terminal echoes need not be UTF-8.
        for character in String(decoding: scalar, as: UTF8.self) { put(character) }
        scalar = []
      }
    default: put(Character(UnicodeScalar(byte)))
    }
  }

  private mutating func put(_ glyph: Character) {
    let width = Self.width(of: glyph)
    guard width > 0 else {
      combine(glyph)
      return
    }
    if column + width > columns {
      column = 0
      row = min(row + 1, rows - 1)
    }
    var cell = pen
    cell.glyph = glyph
    canvas?.clear(columns: column..<column + min(width, columns), row: row)
    for part in 0..<min(width, columns) {
      cells[row * columns + column + part] = cell
      cell.glyph = Cell.continuation
    }
    column += width
    lastGlyph = glyph
  }

  /// Adds a combining mark to the character before the cursor.
  private mutating func combine(_ mark: Character) {
    var index = row * columns + min(column, columns) - 1
    if index > row * columns, cells[index].glyph == Cell.continuation { index -= 1 }
    guard index >= row * columns else { return }
    cells[index].glyph = String([cells[index].glyph, mark]).first ?? mark
  }

  /// The columns of a character: Unicode's wide and full-width blocks take two.
  private static func width(of glyph: Character) -> Int {
    guard let scalar = glyph.unicodeScalars.first, scalar.value >= 0x300 else { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  /// Draws a complete control string, if it is a picture.
  private mutating func draw() {
    defer { string = [] }
    if string.starts(with: [0x1B, UInt8(ascii: "]")]) {
      let end = string.last == 0x07 ? 1 : 2
      do throws(InlineImage.Fault) {
        let image = try InlineImage(string.dropFirst(2).dropLast(end), column: column, row: row)
        if let image { inlineImages.append(image) }
      } catch {
        canvas?.note(fault: error.what)
      }
      return
    }
    guard string.dropFirst(2).drop(while: { $0 < 0x40 }).first == UInt8(ascii: "q") else { return }
    canvas?.draw(sixels: string, column: column, row: row)
  }

  private mutating func escape(_ byte: UInt8) {
    state = .ground
    let isPicture = byte == UInt8(ascii: "P") || byte == UInt8(ascii: "]")
    string = isPicture && canvas != nil ? [0x1B, byte] : []
    switch byte {
    case UInt8(ascii: "["):
      state = .control
      parameters = []
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"): state = .string
    case UInt8(ascii: "("), UInt8(ascii: ")"): state = .charset
    case UInt8(ascii: "7"): saved = (column, row, pen)
    case UInt8(ascii: "8"): (column, row, pen) = saved
    default: break
    }
  }

  private mutating func control(_ final: UInt8) {
    let isPrivate = parameters.first == UInt8(ascii: "?")
    let text = String(decoding: isPrivate ? parameters.dropFirst() : parameters[...], as: UTF8.self)
    let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let first = max(numbers.first ?? 0, 1)
    switch Character(UnicodeScalar(final)) {
    case "h" where isPrivate:
      modes.formUnion(numbers)
      if numbers.contains(1049) { erase(0..<cells.count) }
    case "l" where isPrivate:
      modes.subtract(numbers)
      if numbers.contains(1049) { erase(0..<cells.count) }
    case "H", "f":
      row = min(first, rows) - 1
      column = min(max(numbers.count > 1 ? numbers[1] : 1, 1), columns) - 1
    case "A": row = max(row - first, 0)
    case "B": row = min(row + first, rows - 1)
    case "C": column = min(column + first, columns - 1)
    case "D": column = max(min(column, columns - 1) - first, 0)
    case "G": column = min(first, columns) - 1
    case "d": row = min(first, rows) - 1
    case "b": for _ in 0..<min(first, columns * rows) { put(lastGlyph) }
    case "J": eraseDisplay(numbers.first ?? 0)
    case "K": eraseLine(numbers.first ?? 0)
    case "X": erase(place..<min(place + first, (row + 1) * columns))
    case "m" where !isPrivate: style(numbers)
    default: break
    }
  }

  private var place: Int { row * columns + min(column, columns - 1) }

  private mutating func eraseDisplay(_ mode: Int) {
    switch mode {
    case 0: erase(place..<cells.count)
    case 1: erase(0..<place + 1)
    default: erase(0..<cells.count)
    }
  }

  private mutating func eraseLine(_ mode: Int) {
    let line = row * columns..<(row + 1) * columns
    switch mode {
    case 0: erase(place..<line.upperBound)
    case 1: erase(line.lowerBound..<place + 1)
    default: erase(line)
    }
  }

  private mutating func erase(_ range: Range<Int>) {
    for index in range {
      cells[index] = Cell(background: pen.background)
      canvas?.clear(columns: index % columns..<index % columns + 1, row: index / columns)
    }
  }
}
