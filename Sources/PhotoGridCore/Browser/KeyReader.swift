/// Turns keys into commands: prefixes such as `gg`, and counts.
package struct KeyReader: Equatable, Sendable {
  /// A command with the count typed before it.
  package struct Reading: Equatable, Sendable {
    package var command: Command
    /// Nil where no digits were typed.
    package var count: Int?
  }

  /// Digits typed so far.
  package private(set) var count: Int?
  /// Keys typed of a longer sequence, as they are written.
  private var prefix = ""

  /// A reader that has seen nothing.
  package init() {}

  /// Takes one key; returns the command that it completes, if any.
  package mutating func read(_ key: Key, inDetail: Bool, by keys: KeyMap) -> Reading? {
    let name = key.name
    if prefix.isEmpty, let digit = key.digit, digit > 0 || count != nil {
      // Enough for any folder, and no overflow however long one types.
      count = min((count ?? 0) * 10 + digit, 99_999_999)
      return nil
    }
    let map = inDetail ? keys.detail : keys.grid
    let typed = prefix + name
    prefix = ""
    if let command = map[typed] ?? map[name] {
      defer { count = nil }
      return Reading(command: command, count: count)
    }
    if let first = typed.first, typed.count == 1, keys.prefixes.contains(first) {
      prefix = typed
    } else {
      count = nil
    }
    return nil
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
