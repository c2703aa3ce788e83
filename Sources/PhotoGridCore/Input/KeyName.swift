extension Key {
  /// The key's name in the help and in a configuration, such as "h", "Space", "Ctrl-f" or "F1".
  package var name: String {
    switch self {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .control(let character): "Ctrl-\(character)"
    case .function(let number): "F\(number)"
    default: Self.named.first { $0.key == self }?.name ?? ""
    }
  }

  /// The keys whose name is a word.
  private static let named: [(name: String, key: Key)] = [
    ("Enter", .enter), ("Esc", .escape), ("Tab", .tab), ("Shift-Tab", .backTab),
    ("BackSpace", .backspace), ("Delete", .delete), ("Up", .up), ("Down", .down),
    ("Left", .left), ("Right", .right), ("Home", .home), ("End", .end), ("PgUp", .pageUp),
    ("PgDn", .pageDown), ("Space", .character(" ")),
  ]

  /// Creates the key with the given name; nil if there is none.
  package init?(named name: String) {
    if let found = Self.named.first(where: { $0.name == name }) {
      self = found.key
    } else if name.hasPrefix("Ctrl-"), name.count == 6, let letter = name.last,
      letter.isASCII, letter.isLowercase || "@[\\]^_".contains(letter)
    {
      self = .control(letter)
    } else if let number = Int(name.dropFirst()), name.first == "F", (1...20).contains(number),
      name == "F\(number)"
    {
      self = .function(number)
    } else if name.count == 1, let character = name.first, character.isTyped {
      self = .character(character)
    } else {
      return nil
    }
  }
}

extension Character {
  /// Whether a key could type the character by itself, unlike whitespace, control characters and
  /// combining marks.
  fileprivate var isTyped: Bool {
    isLetter || isNumber || isPunctuation || isSymbol
  }
}
