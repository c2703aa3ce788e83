/// Which photos are to be shown: those of which all terms are true.
package struct Filter: Equatable, Sendable {
  /// As it was typed.
  package let text: String
  let terms: [Term]

  /// A filter that was understood from a text; see `init(parsing:)`.
  init(text: String, terms: [Term]) {
    self.text = text
    self.terms = terms
  }

  /// A test, or its opposite.
  struct Term: Equatable, Sendable {
    var test: Test
    var isWanted: Bool
  }

  /// What is asked of a photo.
  enum Test: Equatable, Sendable {
    /// Its name contains a word, in small letters.
    case word([UInt8])
    case marked
    case kind([PhotoKind])
    /// It was taken in a time, in the digits of `TakenTime`.
    case taken(ClosedRange<Int64>)
    /// Its file has a number of bytes.
    case size(ClosedRange<Int64>)
    case shape(Shape)
  }

  /// How a photo's sides compare.
  enum Shape: String, CaseIterable, Sendable { case landscape, portrait, square }

  /// Whether it asks for nothing, so that all photos pass.
  package var isEmpty: Bool { terms.isEmpty }

  /// Whether it depends on what is marked.
  package var asksForMarks: Bool { terms.contains { $0.test == .marked } }

  /// Whether the photos' files have to be looked at.
  package var needsFacts: Bool { terms.contains { $0.test.needsFacts } }

  /// Whether more may be known of what passes once a file was looked at.
  var dependsOnFacts: Bool { terms.contains { $0.test.dependsOnFacts } }
}

extension Filter.Test {
  var needsFacts: Bool {
    switch self {
    case .taken, .size, .shape: true
    // A name's extension tells the kind as long as nothing more is known.
    case .word, .marked, .kind: false
    }
  }

  var dependsOnFacts: Bool {
    if case .kind = self { true } else { needsFacts }
  }

  /// Whether a file passes; one that cannot be read, or does not tell, does not.
  func isPassed(by facts: FileFacts) -> Bool {
    switch self {
    case .taken(let range): facts.taken.map { range.contains($0.digits) } ?? false
    case .size(let range): facts.isReadable && range.contains(facts.byteCount)
    case .kind(let kinds): facts.kind.map { kinds.contains($0) } ?? false
    case .shape(.landscape): facts.width > facts.height
    case .shape(.portrait): facts.width < facts.height
    case .shape(.square): facts.isReadable && facts.width == facts.height
    case .word, .marked: false
    }
  }
}
