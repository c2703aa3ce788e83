/// Which photos are to be shown: those of which an expression is true.
package struct Filter: Equatable, Sendable {
  /// As it was typed.
  package let text: String
  let expression: FilterExpression

  /// A filter that was understood from a text; see `init(parsing:)`.
  init(text: String, expression: FilterExpression) {
    self.text = text
    self.expression = expression
  }

  /// Whether it asks for nothing, so that all photos pass.
  package var isEmpty: Bool { expression == .everything }

  /// Whether it depends on what is marked.
  package var asksForMarks: Bool { expression.contains { $0 == .marked } }

  /// Whether the photos' files have to be read.
  package var needsFacts: Bool { expression.contains(where: \.needsFacts) }

  /// Whether the files have to be read for more than their size, format and date.
  var needsMetadata: Bool { expression.contains(where: \.needsMetadata) }

  /// Whether more may be known of what passes once a file was read.
  var dependsOnFacts: Bool { expression.contains(where: \.dependsOnFacts) }

  /// Whether names and paths decide alone, so that it can be asked of folders too.
  package var isAboutNames: Bool { !expression.contains { !$0.isAboutNames } }
}

/// Tests, and how they are put together.
indirect enum FilterExpression: Equatable, Sendable {
  case test(FilterTest)
  case not(FilterExpression)
  /// True where all are true; of none, everywhere.
  case all([FilterExpression])
  /// True where at least one is true.
  case any([FilterExpression])

  /// What asks for nothing.
  static let everything = FilterExpression.all([])

  /// What is true where this is not.
  var opposite: FilterExpression {
    if case .not(let inner) = self { inner } else { .not(self) }
  }

  /// All of some expressions, without needless levels.
  static func conjunction(_ parts: [FilterExpression]) -> FilterExpression {
    let flat = parts.flatMap { part -> [FilterExpression] in
      if case .all(let inner) = part { inner } else { [part] }
    }
    return flat.count == 1 ? flat[0] : .all(flat)
  }

  /// Any of some expressions, without needless levels.
  static func disjunction(_ parts: [FilterExpression]) -> FilterExpression {
    let flat = parts.flatMap { part -> [FilterExpression] in
      if case .any(let inner) = part { inner } else { [part] }
    }
    return flat.count == 1 ? flat[0] : .any(flat)
  }

  /// Whether one of the tests has a property.
  func contains(where isWanted: (FilterTest) -> Bool) -> Bool {
    switch self {
    case .test(let test): isWanted(test)
    case .not(let inner): inner.contains(where: isWanted)
    case .all(let parts), .any(let parts): parts.contains { $0.contains(where: isWanted) }
    }
  }

  /// The words that a name has to contain or must not contain.
  func words(wanted: Bool) -> [[UInt8]] {
    switch self {
    case .test(.word(let word)): wanted ? [word] : []
    case .test: []
    case .not(let inner): inner.words(wanted: !wanted)
    case .all(let parts), .any(let parts): parts.flatMap { $0.words(wanted: wanted) }
    }
  }
}

/// What is asked of a photo.
enum FilterTest: Equatable, Sendable {
  /// Its name contains a word, in small letters.
  case word([UInt8])
  /// Its name, with or without its extension, has the form of a pattern, in small letters.
  case glob([UInt8])
  case path(FilterText)
  case marked
  case kind([PhotoKind])
  /// A number of its file is within a range.
  case number(FilterQuantity, FilterRange)
  /// A text of its file.
  case text(FilterTextField, FilterText)
  case shape(Shape)
  /// Its file says where it was taken.
  case place

  /// How a photo's sides compare.
  enum Shape: String, CaseIterable, Sendable { case landscape, portrait, square }
}

/// A text to look for, in small letters: a part of another, or with `*` and `?` the form of all of
/// it.
struct FilterText: Equatable, Sendable {
  var folded: [UInt8]
  var isGlob: Bool

  /// Whether a text in small letters is what is looked for.
  func matches(_ text: [UInt8]) -> Bool {
    if isGlob {
      return text.withUnsafeBufferPointer { Glob.matches(folded, $0) }
    }
    guard folded.count <= text.count else { return false }
    return (0...(text.count - folded.count)).contains {
      text[$0..<($0 + folded.count)].elementsEqual(folded)
    }
  }
}

extension FilterTest {
  var isAboutNames: Bool {
    switch self {
    case .word, .glob, .path: true
    case .marked, .kind, .number, .text, .shape, .place: false
    }
  }

  var needsFacts: Bool {
    switch self {
    case .number, .text, .shape, .place: true
    // A name's extension tells the kind as long as nothing more is known.
    case .word, .glob, .path, .marked, .kind: false
    }
  }

  var needsMetadata: Bool {
    switch self {
    case .number(let quantity, _): quantity.isMetadata
    case .text, .place: true
    case .word, .glob, .path, .marked, .kind, .shape: false
    }
  }

  var dependsOnFacts: Bool {
    if case .kind = self { true } else { needsFacts }
  }
}
