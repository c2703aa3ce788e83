/// The words that a person types to find a command, compared with the words about commands.
struct WordQuery: Equatable, Sendable {
  private struct Word: Equatable {
    /// The word as it was typed, lowercase, which may be a key such as ",a".
    var typed: [UInt8]
    /// Its parts of letters and digits.
    var parts: [[UInt8]]
  }

  private let words: [Word]
  /// The typed words with single spaces between them.
  private let line: [UInt8]

  /// More words would only cost time: no command has as many.
  private static let maxWords = 12
  /// A longer text matches no command.
  private static let maxLength = 400

  init(_ text: String) {
    let typed = text.prefix(Self.maxLength).lowercased().split(separator: " ")
    words = typed.prefix(Self.maxWords).map { word in
      Word(
        typed: Array(word.utf8),
        parts: word.split { !$0.isLetter && !$0.isNumber }.map { Array($0.utf8) })
    }
    line = Array(typed.joined(separator: " ").utf8)
  }

  /// The score of a command whose name or key was typed in full.
  static let exactScore = 1000

  var isEmpty: Bool { words.isEmpty }

  /// Returns how well words about a command match; nil unless each typed word matches one of them,
  /// or is similar to one if errors are allowed.
  func score(of candidate: SearchWords, allowsErrors: Bool) -> Int? {
    if candidate.line == line || candidate.keyBytes.contains(line) {
      return Self.exactScore
    }
    var total = 0
    for word in words {
      guard let score = score(of: word, in: candidate, allowsErrors: allowsErrors) else {
        return nil
      }
      total += score
    }
    return total
  }

  private func score(of word: Word, in candidate: SearchWords, allowsErrors: Bool) -> Int? {
    var total = 0
    for part in word.parts {
      guard let score = candidate.score(of: part, allowsErrors: allowsErrors) else {
        total = 0
        break
      }
      total += score
    }
    if total > 0 { return total }
    return candidate.keyBytes.contains { $0.starts(with: word.typed) } ? 10 : nil
  }
}

/// The words by which a command is found.
struct SearchWords: Equatable, Sendable {
  /// The words of the title, then those of the name.
  private let main: [[UInt8]]
  private let others: [[UInt8]]
  /// The name with spaces, as it may be typed: "sort date".
  let line: [UInt8]
  private(set) var keyBytes: [[UInt8]] = []

  init(title: String, name: String, synonyms: String) {
    main = Self.words(title) + Self.words(name)
    others = Self.words(synonyms)
    line = Array(Self.words(name).joined(separator: [0x20]))
  }

  init(_ entry: CommandEntry) {
    self.init(title: entry.title, name: entry.command.name, synonyms: entry.synonyms)
  }

  /// The keys of the command.
  var keys: [String] {
    get { keyBytes.map { String(decoding: $0, as: UTF8.self) } }
    set { keyBytes = newValue.map { Array($0.lowercased().utf8) } }
  }

  private static func words(_ text: String) -> [[UInt8]] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map { Array($0.utf8) }
  }

  /// Returns how well a typed word matches: the whole word best, then its beginning, a part of it,
  /// and a word with a typing error or missing letters; nil if it does not match.
  func score(of typed: [UInt8], allowsErrors: Bool) -> Int? {
    var best = 0
    for (index, word) in main.enumerated() {
      // The first words of a title say most.
      if word == typed { best = max(best, 40 - min(index, 5)) }
      if word.starts(with: typed) { best = max(best, 30 - min(index, 5)) }
      if best < 12, typed.count > 2, word.contains(typed) { best = 12 }
    }
    for word in others {
      if word == typed { best = max(best, 28) }
      if best < 20, word.starts(with: typed) { best = 20 }
    }
    if best > 0 { return best }
    guard allowsErrors, typed.count > 3 else { return nil }
    let isSimilar = (main + others).contains { word in
      Self.isSimilar(typed, word)
        || (word.first == typed.first && Self.isAbbreviation(typed, of: word))
    }
    return isSimilar ? 4 : nil
  }

  /// Whether the letters are in the word in this order: "dplct" in "duplicate".
  private static func isAbbreviation(_ letters: [UInt8], of word: [UInt8]) -> Bool {
    guard letters.count <= word.count else { return false }
    var rest = letters[...]
    for byte in word where byte == rest.first { rest = rest.dropFirst() }
    return rest.isEmpty
  }

  /// Whether the word begins with the typed letters but for a wrong, missing, additional or swapped
  /// one.
  private static func isSimilar(_ typed: [UInt8], _ word: [UInt8]) -> Bool {
    guard typed.count <= word.count + 1 else { return false }
    let same = zip(typed, word).prefix { $0 == $1 }.count
    let rest = typed[same...]
    let left = word[same...]
    if left.starts(with: rest.dropFirst()) || left.dropFirst().starts(with: rest) { return true }
    if left.dropFirst().starts(with: rest.dropFirst()) { return true }
    guard rest.count > 1, left.count > 1 else { return false }
    return rest[same] == left[same + 1] && rest[same + 1] == left[same]
      && left.dropFirst(2).starts(with: rest.dropFirst(2))
  }
}

extension [UInt8] {
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    guard part.count <= count else { return false }
    return (0...count - part.count).contains { self[$0...].starts(with: part) }
  }
}
