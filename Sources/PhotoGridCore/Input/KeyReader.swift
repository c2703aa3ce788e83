/// Turns keys into commands: prefixes such as `gg`, and counts.
package struct KeyReader: Equatable, Sendable {
  /// A command with the count typed before it.
  package struct Reading: Equatable, Sendable {
    /// What the keys ask for.
    package var command: Command
    /// Nil where no digits were typed.
    package var count: Int?
  }

  /// Digits typed so far.
  package private(set) var count: Int?
  /// Keys typed of a longer sequence, as they are written.
  private(set) var prefix = ""
  /// The key or sequence read last that has no command, as it is written.
  private(set) var unknown: String?

  /// A reader that has seen nothing.
  package init() {}

  /// Takes one key; returns the command that it completes, if any.
  ///
  /// A sequence that has no command is swallowed whole: its last key does not act by itself.
  package mutating func read(
    _ key: Key, in view: KeyMap.View, by keys: KeyMap
  ) -> Reading? {
    let name = key.name
    unknown = nil
    if prefix.isEmpty, let digit = key.digit, digit > 0 || count != nil {
      // Enough for any folder, and no overflow however long one types.
      count = min((count ?? 0) * 10 + digit, 99_999_999)
      return nil
    }
    let typed = prefix + name
    prefix = ""
    if let command = keys[view][typed] {
      defer { count = nil }
      return Reading(command: command, count: count)
    }
    if !begin(key, by: keys, typed: typed) {
      count = nil
      unknown = key == .escape ? nil : typed
    }
    return nil
  }

  /// Takes the first key of a sequence where it acts by itself already: what follows belongs to it.
  package mutating func begin(_ key: Key, by keys: KeyMap) {
    reset()
    _ = begin(key, by: keys, typed: key.name)
  }

  private mutating func begin(_ key: Key, by keys: KeyMap, typed: String) -> Bool {
    guard let first = typed.first, typed.count == 1, keys.prefixes.contains(first) else {
      return false
    }
    prefix = typed
    return true
  }

  /// Forgets digits and prefixes.
  package mutating func reset() { self = KeyReader() }

  /// Whether something is typed that waits for more.
  package var isPending: Bool { count != nil || !prefix.isEmpty }
}

extension Key {
  /// The value of a digit key.
  fileprivate var digit: Int? {
    guard case .character(let character) = self, character.isASCII else { return nil }
    return character.wholeNumberValue
  }
}
