import SceneModel

package struct KeyReader: Equatable, Sendable {
  /// A command with the count typed before it.
  package struct Reading: Equatable, Sendable {
    package var command: Command
    package var count: Int?
  }

  /// The count typed so far; nil if there are no digits.
  package private(set) var count: Int?
  /// The first keys of a pending sequence, as the help writes them.
  private(set) var prefix = ""
  /// The key or sequence read last, as the help writes it, if it has no command; otherwise nil.
  private(set) var unknown: String?

  package init() {}

  /// Reads a key and returns the command that it completes, if any.
  ///
  /// A sequence without a command is discarded whole: its last key does not act by itself.
  package mutating func read(_ key: Key, in view: KeyMap.View, by keys: KeyMap) -> Reading? {
    let name = key.name
    unknown = nil
    if prefix.isEmpty, let digit = key.digit, digit > 0 || count != nil {
      // The limit is enough for any folder, and keeps more digits from overflowing.
      count = min((count ?? 0) * 10 + digit, 99_999_999)
      return nil
    }
    let typed = prefix + name
    prefix = ""
    if let command = keys[view][typed] {
      defer { count = nil }
      return Reading(command: command, count: count)
    }
    if !begin(key, in: view, by: keys, typed: typed) {
      count = nil
      unknown = key == .escape ? nil : typed
    }
    return nil
  }

  /// Starts a sequence with a key that has already acted by itself, so that the next key completes
  /// it.
  package mutating func begin(_ key: Key, in view: KeyMap.View, by keys: KeyMap) {
    reset()
    _ = begin(key, in: view, by: keys, typed: key.name)
  }

  private mutating func begin(
    _ key: Key, in view: KeyMap.View, by keys: KeyMap, typed: String
  ) -> Bool {
    guard let first = typed.first, typed.count == 1, keys.isPrefix(first, in: view) else {
      return false
    }
    prefix = typed
    return true
  }

  package mutating func reset() { self = KeyReader() }

  /// Whether digits or the first keys of a sequence are pending.
  package var isPending: Bool { count != nil || !prefix.isEmpty }
}

extension Key {
  fileprivate var digit: Int? {
    guard case .character(let character) = self, character.isASCII else { return nil }
    return character.wholeNumberValue
  }
}

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
  fileprivate var isTyped: Bool { isLetter || isNumber || isPunctuation || isSymbol }
}
