/// The error of a text that is not a bento pattern: the kind of fault and its position.
package struct SplitError: Error, Equatable, CustomStringConvertible {
  /// The kind of fault.
  package enum Cause: Equatable, Sendable {
    /// The text does not begin with `bento`.
    case notBento
    /// No pattern has the given name.
    case unknownName
    /// Parentheses are empty.
    case noLeaves
    /// A part is missing before or after a comma.
    case missingPart
    /// A part was expected.
    case noPart
    /// A comma or a closing parenthesis was expected.
    case noSeparator
    /// A number is not 1.
    case notALeaf
    /// A length is missing, or not from 1 to `Split.maximumLength`.
    case length
    /// A parenthesis is never closed.
    case unclosed
    /// There is text after the last parenthesis.
    case trailing
    /// There are more than `Split.maximumLeafCount` leaves.
    case leafCount
    /// There are more than `Split.maximumDepth` levels.
    case depth
  }

  /// The kind of fault.
  package let cause: Cause
  /// The position of the faulty character, counted from 1.
  package let position: Int

  /// The message, without an initial capital and a full stop.
  package var description: String { "character \(position): \(reason)" }

  private var reason: String {
    switch cause {
    case .notBento: "a pattern begins with 'bento('"
    case .unknownName:
      "no pattern has this name; there are \(Split.named.map(\.name).joined(separator: ", "))"
    case .noLeaves: "a bento needs at least one leaf here, written 1"
    case .missingPart: "a comma without a part before and after it"
    case .noPart: "expected 1 or an opening parenthesis"
    case .noSeparator: "expected a comma or a closing parenthesis"
    case .notALeaf: "a leaf is written 1, or 1:LENGTH"
    case .length: "a length is a whole number from 1 to \(Split.maximumLength)"
    case .unclosed: "this parenthesis is never closed"
    case .trailing: "nothing may follow the pattern's end"
    case .leafCount: "more than \(Split.maximumLeafCount) leaves"
    case .depth: "more than \(Split.maximumDepth) levels"
    }
  }
}

extension Split {
  /// The largest number of leaves in a text.
  package static let maximumLeafCount = 1_000
  /// The largest depth of nested parentheses in a text.
  package static let maximumDepth = 20
  /// The largest fixed length of a leaf, in text rows or columns.
  package static let maximumLength = 1_000

  /// Parses a pattern.
  ///
  /// ```
  /// pattern = "bento" [ "(" ( name | parts ) ")" ]
  /// parts   = part { "," part }
  /// part    = "1" [ ":" length ] | "(" parts ")"
  /// ```
  ///
  /// Parentheses are splits and `1` is a leaf: `bento((1,(1,1)),1,1)` is three rows, the first of
  /// which has one photo on the left and two stacked on the right. `1:12` is a leaf with a fixed
  /// length, in text rows in a vertical split, in text columns in a horizontal one. `bento` alone
  /// is the default pattern, `bento(hero)` the pattern of that name. Spaces are ignored.
  ///
  /// - Throws: `SplitError` with the fault and its position.
  package init(parsing text: String) throws(SplitError) {
    var parser = SplitParser(text)
    self = try parser.pattern()
  }
}

/// A recursive descent parser of patterns.
private struct SplitParser {
  private let characters: [Character]
  private var index = 0
  private var leafCount = 0

  init(_ text: String) { characters = Array(text) }

  /// Parses the whole text.
  mutating func pattern() throws(SplitError) -> Split {
    skipSpaces()
    guard word() == "bento" else { throw SplitError(cause: .notBento, position: 1) }
    skipSpaces()
    guard current != nil else { return .tray }
    guard current == "(" else { throw error(.notBento) }
    let split = if let named = try name() { named } else { try parts(depth: 1) }
    skipSpaces()
    guard current == nil else { throw error(.trailing) }
    return split
  }

  private var current: Character? { index < characters.count ? characters[index] : nil }

  private func error(_ cause: SplitError.Cause) -> SplitError {
    SplitError(cause: cause, position: index + 1)
  }

  private mutating func skipSpaces() {
    while current == " " || current == "\t" { index += 1 }
  }

  private mutating func take(where isWanted: (Character) -> Bool) -> String {
    let start = index
    while let character = current, isWanted(character) { index += 1 }
    return String(characters[start..<index])
  }

  private mutating func word() -> String {
    take { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }.lowercased()
  }

  /// Parses a name in parentheses; returns nil, without consuming anything, if there is none.
  private mutating func name() throws(SplitError) -> Split? {
    let start = index
    index += 1
    skipSpaces()
    let nameStart = index
    let name = word()
    guard !name.isEmpty else {
      index = start
      return nil
    }
    guard let split = Split.named.first(where: { $0.name == name })?.split else {
      throw SplitError(cause: .unknownName, position: nameStart + 1)
    }
    skipSpaces()
    guard let end = current else { throw SplitError(cause: .unclosed, position: start + 1) }
    guard end == ")" else { throw error(.noSeparator) }
    index += 1
    return split
  }

  /// Parses a split, from its opening parenthesis to its closing one.
  private mutating func parts(depth: Int) throws(SplitError) -> Split {
    guard depth <= Split.maximumDepth else { throw error(.depth) }
    let start = index
    var children: [Split] = []
    repeat {
      index += 1
      skipSpaces()
      switch current {
      case nil:
        throw SplitError(cause: .unclosed, position: start + 1)
      case ")":
        throw children.isEmpty
          ? SplitError(cause: .noLeaves, position: start + 1) : error(.missingPart)
      case ",":
        throw error(.missingPart)
      case "(":
        children.append(try parts(depth: depth + 1))
      case let character? where character.isDigit:
        children.append(try leaf())
      case _?:
        throw error(.noPart)
      }
      skipSpaces()
    } while current == ","
    guard let end = current else { throw SplitError(cause: .unclosed, position: start + 1) }
    guard end == ")" else { throw error(.noSeparator) }
    index += 1
    return Split(children)
  }

  private mutating func leaf() throws(SplitError) -> Split {
    let start = index
    guard take(where: \.isDigit) == "1" else {
      throw SplitError(cause: .notALeaf, position: start + 1)
    }
    leafCount += 1
    guard leafCount <= Split.maximumLeafCount else {
      throw SplitError(cause: .leafCount, position: start + 1)
    }
    guard current == ":" else { return .leaf }
    index += 1
    let lengthStart = index
    guard let length = Int(take(where: \.isDigit)), (1...Split.maximumLength).contains(length)
    else { throw SplitError(cause: .length, position: lengthStart + 1) }
    return .leaf(length: length)
  }
}

extension Character {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
