/// A line of text that is being typed, with its caret between two characters.
///
/// Characters are what a person takes for one: a letter with its marks is entered, passed and
/// deleted as a whole.
package struct LineEditor: Equatable, Sendable {
  /// What stands before the caret.
  package private(set) var before: String
  /// What stands behind it.
  package private(set) var after = ""
  /// What was entered earlier in place of this line, oldest first.
  private let history: [String]
  /// The place in the history that is shown; at its end, the line itself is.
  private var historyPlace: Int
  /// The line itself, while one from the history is shown.
  private var draft = ""

  /// No line is longer, in characters.
  private static let longest = 4096

  /// A line with the caret at its end; arrows up and down bring lines of the history.
  package init(_ text: String = "", history: [String] = []) {
    before = text
    self.history = history
    historyPlace = history.count
  }

  /// A line with the caret between two parts of it, and no history.
  package init(before: String, after: String) {
    self.init(before)
    self.after = after
    joinAtCaret()
  }

  /// The whole line.
  package var text: String { before + after }

  /// Takes a key.
  ///
  /// - Returns: Whether it is one that edits.
  package mutating func press(_ key: Key) -> Bool {
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
    case .up, .control("p"): recall(historyPlace - 1)
    case .down, .control("n"): recall(historyPlace + 1)
    default: return false
    }
    joinAtCaret()
    return true
  }

  /// Puts text in at the caret; line ends become spaces, and what cannot be shown is left out.
  package mutating func insert(_ text: String) {
    let room = Self.longest - before.count - after.count
    let line = text.unicodeScalars.compactMap { scalar -> Character? in
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: " "
      case 0..<0x20, 0x7F..<0xA0: nil
      default: Character(scalar)
      }
    }
    // Scalar by scalar: a mark joins the letter before it, even one that was typed earlier.
    for character in line.prefix(max(room, 0)) { before.append(character) }
    joinAtCaret()
  }

  /// Puts another text before the caret.
  package mutating func replaceBefore(with text: String) {
    before = ""
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

  /// Deletes spaces, then what is not a space.
  private mutating func deleteWord() {
    while before.last == " " { before.removeLast() }
    while let last = before.last, last != " " { before.removeLast() }
  }

  private mutating func recall(_ place: Int) {
    guard (0...history.count).contains(place), place != historyPlace else { return }
    if historyPlace == history.count { draft = text }
    historyPlace = place
    (before, after) = (place == history.count ? draft : history[place], "")
  }

  /// Where an edit brought a letter and its mark together, the caret goes behind them.
  private mutating func joinAtCaret() {
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
  /// The part of a line that is seen, with the caret on a cell of it.
  package struct Window: Equatable, Sendable {
    package var before: CellText
    /// The character that the caret is on; a space behind the end.
    package var caret: CellText
    package var after: CellText
  }

  /// What is seen of the line in so many cells: all of it, or as much as there is room for with the
  /// caret in it.
  package func window(width: Int) -> Window {
    var rest = CellText(after).glyphs[...]
    let caret = rest.popFirst() ?? CellText.Glyph(string: " ", width: 1)
    let room = max(width - caret.width, 0)
    let left = CellText(before).glyphs
    // A third of the room is kept for what follows, if there is so much.
    let following = min(rest.reduce(0) { $0 + $1.width }, room / 3)
    let start = CellText(glyphs: left.suffix(fitting: room - following))
    return Window(
      before: start, caret: CellText(glyphs: caret.width <= width ? [caret] : []),
      after: CellText(glyphs: Array(rest).prefix(fitting: room - start.width)))
  }
}

extension [CellText.Glyph] {
  /// The first ones that together are not wider than some cells.
  fileprivate func prefix(fitting width: Int) -> [CellText.Glyph] {
    var room = width
    return Array(
      prefix {
        room -= $0.width
        return room >= 0
      })
  }

  /// The last ones that together are not wider than some cells.
  fileprivate func suffix(fitting width: Int) -> [CellText.Glyph] {
    Array(Array(reversed()).prefix(fitting: width).reversed())
  }
}
