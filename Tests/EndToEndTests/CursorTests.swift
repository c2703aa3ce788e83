import PseudoTerminal
import TestSupport
import Testing

/// The cursor, which braille displays and screen readers follow though it is not visible.
@Suite(.waiting) struct CursorTests {
  @Test(arguments: [TerminalModel.modest, .kitty, .xterm])
  func `it stands on the text of what is selected`(model: TerminalModel) throws {
    let folder = try PhotoFolder(count: 12)
    let window = try Window(
      [PhotoGrid.path, "--motion", "none", folder.path], model: model, folder: folder)
    func expect(_ text: String, inBar: Bool, after keys: String) throws {
      window.type(keys)
      try window.wait(for: "the cursor on '\(text)' after '\(keys)'") { screen in
        screen.atCursor.hasPrefix(text) && (screen.row == screen.rows - 1) == inBar
      }
    }
    try expect("00.png", inBar: true, after: "")
    try expect("01.png", inBar: true, after: "l")
    try expect("01.png", inBar: false, after: "t")
    for number in 2..<9 { try expect("0\(number).png", inBar: false, after: "l") }
    try expect("07.png", inBar: false, after: "h")
    // The line of a list, and the place where the next letter goes.
    try expect("○ Sort by name", inBar: false, after: ":sort by name")
    try expect("07.png", inBar: false, after: "\u{1B}")
    window.type("f0")
    try window.wait(for: "the cursor after what is typed") {
      $0.row == $0.rows - 1 && $0.beforeCursor.hasSuffix("filter: 0")
    }
    try expect("07.png", inBar: false, after: "\u{1B}")
    try expect("07.png", inBar: true, after: "\r")
    try expect("08.png", inBar: true, after: "l")
    try expect("08.png", inBar: false, after: "\u{1B}")
    try window.quit()
  }
}

/// The cursor after random keys, on screens that one key opens and Esc closes.
@Suite(.waiting) struct CursorRandomTests {
  private enum View { case grid, photo, comparison, palette, help, filter }

  private struct Keys {
    private(set) var views = [View.grid]
    /// What is typed before the caret of the palette or the prompt, and behind it.
    private(set) var (before, behind) = ("", "")
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    var view: View { views.last ?? .grid }

    mutating func next() -> String {
      let escape = "\u{1B}"
      let (left, up, down) = ("\u{1B}[D", "\u{1B}[A", "\u{1B}[B")
      let lists: [String: View] = [":": .palette, "?": .help]
      let ways = lists.merging(["\r": .photo, "=": .comparison, "f": .filter]) { $1 }
      let keys =
        switch view {
        case .grid: ["h", "l", "j", "k", "G"] + ways.keys.sorted()
        case .photo: ["h", "l", escape] + lists.keys.sorted()
        case .comparison: ["h", "l", escape]
        case .palette: ["s", "o", "r", up, down, down, escape]
        case .help: ["h", "l", escape]
        case .filter: ["0", "1", "p", left, escape]
        }
      let key = keys.randomElement(using: &random) ?? escape
      switch view {
      case _ where key == escape:
        views.removeLast()
        (before, behind) = ("", "")
      case .palette where key.count == 1: before += key
      case .filter where key == left:
        behind = before.suffix(1) + behind; before = String(before.dropLast())
      case .filter: before += key
      case .grid, .photo: if let way = ways[key] { views.append(way) }
      default: break
      }
      return key
    }

    /// Whether the cursor is on the text of what is selected.
    func isRight(_ screen: ScreenReader) -> Bool {
      let isInBar = screen.row == screen.rows - 1
      switch view {
      case .grid:
        let place = screen.bar.split(separator: " ").last { $0.hasSuffix("/12") }
        guard let number = place.flatMap({ Int($0.dropLast(3)) }) else { return false }
        return !isInBar && screen.atCursor.hasPrefix("\(number < 11 ? "0" : "")\(number - 1).png")
      case .photo, .comparison: return isInBar && screen.column == 1 && screen.atCursor.first != " "
      case .palette where screen.shows("No command matches"), .filter:
        return isInBar
          && screen.beforeCursor.hasSuffix((view == .filter ? "filter: " : ":") + before)
      case .palette, .help: return !isInBar && screen.isStartOfSelection
      }
    }
  }

  @Test(arguments: [TerminalModel.modest, .kitty, .xterm])
  func `it stands on the text of what is selected after each of 200 keys`(
    model: TerminalModel
  ) throws {
    let folder = try PhotoFolder(count: 12)
    let window = try Window(
      [PhotoGrid.path, "--motion", "none", "--labels", folder.path], model: model, folder: folder)
    var keys = Keys(seed: 54)
    try window.wait(for: "the first name") { keys.isRight($0) }
    for number in 1...200 {
      let key = keys.next()
      window.type(key)
      try window.waitUntilQuiet(seconds: 0.1)
      try window.wait(for: "the cursor after key \(number), \(key.debugDescription)") {
        keys.isRight($0)
      }
    }
    while keys.view != .grid { window.type(keys.next()) }
    try window.quit()
  }
}

extension ScreenReader {
  /// Whether the cursor is on the first cell in the colors of what is selected in a box.
  fileprivate var isStartOfSelection: Bool {
    guard column > 0, column < columns else { return false }
    let (cell, left) = (self[column, row], self[column - 1, row])
    return cell.background != nil && cell.background != left.background
      && beforeCursor.contains("│")
  }

  private func text(_ columns: Range<Int>) -> String {
    String(columns.map { self[$0, row].glyph })
  }

  fileprivate var atCursor: String { text(min(column, columns)..<columns) }
  fileprivate var beforeCursor: String { text(0..<min(column, columns)) }
}
