/// The reason why no photo can pass an expression: two of its tests that are never true together.
struct FilterConflict: Equatable {
  /// The index of the test that contradicts an earlier one, in text order.
  var leaf: Int
  /// The message, without an initial capital or a full stop.
  var reason: String

  /// A test or its negation, with the index of the test in text order.
  private struct Literal {
    var test: FilterTest
    var isWanted: Bool
    var leaf: Int

    var text: String { isWanted ? test.description : "not \(test.description)" }
  }

  /// Returns a conflict that keeps all photos from passing; nil if none was found.
  ///
  /// Some expressions that no photo can pass go undetected, but every reported conflict is certain.
  static func first(in expression: FilterExpression) -> FilterConflict? {
    var leaf = 0
    return conflict(in: expression, isWanted: true, &leaf).conflict
  }

  /// The analysis of an expression: the literals that must all be true, or why they cannot be.
  private struct Outcome {
    var literals: [Literal] = []
    var conflict: FilterConflict?
  }

  private static func conflict(
    in expression: FilterExpression, isWanted: Bool, _ leaf: inout Int
  ) -> Outcome {
    switch expression {
    case .test(let test):
      defer { leaf += 1 }
      return Outcome(literals: [Literal(test: test, isWanted: isWanted, leaf: leaf)])
    case .not(let inner): return conflict(in: inner, isWanted: !isWanted, &leaf)
    case .all(let parts), .any(let parts):
      let outcomes = parts.map { conflict(in: $0, isWanted: isWanted, &leaf) }
      // De Morgan: the negation of a conjunction is the disjunction of the negations.
      var isConjunction = isWanted
      if case .any = expression { isConjunction.toggle() }
      guard isConjunction else {
        let conflicts = outcomes.compactMap(\.conflict)
        return Outcome(conflict: conflicts.count == outcomes.count ? conflicts.first : nil)
      }
      if let conflict = outcomes.compactMap(\.conflict).first { return Outcome(conflict: conflict) }
      let literals = outcomes.flatMap(\.literals)
      return Outcome(literals: literals, conflict: conflict(among: literals))
    }
  }

  private static func conflict(among literals: [Literal]) -> FilterConflict? {
    for (number, literal) in literals.enumerated() {
      for earlier in literals[..<number] where exclude(earlier, literal) {
        return FilterConflict(
          leaf: literal.leaf, reason: "no photo can be both \(earlier.text) and \(literal.text)")
      }
    }
    return nil
  }

  private static func exclude(_ one: Literal, _ other: Literal) -> Bool {
    switch (one.isWanted, other.isWanted) {
    case (true, true): areDisjoint(one.test, other.test)
    case (true, false): implies(one.test, other.test)
    case (false, true): implies(other.test, one.test)
    case (false, false): false
    }
  }

  /// Whether no photo passes both tests.
  private static func areDisjoint(_ one: FilterTest, _ other: FilterTest) -> Bool {
    switch (one, other) {
    case (.number(let quantity, let range), .number(let other, let second)):
      quantity == other && !range.numbers.overlaps(second.numbers)
    case (.shape(let shape), .shape(let second)): shape != second
    // A photo can hold a film.
    case (.kind(let kinds), .kind(let second)):
      !(kinds + second).contains(.film) && !kinds.contains { second.contains($0) }
    case (.label(let labels), .label(let second)): !labels.contains { second.contains($0) }
    case (.rejected, .number(.rating, _)), (.number(.rating, _), .rejected): true
    default: false
    }
  }

  /// Whether every photo that passes the first test also passes the second.
  private static func implies(_ one: FilterTest, _ other: FilterTest) -> Bool {
    switch (one, other) {
    case (.number(let quantity, let range), .number(let other, let second)):
      quantity == other && second.numbers.lowerBound <= range.numbers.lowerBound
        && range.numbers.upperBound <= second.numbers.upperBound
    // Of a label, only the whole name is a word.
    case (.word(let word), .word(let second)):
      word == second || Rating.Label(word: word) == nil && word.hasPart(second)
    case (.name(let word), .name(let second)), (.name(let word), .word(let second)):
      word.hasPart(second)
    case (.kind(let kinds), .kind(let second)): kinds.allSatisfy { second.contains($0) }
    default: one == other
    }
  }
}
