/// The words that turn a switch on or off, on the command line, in the environment and in the
/// configuration file.
enum SwitchWord {
  /// All words with their meanings.
  static let all: [(word: String, isOn: Bool)] = [
    ("on", true), ("off", false), ("yes", true), ("no", false), ("true", true), ("false", false),
    ("1", true), ("0", false),
  ]

  /// The words for a message, separated by commas.
  static let list = all.map(\.word).joined(separator: ", ")

  /// Whether a word means on; nil for any other word.
  static func meaning(of word: [UInt8]) -> Bool? {
    all.first { Array($0.word.utf8) == word }?.isOn
  }
}
