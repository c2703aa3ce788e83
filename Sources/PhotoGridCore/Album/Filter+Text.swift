/// Why a text is no filter, and where.
package struct FilterError: Error, Equatable, CustomStringConvertible {
  /// The place in the text of what is wrong, in characters from 1 on.
  package let place: Int
  /// What is wrong, without capital and full stop.
  package let reason: String

  package var description: String { "character \(place): \(reason)" }
}

extension Filter {
  /// The filter that a text describes.
  ///
  /// - Terms side by side have all to be true; `or` between them takes either side, parentheses
  ///   group, and `not` before a term, or `-` or `!` without a space, is its opposite.
  /// - A word, or several in double quotes, is a part of the name, in any case of the letters; with
  ///   `*` or `?` and without quotes it is the form of the whole name, its extension left out or
  ///   not. A quote inside of quotes is written twice.
  /// - `field:value` asks for one of `FilterField`; dates and numbers take `<`, `<=`, `>`, `>=` and
  ///   ranges such as `2024..`, texts a part of them, a form with `*`, or quotes.
  /// - `landscape`, `portrait`, `square`, `gps` and `marked` stand alone.
  ///
  /// - Throws: What is wrong with which term, or why no photo can pass.
  package init(parsing text: String) throws(FilterError) {
    var reader = FilterReader(text)
    let expression = try reader.expression(depth: 0)
    if let conflict = FilterConflict.first(in: expression) {
      throw FilterError(place: reader.places[conflict.leaf], reason: conflict.reason)
    }
    self.init(text: text, expression: expression)
  }
}

/// Reads expressions, one after the other.
struct FilterReader {
  private let characters: [Character]
  private var next = 0
  /// Where each test stands, in their order.
  private(set) var places: [Int] = []

  private static let deepest = 32

  init(_ text: String) { characters = Array(text) }

  /// A word that waits for what has to follow it.
  private struct Pending {
    var place: Int
    var text: String

    var error: FilterError { FilterError(place: place, reason: "nothing follows '\(text)'") }
  }

  /// An expression up to the end, or within parentheses up to the closing one.
  mutating func expression(depth: Int) throws(FilterError) -> FilterExpression {
    var branches: [FilterExpression] = []
    var terms: [FilterExpression]?
    var pending: Pending?
    while !isAtEnd(depth) {
      if let word = keyword("or", depth) {
        guard let parts = terms else {
          throw FilterError(place: next + 1, reason: "nothing stands before '\(word)'")
        }
        branches.append(.conjunction(parts))
        pending = Pending(place: next + 1, text: word)
        terms = nil
        next += word.count
      } else {
        terms = (terms ?? []) + [try term(depth)]
      }
    }
    if let pending, terms == nil { throw pending.error }
    branches.append(.conjunction(terms ?? []))
    return .disjunction(branches)
  }

  private mutating func term(_ depth: Int) throws(FilterError) -> FilterExpression {
    var isWanted = true
    // What the term that has to follow is the opposite of.
    var negation: Pending?
    while true {
      if isAtEnd(depth), let negation { throw negation.error }
      if characters[next] == "-" || characters[next] == "!" {
        let sign = Pending(place: next + 1, text: String(characters[next]))
        negation = sign
        isWanted.toggle()
        next += 1
        guard next < characters.count, !Self.ends(characters[next], depth) else { throw sign.error }
      }
      if let word = keyword("not", depth) {
        negation = Pending(place: next + 1, text: word)
        isWanted.toggle()
        next += word.count
        continue
      }
      if let negation, keyword("or", depth) != nil { throw negation.error }
      let expression = try operand(depth)
      return isWanted || expression == .everything ? expression : expression.opposite
    }
  }

  private mutating func operand(_ depth: Int) throws(FilterError) -> FilterExpression {
    let place = next + 1
    switch characters[next] {
    case "\"":
      let words = quoted()
      guard !words.isEmpty else { return .everything }
      places.append(place)
      return .test(.word(PhotoNames.folded(words)))
    case "(":
      guard depth < Self.deepest else {
        throw FilterError(place: place, reason: "too many parentheses")
      }
      next += 1
      let inner = try expression(depth: depth + 1)
      // While one types, the second one is not there yet.
      next = min(next + 1, characters.count)
      return inner
    default:
      places.append(place)
      return .test(try test(depth, place))
    }
  }

  // MARK: - Tokens

  /// Skips spaces; whether the expression ends here.
  private mutating func isAtEnd(_ depth: Int) -> Bool {
    while next < characters.count, characters[next] == " " { next += 1 }
    return next == characters.count || depth > 0 && characters[next] == ")"
  }

  private static func ends(_ character: Character, _ depth: Int) -> Bool {
    character == " " || depth > 0 && character == ")"
  }

  /// The word that comes next, if it is a keyword, as it is written; a group may follow at once.
  private func keyword(_ keyword: String, _ depth: Int) -> String? {
    let word = String(characters[next...].prefix(keyword.count))
    guard word.lowercased() == keyword else { return nil }
    guard next + keyword.count < characters.count else { return word }
    let following = characters[next + keyword.count]
    return following == "(" || Self.ends(following, depth) ? word : nil
  }

  /// What comes up to a space, or to a parenthesis that closes a group.
  private func token(_ depth: Int) -> String {
    var open = 0
    return String(
      characters[next...].prefix { character in
        if character == "(" { open += 1 }
        if character == ")" { open -= 1 }
        return character != " " && (depth == 0 || open >= 0)
      })
  }

  /// What stands in quotes; while one types, the second one is not there yet.
  private mutating func quoted() -> String {
    var words = ""
    next += 1
    while next < characters.count {
      if characters[next] == "\"" {
        next += 1
        guard next < characters.count, characters[next] == "\"" else { break }
      }
      words.append(characters[next])
      next += 1
    }
    return words
  }

  // MARK: - Tests

  private mutating func test(_ depth: Int, _ place: Int) throws(FilterError) -> FilterTest {
    let token = token(depth)
    let name = token.prefix { $0.isASCII && $0.isLetter }
    guard !name.isEmpty, token.dropFirst(name.count).first == ":" else {
      next += token.count
      return Self.test(word: token)
    }
    guard let field = FilterField(rawValue: name.lowercased()) else {
      let known = FilterField.allCases.map(\.rawValue).joined(separator: ", ")
      throw FilterError(
        place: place,
        reason: "'\(name)' is no field: put a word with ':' into quotes, or take one of \(known)")
    }
    next += name.count + 1
    let valuePlace = next + 1
    let isQuoted = next < characters.count && characters[next] == "\""
    let value: String
    if isQuoted {
      value = quoted()
    } else {
      value = self.token(depth)
      next += value.count
    }
    return try Self.test(field, value, isQuoted: isQuoted, valuePlace)
  }

  private static func test(word: String) -> FilterTest {
    switch word.lowercased() {
    case "marked": return .marked
    case "gps": return .place
    case let lowered:
      if let shape = FilterTest.Shape(rawValue: lowered) { return .shape(shape) }
      let folded = PhotoNames.folded(word)
      return Glob.isGlob(word) ? .glob(folded) : .word(folded)
    }
  }

  private static func test(
    _ field: FilterField, _ value: String, isQuoted: Bool, _ place: Int
  ) throws(FilterError) -> FilterTest {
    if let quantity = field.quantity {
      return .number(quantity, try FilterRange(parsing: value, of: field, quantity, at: place))
    }
    if field == .type { return .kind(try kinds(value, place)) }
    guard !value.isEmpty else {
      throw FilterError(place: place, reason: "a value is missing, such as \(field.example)")
    }
    let text = FilterText(
      folded: PhotoNames.folded(value), isGlob: !isQuoted && Glob.isGlob(value))
    return field.textField.map { .text($0, text) } ?? .path(text)
  }

  private static func kinds(_ value: String, _ place: Int) throws(FilterError) -> [PhotoKind] {
    var kinds: [PhotoKind] = []
    for word in value.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
      guard let kind = PhotoKind(word: word) else {
        let known = PhotoKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw FilterError(place: place, reason: "'\(word)' is none of \(known)")
      }
      kinds.append(kind)
    }
    return kinds
  }
}
