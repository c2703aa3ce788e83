import TestSupport
import Testing

@testable import PhotoGridCore
@testable import SceneModel

@Suite struct LineEditorTests {
  init() { UTF8Locale.use() }

  /// Returns a line after some keys were pressed, with its caret as `|`.
  ///
  /// Keys are characters, which stand for themselves, and `<left>`, `<Ctrl-a>` and so on for the
  /// others.
  private static func edited(_ start: String, _ keys: String, history: [String] = []) -> String {
    let parts = Self.parts(start)
    var editor = LineEditor(parts[0] + parts[1], history: history)
    for _ in parts[1] { _ = editor.press(.left) }
    for key in Self.keys(keys) {
      let isEdit = editor.press(key)
      #expect(isEdit, "\(key)")
    }
    #expect(editor.text == editor.before + editor.after)
    return editor.before + "|" + editor.after
  }

  /// The text before the caret and the text after it.
  private static func parts(_ line: String) -> [String] {
    line.unicodeScalars.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
  }

  private static func keys(_ text: String) -> [Key] {
    var keys: [Key] = []
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "<" else {
        keys.append(.character(Character(scalar)))
        continue
      }
      let name = String(String.UnicodeScalarView(rest.prefix { $0 != ">" }))
      rest = rest.dropFirst(name.unicodeScalars.count + 1)
      switch name {
      case "left": keys.append(.left)
      case "right": keys.append(.right)
      case "home": keys.append(.home)
      case "end": keys.append(.end)
      case "up": keys.append(.up)
      case "down": keys.append(.down)
      case "back": keys.append(.backspace)
      case "del": keys.append(.delete)
      default: keys.append(.control(name.last ?? " "))
      }
    }
    return keys
  }

  @Test func `typing replaces a selected line, and the arrows keep it`() {
    func line() -> LineEditor { LineEditor("{n}", history: ["{n}"], isSelected: true) }
    for (keys, text) in [
      ([.character("x"), .character("y")], "xy"), ([.left, .character("x")], "x{n}"),
      ([.home, .character("x")], "x{n}"), ([.right, .character("x")], "{n}x"),
      ([.end, .character("x")], "{n}x"), ([.backspace], ""), ([.control("u")], ""),
      ([.delete, .character("x")], "x"),
    ] as [([Key], String)] {
      var line = line()
      #expect(line.isSelected && line.window(width: 20).isSelected)
      for key in keys { _ = line.press(key) }
      #expect(line.text == text && !line.isSelected, "\(keys)")
    }
    var pasted = line()
    pasted.insert("pasted")
    #expect(pasted.text == "pasted" && !pasted.isSelected)
    #expect(!LineEditor("", isSelected: true).isSelected)
  }

  @Test(arguments: [
    ("|", "cat", "cat|"), ("c|t", "a", "ca|t"), ("cat|", "<left>", "ca|t"),
    ("cat|", "<left><left><left><left>s", "s|cat"), ("|cat", "<right>", "c|at"),
    ("cat|", "<right>", "cat|"), ("ca|t", "<home>", "|cat"), ("c|at", "<end>", "cat|"),
    ("ca|t", "<Ctrl-a>x", "x|cat"), ("c|at", "<Ctrl-e>s", "cats|"),
    ("cat|", "<back>", "ca|"), ("|cat", "<back>", "|cat"), ("c|at", "<del>", "c|t"),
    ("cat|", "<del>", "cat|"), ("c|at", "<Ctrl-d>", "c|t"),
    ("c|at", "<Ctrl-b><Ctrl-f><Ctrl-f>", "ca|t"),
    ("black ca|t", "<Ctrl-u>", "|t"), ("black| cat", "<Ctrl-k>", "black|"),
    ("black cat|", "<Ctrl-w>", "black |"), ("black cat  |", "<Ctrl-w>", "black |"),
    ("black cat|", "<Ctrl-w><Ctrl-w><Ctrl-w>", "|"), ("bla|ck", "<Ctrl-w>", "|ck"),
    // Characters of two cells, and of several code points.
    ("日本|", "<left>の", "日の|本"), ("日本|", "<back>", "日|"), ("|日本", "<del>", "|本"),
    ("|", "e\u{301}t", "e\u{301}t|"), ("e\u{301}t|", "<left><left>", "|e\u{301}t"),
    ("e\u{301}|t", "<back>", "|t"), ("|e\u{301}t", "<del>", "|t"), ("e|t", "\u{301}", "e\u{301}|t"),
    ("👩‍🔬x|", "<left><back>", "|x"), ("🇩🇪|", "<back>", "|"),
    // A combining mark that comes after a letter joins it, and the caret is not between the two.
    ("|", "\u{301}<home>a", "a\u{301}|"), ("x|", "<home>\u{301}", "\u{301}|x"),
  ])
  func `keys edit the line`(start: String, keys: String, result: String) {
    #expect(Self.edited(start, keys) == result)
  }

  @Test(arguments: [
    ("|", "<up>", "cat|"), ("|", "<up><up>", "dog|"), ("|", "<up><up><up>", "dog|"),
    ("dra|ft", "<up><down>", "draft|"), ("draft|", "<down>", "draft|"),
    ("|", "<up><up><down>s", "cats|"), ("|", "<up>s<up><down>", "cat|"),
    ("x|", "<Ctrl-p><Ctrl-n>", "x|"),
  ])
  func `Up and Down recall earlier lines`(start: String, keys: String, result: String) {
    #expect(Self.edited(start, keys, history: ["dog", "cat"]) == result)
  }

  @Test func `the editor does not handle keys that edit nothing`() {
    var editor = LineEditor("cat")
    for key in [.enter, .escape, .tab, .control("c"), .control("l"), .function(1)] as [Key] {
      let isEdit = editor.press(key)
      #expect(!isEdit)
    }
    #expect(editor.text == "cat")
  }

  @Test func `pasted text becomes one line without control characters`() {
    var editor = LineEditor("ad")
    _ = editor.press(.left)
    editor.insert("b\r\nc\u{1B}[31m\u{9B}\u{7F}\t日")
    #expect(editor.before == "ab  c[31m 日")
    #expect(editor.after == "d")
  }

  @Test func `a line has at most 4096 bytes, and whole characters`() {
    var editor = LineEditor()
    editor.insert(String(repeating: "x", count: 100_000))
    #expect(editor.text.count == 4096)
    _ = editor.press(.character("y"))
    #expect(editor.text.count == 4096)
  }

  @Test(arguments: [
    ("|", 10, "[ ]"), ("cat|", 10, "cat[ ]"), ("c|at", 10, "c[a]t"), ("|cat", 10, "[c]at"),
    ("a long line|", 6, " line[ ]"), ("|a long line", 6, "[a] long"),
    ("a long| line", 6, "long[ ]l"), ("日本の|", 5, "本の[ ]"), ("日|本の", 6, "日[本]の"),
    ("|日本", 1, "[]"), ("cat|", 0, "[]"),
  ])
  func `the caret is always visible`(start: String, width: Int, seen: String) {
    let parts = Self.parts(start)
    var editor = LineEditor(parts[0] + parts[1])
    for _ in parts[1] { _ = editor.press(.left) }
    let window = editor.window(width: width)
    #expect("\(window.before.string)[\(window.caret.string)]\(window.after.string)" == seen)
    #expect(window.before.width + window.caret.width + window.after.width <= width)
  }

  @Test(arguments: seeds(1...20))
  func `random keys lose no character and keep the caret between characters`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let characters: [Character] = [
      "a", " ", "日", "\u{301}", "é", "\u{200D}", "👩", "🇩", "🇪", "\u{FE0F}",
    ]
    let others: [Key] = [
      .left, .right, .home, .end, .backspace, .delete, .up, .down, .control("w"), .control("k"),
      .control("u"),
    ]
    var editor = LineEditor(history: ["x日y", "e\u{301}"])
    for _ in 0..<400 {
      let isOther = Int.random(in: 0..<3, using: &random) == 0
      let key =
        isOther
        ? others.randomElement(using: &random)!
        : .character(characters.randomElement(using: &random)!)
      _ = editor.press(key)
      #expect(editor.before.count + editor.after.count == editor.text.count, "\(key)")
      for width in [0, 1, 2, 7, 40] {
        let window = editor.window(width: width)
        #expect(window.before.width + window.caret.width + window.after.width <= width)
      }
    }
  }
}
