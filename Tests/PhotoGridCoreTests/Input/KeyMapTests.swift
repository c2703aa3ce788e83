import TestSupport
import Testing

@testable import PhotoGridCore

struct KeyMapTests {
  /// The standard map after the given lines of a configuration.
  private func map(_ lines: [String]) throws -> KeyMap {
    var map = KeyMap.standard
    for line in lines {
      var words = line.split(separator: " ").map(String.init)
      let view = words.count == 5 ? KeyMap.View(rawValue: words.remove(at: 1)) : nil
      try #require(words.count == 4 && words[0] == "key" && words[2] == "=", "\(line)")
      let command = Command(named: words[3])
      try #require(command != nil || words[3] == "none", "\(line)")
      try map.bind(words[1], to: command, in: view)
    }
    return map
  }

  @Test func `every command has a unique name`() {
    let names = KeyMap.commands.map(\.name)
    #expect(Set(names).count == names.count)
    for command in KeyMap.commands { #expect(Command(named: command.name) == command) }
    #expect(Command(named: "fly") == nil)
  }

  @Test func `a key is bound in the views where its command is available`() throws {
    let keys = try map(["key x = find", "key n = zoom-in", "key F5 = quit", "key ee = open"])

    #expect(keys[.grid]["x"] == .album(.find) && keys[.viewer]["x"] == nil)
    #expect(keys[.grid]["n"] == .album(.findNext) && keys[.viewer]["n"] == .viewer(.zoom(.larger)))
    #expect(keys[.grid]["F5"] == .app(.quit) && keys[.viewer]["F5"] == .app(.quit))
    #expect(keys.isPrefix("e", in: .grid))
    // In an open photo z is a command by itself.
    #expect(throws: KeyMap.BindingError.self) { try map(["key z = zoom-in", "key zx = open"]) }
  }

  @Test func `a line that names a view binds its key in that view only`() throws {
    let keys = try map(["key grid x = quit", "key detail n = zoom-in", "key grid R = none"])

    #expect(keys[.grid]["x"] == .app(.quit) && keys[.viewer]["x"] == nil)
    #expect(keys[.grid]["n"] == .album(.findNext) && keys[.viewer]["n"] == .viewer(.zoom(.larger)))
    #expect(keys[.grid]["R"] == nil && keys[.viewer]["R"] == .app(.reload))
    #expect(throws: KeyMap.BindingError(message: "'zoom-in' does nothing in the grid view")) {
      try map(["key grid x = zoom-in"])
    }
  }

  @Test func `the lines of a map name the view of keys that differ between the views`() {
    let lines = Set(KeyMap.standard.lines)
    #expect(
      lines.isSuperset(of: [
        "key gg = first", "key grid n = find-next", "key detail n = next",
        "key grid + = larger-tiles", "key detail + = zoom-in", "key grid t = labels",
      ]))
  }

  @Test(arguments: [
    ("", "'' is not a key"), ("abc", "'abc' is not a key"), ("Ctrl-", "'Ctrl-' is not a key"),
    ("Ctrl-é", "'Ctrl-é' is not a key"), ("F21", "'F21' is not a key"),
    ("F0", "'F' alone is already bound to an action"),
    ("1g", "'1g' is not a key"), ("7", "'7' is reserved for counts"),
    ("Ctrl-c", "Ctrl-c cannot be rebound"), ("g", "'g' conflicts with 'g*'"),
    ("qx", "'q' alone is already bound to an action"), ("\u{1b}", "'\u{1b}' is not a key"),
    ("\u{301}", "'\u{301}' is not a key"),
  ])
  func `a key that cannot be bound is an error with the reason`(key: String, words: String) {
    var keys = KeyMap.standard
    #expect(throws: KeyMap.BindingError(message: words)) { try keys.bind(key, to: .app(.quit)) }
    #expect(keys == .standard)
  }

  @Test func `the lines of a map are parsed to the same map`() throws {
    var random = SeededGenerator(seed: 7)
    let names =
      ["h", "gg", "g", "zz", "n", "Space", "BackSpace", "F1", "F12", ",n", "Ctrl-l", "é", "0", "y"]
    for _ in 0..<300 {
      var keys = KeyMap.standard
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        let command = KeyMap.commands.randomElement(using: &random)
        let isNone = Int.random(in: 0..<4, using: &random) == 0
        let view =
          Bool.random(using: &random) ? KeyMap.View.allCases.randomElement(using: &random) : nil
        try? keys.bind(
          names.randomElement(using: &random) ?? "h", to: isNone ? nil : command, in: view)
      }

      let lines = keys.lines
      #expect(try map(lines) == keys, "\(lines)")
    }
  }

  @Test func `keys, sequences and counts are read according to the map`() throws {
    let keys = try map(["key xx = last", "key Enter = none", "key e = open"])
    var reader = KeyReader()

    #expect(reader.read(.enter, in: .grid, by: keys) == nil)
    #expect(reader.read(.character("e"), in: .grid, by: keys)?.command == .navigation(.open))
    #expect(reader.read(.character("x"), in: .grid, by: keys) == nil && reader.isPending)
    #expect(reader.read(.character("x"), in: .grid, by: keys)?.command == .navigation(.last))
    #expect(reader.read(.character("3"), in: .viewer, by: keys) == nil)
    #expect(reader.read(.character("n"), in: .viewer, by: keys)?.count == 3)
  }
}
