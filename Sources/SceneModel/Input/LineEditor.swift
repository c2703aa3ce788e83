import Geometry

/// A line of text being edited, with a caret between two characters.
///
/// Characters are grapheme clusters: a letter is entered, passed and deleted together with its
/// marks.
package struct LineEditor: Equatable, Sendable {
  package private(set) var before: String
  package private(set) var after = ""
  /// Whether the whole line is selected, so that typing replaces it.
  package private(set) var isSelected = false
  /// The lines entered earlier, oldest first.
  private let history: [String]
  /// The index of the displayed history line; the end of the history is the edited line itself.
  private var historyIndex: Int
  /// The edited line, while a history line is displayed.
  private var draft = ""

  /// The maximum length of a line, in bytes: their number is known without counting, also while a
  /// terminal types a whole file.
  private static let longest = 4096

  /// Creates a line with the caret at its end; the up and down arrows recall lines from the
  /// history.
  package init(_ text: String = "", history: [String] = [], isSelected: Bool = false) {
    before = text
    self.isSelected = isSelected && !text.isEmpty
    self.history = history
    historyIndex = history.count
  }

  package init(before: String, after: String) {
    self.init(before)
    self.after = after
    joinAtCaret()
  }

  package var text: String { before + after }

  /// Handles a key.
  ///
  /// - Returns: Whether the key is an editing key.
  package mutating func press(_ key: Key) -> Bool {
    if isSelected {
      switch key {
      case .backspace, .delete, .control("h"), .control("d"), .control("u"), .control("k"),
        .control("w"):
        removeSelection()
        return true
      case .left, .control("b"): (before, after) = ("", text)
      default: break
      }
    }
    switch key {
    case .character(let character): insert(String(character))
    case .left, .control("b"): moveBack()
    case .right, .control("f"): moveForward()
    case .home, .control("a"): (before, after) = ("", text)
    case .end, .control("e"): (before, after) = (text, "")
    case .backspace, .control("h"): if !before.isEmpty { before.removeLast() }
    case .delete, .control("d"): if !after.isEmpty { after.removeFirst() }
    case .control("u"): before = ""
    case .control("k"): after = ""
    case .control("w"): deleteWord()
    case .up, .control("p"): recall(historyIndex - 1)
    case .down, .control("n"): recall(historyIndex + 1)
    default: return false
    }
    isSelected = false
    joinAtCaret()
    return true
  }

  private mutating func removeSelection() {
    guard isSelected else { return }
    (before, after, isSelected) = ("", "", false)
  }

  /// Inserts text at the caret; line breaks and tabs become spaces, and other control characters
  /// are removed.
  package mutating func insert(_ text: String) {
    removeSelection()
    var room = Self.longest - before.utf8.count - after.utf8.count
    let line = text.unicodeScalars.compactMap { scalar -> Character? in
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: " "
      case 0..<0x20, 0x7F..<0xA0: nil
      default: Character(scalar)
      }
    }
    // Append scalar by scalar: a mark combines with the letter before it, even one typed earlier.
    for character in line {
      room -= character.utf8.count
      guard room >= 0 else { break }
      before.append(character)
    }
    joinAtCaret()
  }

  /// Returns a line with another text, the caret at its end, and the same history.
  package func replaced(by text: String) -> LineEditor {
    var line = LineEditor(history: history)
    line.insert(text)
    return line
  }

  package mutating func replaceBefore(with text: String) {
    (before, isSelected) = ("", false)
    insert(text)
  }

  private mutating func moveBack() {
    guard let character = before.popLast() else { return }
    after.insert(character, at: after.startIndex)
  }

  private mutating func moveForward() {
    guard !after.isEmpty else { return }
    before.append(after.removeFirst())
  }

  private mutating func deleteWord() {
    while before.last == " " { before.removeLast() }
    while let last = before.last, last != " " { before.removeLast() }
  }

  private mutating func recall(_ index: Int) {
    guard (0...history.count).contains(index), index != historyIndex else { return }
    if historyIndex == history.count { draft = text }
    historyIndex = index
    (before, after) = (index == history.count ? draft : history[index], "")
  }

  /// Moves the caret after a mark that an edit has combined with a letter.
  private mutating func joinAtCaret() {
    guard !after.isEmpty else { return }
    let text = text
    let caret = before.unicodeScalars.count
    var end = text.startIndex
    var passed = 0
    while passed < caret, end < text.endIndex {
      passed += text[end].unicodeScalars.count
      end = text.index(after: end)
    }
    guard passed != caret else { return }
    (before, after) = (String(text[..<end]), String(text[end...]))
  }
}

extension LineEditor {
  /// The visible part of a line, with the caret on one of its cells.
  package struct Window: Equatable, Sendable {
    package var before: CellText
    /// The character at the caret; a space at the end of the line.
    package var caret: CellText
    package var after: CellText
    package var isSelected = false
  }

  /// Returns the part of the line that is visible in a number of cells, including the caret.
  package func window(width: Int) -> Window {
    var rest = CellText(after).glyphs[...]
    let caret = rest.popFirst() ?? CellText.Glyph(string: " ", width: 1)
    let room = max(width - caret.width, 0)
    let left = CellText(before).glyphs
    // Reserve up to a third of the space for the text after the caret.
    let following = min(rest.reduce(0) { $0 + $1.width }, room / 3)
    let start = CellText(glyphs: left.suffix(fitting: room - following))
    return Window(
      before: start, caret: CellText(glyphs: caret.width <= width ? [caret] : []),
      after: CellText(glyphs: Array(rest).prefix(fitting: room - start.width)),
      isSelected: isSelected)
  }
}

extension [CellText.Glyph] {
  /// Returns the first glyphs that fit in a number of cells.
  fileprivate func prefix(fitting width: Int) -> [CellText.Glyph] {
    var room = width
    return Array(
      prefix {
        room -= $0.width
        return room >= 0
      })
  }

  /// Returns the last glyphs that fit in a number of cells.
  fileprivate func suffix(fitting width: Int) -> [CellText.Glyph] {
    Array(Array(reversed()).prefix(fitting: width).reversed())
  }
}
