/// The words that turn a switch on or off, alike in every place where options are given.
enum SwitchWord {
  /// Every word and what it means.
  static let all: [(word: String, isOn: Bool)] = [
    ("on", true), ("off", false), ("yes", true), ("no", false), ("true", true), ("false", false),
    ("1", true), ("0", false),
  ]

  /// The words as they are listed in a message.
  static let list = all.map(\.word).joined(separator: ", ")

  /// Whether a word means on; nil for other words.
  static func meaning(of word: [UInt8]) -> Bool? {
    all.first { Array($0.word.utf8) == word }?.isOn
  }
}
