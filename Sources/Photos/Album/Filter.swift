/// A condition that photos must meet to be shown.
package struct Filter: Equatable, Sendable {
  /// The text as it was typed.
  package let text: String
  /// The expression that the text stands for.
  let expression: FilterExpression

  /// Creates a filter from a text and its parsed expression; see `init(parsing:)`.
  init(text: String, expression: FilterExpression) {
    self.text = text
    self.expression = expression
  }

  /// Whether the filter has no tests, so that all photos pass.
  package var isEmpty: Bool { expression == .everything }

  package var dependsOnMarks: Bool { expression.contains { $0 == .marked } }

  /// Whether the photos' files must be read.
  package var needsFacts: Bool { expression.contains(where: \.needsFacts) }

  /// Whether the photos' ratings must be read.
  package var needsRatings: Bool { expression.contains(where: \.needsRatings) }

  /// Whether the hashes of the photos' pictures must be known.
  package var needsHashes: Bool { expression.contains { $0 == .similar } }

  /// Whether only photos that have a near duplicate pass.
  var wantsNearDuplicates: Bool {
    switch expression {
    case .test(.similar): true
    case .all(let parts): parts.contains(.test(.similar))
    case .test, .not, .any: false
    }
  }

  /// Whether the files must be read for more than their size, format and date.
  var needsMetadata: Bool { expression.contains(where: \.needsMetadata) }

  /// Whether a photo's verdict may change once its file has been read.
  var dependsOnFacts: Bool { expression.contains(where: \.dependsOnFacts) }

  /// Whether only names and paths are tested, so that the filter applies to folders too.
  package var testsNamesOnly: Bool { !expression.contains { !$0.testsNamesOnly } }
}

/// A Boolean expression of tests.
indirect enum FilterExpression: Equatable, Sendable {
  case test(FilterTest)
  /// True if the inner expression is false.
  case not(FilterExpression)
  /// True if all parts are true; without parts, always true.
  case all([FilterExpression])
  /// True if at least one part is true.
  case any([FilterExpression])

  /// The expression that is always true.
  static let everything = FilterExpression.all([])

  var opposite: FilterExpression {
    if case .not(let inner) = self { inner } else { .not(self) }
  }

  /// The conjunction of expressions, with nested conjunctions flattened.
  static func conjunction(_ parts: [FilterExpression]) -> FilterExpression {
    let flat = parts.flatMap { part -> [FilterExpression] in
      if case .all(let inner) = part { inner } else { [part] }
    }
    return flat.count == 1 ? flat[0] : .all(flat)
  }

  /// The disjunction of expressions, with nested disjunctions flattened.
  static func disjunction(_ parts: [FilterExpression]) -> FilterExpression {
    let flat = parts.flatMap { part -> [FilterExpression] in
      if case .any(let inner) = part { inner } else { [part] }
    }
    return flat.count == 1 ? flat[0] : .any(flat)
  }

  /// Whether any of the tests satisfies a predicate.
  func contains(where isWanted: (FilterTest) -> Bool) -> Bool {
    switch self {
    case .test(let test): isWanted(test)
    case .not(let inner): inner.contains(where: isWanted)
    case .all(let parts), .any(let parts): parts.contains { $0.contains(where: isWanted) }
    }
  }

  /// The words that are searched in everything that has words.
  var bareWords: [[UInt8]] {
    switch self {
    case .test(.word(let word)): [word]
    case .test: []
    case .not(let inner): inner.bareWords
    case .all(let parts), .any(let parts): parts.flatMap(\.bareWords)
    }
  }
}

/// A test of a single property of a photo.
enum FilterTest: Equatable, Sendable {
  /// The name, a folder below the one that is shown, the title, the caption, a keyword, the camera, the
  /// lens or the label has a word, given in lowercase; see `FilterEvaluation`.
  case word([UInt8])
  /// The name contains a word, given in lowercase.
  case name([UInt8])
  /// The name, with or without its extension, matches a pattern, given in lowercase.
  case glob([UInt8])
  case path(FilterText)
  case marked
  /// The file has one of these formats, or is a part of a live photo if these are wanted.
  case kind([ImageFormat], orLive: Bool)
  /// A numeric property of the file is within a range.
  case number(FilterQuantity, FilterRange)
  /// A text field of the file's metadata matches.
  case text(FilterTextField, FilterText)
  /// A keyword, the title or the caption matches.
  case words(WordField, FilterText)
  /// The photo has these proportions.
  case shape(Shape)
  /// The file says where the photo was taken.
  case location
  case rejected
  /// The photo has a near duplicate.
  case similar
  /// The photo has one of these labels; nil stands for none.
  case label([Rating.Label?])

  /// The proportions of a photo after orientation.
  enum Shape: String, CaseIterable, Sendable { case landscape, portrait, square }
}

/// A lowercase text to search for: a substring or, with `*` and `?`, a pattern for the whole text.
struct FilterText: Equatable, Sendable {
  /// The text or the pattern, in lowercase UTF-8.
  var folded: [UInt8]
  /// Whether `folded` is a pattern.
  var isGlob: Bool

  func matches(_ text: [UInt8]) -> Bool { text.withUnsafeBufferPointer { matches($0) } }

  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    isGlob ? Glob.matches(folded, text) : text.hasPart(folded)
  }
}

extension Rating.Label {
  /// Creates the label of the color that a lowercase word names in full; nil if there is none.
  init?(word: [UInt8]) {
    self.init(rawValue: String(decoding: word, as: UTF8.self))
    if self == .other { return nil }
  }
}

extension FilterTest {
  var testsNamesOnly: Bool {
    switch self {
    // Of a folder, only the name is known.
    case .word, .name, .glob, .path: true
    case .marked, .kind, .number, .text, .words, .shape, .location, .rejected, .label, .similar:
      false
    }
  }

  /// Whether the photo's file must be read.
  var needsFacts: Bool {
    switch self {
    case .number(let quantity, _): quantity != .rating
    case .word, .text, .words, .shape, .location: true
    // The extension determines the format as long as the file has not been read, but only the file
    // says whether it holds a film.
    case .kind(_, let wantsLive): wantsLive
    case .name, .glob, .path, .marked, .rejected, .label, .similar: false
    }
  }

  /// Whether the photo's rating must be read.
  var needsRatings: Bool {
    switch self {
    case .number(let quantity, _): quantity == .rating
    case .rejected, .label: true
    case .word(let word): Rating.Label(word: word) != nil
    case .name, .glob, .path, .marked, .kind, .text, .words, .shape, .location, .similar: false
    }
  }

  /// Whether the file must be read for more than its size, format and date.
  var needsMetadata: Bool {
    switch self {
    case .number(let quantity, _): quantity.isMetadata
    case .word, .text, .words, .location: true
    case .name, .glob, .path, .marked, .kind, .shape, .rejected, .label, .similar: false
    }
  }

  /// Whether the result may change once the photo's file has been read.
  var dependsOnFacts: Bool {
    if case .kind = self { true } else { needsFacts }
  }
}

/// The canonical text of a filter, which parses to the same filter.
extension Filter: CustomStringConvertible {
  /// The canonical text; empty for a filter without tests.
  package var description: String { isEmpty ? "" : expression.description }
}

extension FilterExpression: CustomStringConvertible {
  /// The canonical text of the expression.
  var description: String {
    switch self {
    case .test(let test): test.description
    case .not(let inner): "not \(inner.grouped)"
    case .all(let parts): parts.isEmpty ? "\"\"" : parts.map(\.grouped).joined(separator: " ")
    case .any(let parts): parts.map(\.description).joined(separator: " or ")
    }
  }

  /// The description, in parentheses if it has several terms.
  private var grouped: String {
    switch self {
    case .test, .not: description
    case .all, .any: "(\(description))"
    }
  }
}

extension FilterTest: CustomStringConvertible {
  /// The canonical text of the test, such as "iso:>800".
  var description: String {
    switch self {
    case .word(let word): Self.quoted(word)
    case .name(let word): "name:\(Self.quoted(word))"
    case .glob(let pattern): String(decoding: pattern, as: UTF8.self)
    case .path(let text): "path:\(Self.value(text))"
    case .marked: "marked"
    case .kind(let formats, let wantsLive):
      "type:"
        + (formats.map(\.rawValue) + (wantsLive ? [FilterField.live] : [])).joined(separator: ",")
    case .number(let quantity, let range): "\(quantity.rawValue):\(range.text)"
    case .text(let field, let text): "\(field.rawValue):\(Self.value(text))"
    case .words(let field, let text): "\(field.rawValue):\(Self.value(text))"
    case .shape(let shape): shape.rawValue
    case .location: "gps"
    case .rejected: "rejected"
    case .similar: "similar"
    case .label(let labels): "label:\(labels.map { $0?.rawValue ?? "none" }.joined(separator: ","))"
    }
  }

  private static func value(_ text: FilterText) -> String {
    text.isGlob ? String(decoding: text.folded, as: UTF8.self) : quoted(text.folded)
  }

  private static func quoted(_ text: [UInt8]) -> String {
    let doubled = String(decoding: text, as: UTF8.self).map { $0 == "\"" ? "\"\"" : String($0) }
    return "\"\(doubled.joined())\""
  }
}

/// Shell-style patterns for names: `*` matches any number of characters, `?` exactly one.
enum Glob {
  static func isGlob(_ text: String) -> Bool { text.contains { $0 == "*" || $0 == "?" } }

  /// Whether a name matches a pattern, with or without its extension.
  static func matchesName(_ pattern: [UInt8], _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    if matches(pattern, name) { return true }
    let stem = name[..<name.extensionStart]
    return stem.count < name.count && matches(pattern, UnsafeBufferPointer(rebasing: stem))
  }

  /// Whether a whole text matches a pattern; both are UTF-8.
  static func matches(_ pattern: [UInt8], _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var (index, next) = (0, 0)
    // The position of the last star, and where the text after its current match begins.
    var star: (index: Int, next: Int)?
    while next < text.count {
      if index < pattern.count, pattern[index] == UInt8(ascii: "*") {
        star = (index, next)
        index += 1
      } else if index < pattern.count, pattern[index] == UInt8(ascii: "?") {
        index += 1
        next = end(ofCharacterAt: next, in: text)
      } else if index < pattern.count, pattern[index] == text[next] {
        index += 1
        next += 1
      } else if let last = star {
        // Extend the star's match by one character.
        let longer = end(ofCharacterAt: last.next, in: text)
        star = (last.index, longer)
        (index, next) = (last.index + 1, longer)
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  private static func end(ofCharacterAt start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var end = start + 1
    while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
