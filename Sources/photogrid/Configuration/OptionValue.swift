import Geometry
import Photos
import SceneRendering

struct OptionValue {
  let name: OptionName
  /// The value as it was given; empty for switches.
  let bytes: [UInt8]

  var text: String { PrintableText.from(bytes) }

  /// Creates an error about the value: `--name: 'value' why`.
  func fault(_ why: String) -> OptionError {
    OptionError(message: "--\(name.rawValue): '\(PrintableArgument.text(bytes))' \(why)")
  }

  /// Returns the choice that the value names.
  ///
  /// - Throws: `OptionError` with all names if the value is none of them.
  func choice<Choice>(_ choices: [(String, Choice)]) throws(OptionError) -> Choice {
    let text = text
    if let found = choices.first(where: { $0.0 == text }) { return found.1 }
    throw fault("is not one of \(choices.map(\.0).joined(separator: ", "))")
  }

  /// Returns the value as an integer within a range.
  func number(_ range: ClosedRange<Int>) throws(OptionError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw fault("is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Returns the value as a color: six hexadecimal digits, with or without `#`.
  func color() throws(OptionError) -> RGB {
    let text = text
    let digits = text.first == "#" ? text.dropFirst() : text[...]
    guard digits.count == 6, digits.allSatisfy(\.isHexDigit), let code = UInt32(digits, radix: 16)
    else { throw fault("is not a color like #409cff") }
    return RGB(UInt8(code >> 16), UInt8(code >> 8 & 255), UInt8(code & 255))
  }
}

/// The words that turn a switch on or off, on the command line, in the environment and in the
/// configuration file.
enum SwitchWord {
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
