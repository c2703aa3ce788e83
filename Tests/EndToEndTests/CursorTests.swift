import PseudoTerminal
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

extension ScreenReader {
  private func text(_ columns: Range<Int>) -> String {
    String(columns.map { self[$0, row].glyph })
  }

  fileprivate var atCursor: String { text(min(column, columns)..<columns) }
  fileprivate var beforeCursor: String { text(0..<min(column, columns)) }
}
