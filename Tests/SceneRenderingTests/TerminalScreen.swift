import Photos
import SceneRendering

/// A terminal that implements what the renderer may send, and throws on anything else.
struct TerminalScreen: Equatable {
  enum Color: Hashable {
    case standard
    case rgb(RGB)
    case index(Int)
  }

  struct Cell: Equatable {
    var text = "?"
    var foreground = Color.standard
    var background = Color.standard

    /// The cell's appearance: a space has no foreground, and an inverse glyph with swapped colors
    /// looks the same.
    var look: Cell {
      if text == " " { return Cell(text: " ", background: background) }
      if text == "█" { return Cell(text: " ", background: foreground) }
      guard let inverse = Self.inverses[text], inverse < text, background != .standard else {
        return self
      }
      return Cell(text: inverse, foreground: background, background: foreground)
    }

    private static let inverses: [String: String] = {
      var inverses: [String: String] = [:]
      for glyphs in GlyphSet.blockSets {
        for mask in 0...glyphs.fullMask {
          guard let scalar = glyphs.scalar(for: mask),
            let inverse = glyphs.scalar(for: ~mask & glyphs.fullMask)
          else { continue }
          inverses[String(Character(scalar))] = String(Character(inverse))
        }
      }
      return inverses
    }()
  }

  struct Unexpected: Error {
    let what: String
  }

  let columns: Int
  let rows: Int
  /// Row by row; a cell that was never written is a question mark, the right half of a wide
  /// character is empty.
  private(set) var cells: [Cell]
  /// The number of cells written so far.
  private(set) var writes = 0
  private(set) var row = 0
  private(set) var column = 0
  private(set) var pen = Cell(text: " ")

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Cell(), count: columns * rows)
  }

  subscript(column: Int, row: Int) -> Cell { cells[row * columns + column] }

  /// The appearance of all cells, for comparing screens that were drawn in different ways.
  var looks: [Cell] { cells.map(\.look) }

  static func == (left: TerminalScreen, right: TerminalScreen) -> Bool {
    left.columns == right.columns && left.looks == right.looks
  }

  mutating func apply(_ bytes: [UInt8]) throws {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Unexpected(what: "bytes that are not UTF-8")
    }
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\u{1B}": try control(&scalars)
      case "\n": (row, column) = (row + 1, 0)
      case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
        throw Unexpected(what: "control \(scalar.value)")
      default: try print(scalar)
      }
    }
  }

  private mutating func control(_ scalars: inout Substring.UnicodeScalarView) throws {
    guard scalars.popFirst() == "[" else { throw Unexpected(what: "an escape that is no CSI") }
    let digits = scalars.prefix { $0.value < 0x40 }
    scalars = scalars.dropFirst(digits.count)
    let parameters = try String(digits).split(separator: ";", omittingEmptySubsequences: false)
      .map { part in
        guard part.isEmpty || Int(part) != nil else { throw Unexpected(what: "CSI \(digits)") }
        return Int(part) ?? 0
      }
    switch scalars.popFirst() {
    case "m": try select(parameters[...])
    case "H":
      row = max(parameters[0], 1) - 1
      column = parameters.count > 1 ? max(parameters[1], 1) - 1 : 0
    case "C": column += max(parameters[0], 1)
    case let other: throw Unexpected(what: "CSI \(digits) \(other.map(String.init) ?? "end")")
    }
  }

  private mutating func select(_ codes: ArraySlice<Int>) throws {
    var codes = codes
    while let code = codes.popFirst() {
      switch code {
      case 0: pen = Cell(text: " ")
      case 30...37: pen.foreground = .index(code - 30)
      case 90...97: pen.foreground = .index(code - 82)
      case 40...47: pen.background = .index(code - 40)
      case 100...107: pen.background = .index(code - 92)
      case 39: pen.foreground = .standard
      case 49: pen.background = .standard
      case 38: pen.foreground = try extendedColor(&codes)
      case 48: pen.background = try extendedColor(&codes)
      default: throw Unexpected(what: "SGR \(code)")
      }
    }
  }

  private func extendedColor(_ codes: inout ArraySlice<Int>) throws -> Color {
    let kind = codes.popFirst()
    let channels = codes.prefix(kind == 2 ? 3 : 1)
    codes = codes.dropFirst(channels.count)
    guard channels.allSatisfy({ (0...255).contains($0) }) else {
      throw Unexpected(what: "colour \(channels)")
    }
    let bytes = channels.map { UInt8($0) }
    switch (kind, bytes.count) {
    case (2, 3): return .rgb(RGB(bytes[0], bytes[1], bytes[2]))
    case (5, 1): return .index(Int(bytes[0]))
    default: throw Unexpected(what: "colour of kind \(kind ?? -1)")
    }
  }

  private mutating func print(_ scalar: Unicode.Scalar) throws {
    if scalar.properties.generalCategory == .nonspacingMark {
      cells[row * columns + column - 1].text.unicodeScalars.append(scalar)
      return
    }
    // Enough for the tests: kana and the unified ideographs.
    let width = (0x3041...0x9FFF).contains(scalar.value) ? 2 : 1
    guard row < rows, column + width <= columns else {
      throw Unexpected(what: "\(scalar) at column \(column), row \(row)")
    }
    for half in 0..<width {
      var cell = pen
      cell.text = half == 0 ? String(Character(scalar)) : ""
      cells[row * columns + column + half] = cell
    }
    writes += 1
    column += width
  }
}

extension TerminalScreen {
  /// The colors of the samples of a cell, in the set's order.
  func samples(_ column: Int, _ row: Int, of glyphs: GlyphSet) throws -> [Color] {
    let cell = self[column, row]
    for mask in 0...glyphs.fullMask {
      guard let scalar = glyphs.scalar(for: mask), String(Character(scalar)) == cell.text else {
        continue
      }
      return (0..<glyphs.sampleCount).map {
        mask & 1 << UInt8($0) != 0 ? cell.foreground : cell.background
      }
    }
    throw Unexpected(what: "\(cell.text) is not in \(glyphs.rawValue)")
  }
}
