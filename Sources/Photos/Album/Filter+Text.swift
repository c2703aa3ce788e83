import Geometry

package struct FilterError: Error, Equatable, CustomStringConvertible {
  /// The position of the wrong part in the text, in characters, counted from 1.
  package let position: Int
  /// The length of the wrong part, in characters; 0 for a part that is missing.
  package var length = 0
  /// The error in a few words, without an initial capital.
  package let reason: String
  /// The words that are possible in place of the wrong part.
  package var choices: [String] = []
  /// Further advice, as a sentence without a period; nil for none.
  package var advice: String?
  /// The text with what is missing at its end; nil if the error is another one.
  package var completion: String?

  /// The position, the message and the choices.
  package var description: String {
    var text = "character \(position): \(reason)"
    if !choices.isEmpty {
      text += ". Try: \(choices.joined(separator: ", "))"
    }
    return text + (advice.map { ". \($0)" } ?? "")
  }

  /// An error for a word that is none of those that are known.
  static func unknown(
    _ kind: String, _ word: some StringProtocol, at position: Int, of known: [String]
  ) -> FilterError {
    FilterError(
      position: position, length: word.count,
      reason: word.isEmpty ? "a \(kind) is missing" : "unknown \(kind) '\(word)'",
      choices: known)
  }
}

extension Filter {
  /// Parses the text of a filter, such as `beach (type:heic or date:2024..) -rejected`.
  ///
  /// - Terms side by side must all be true. `or` between terms accepts either side, parentheses
  ///   group, and `not` before a term, or `-` or `!` without a space, negates it.
  /// - A word, or text in double quotes, matches what contains it, ignoring case. An unquoted word with `*` or `?` is a pattern for the whole name, with or without its extension. A quote
  ///   inside quotes is written twice.
  ///   A word is also searched in folders, keywords, captions, cameras and labels; see `FilterTest.word`.
  /// - `field:value` tests a `FilterField`. Dates and numbers can be compared with `<`, `<=`, `>`
  ///   and `>=`, or given as ranges such as `2024..` or `800+`. For a text field, the value is a part of the
  ///   text, in quotes if it has spaces, or a pattern with `*` or `?` for the whole text.
  ///   Dates may be relative to today: `yesterday`, `2w`, `july`, `last-month`; see `FilterPeriod`. Those
  ///   with the name of a month may have spaces: `date:14 July 2019`.
  /// - `landscape`, `portrait`, `square`, `gps`, `marked`, `rejected` and `similar` stand
  ///   alone.
  ///
  /// - `today`: The current day; nil if it is not known, and relative dates are errors.
  /// - Throws: An error at the invalid term.
  package init(parsing text: String, today: CalendarDate?) throws(FilterError) {
    var reader = FilterReader(text, today: today)
    let expression = try reader.expression(depth: 0)
    if let open = reader.open.first {
      throw FilterError(
        position: open, length: 1, reason: "a ')' is missing",
        completion: text + String(repeating: ")", count: reader.open.count))
    }
    self.init(text: text, expression: expression)
  }
}

/// A recursive-descent parser for filter expressions.
struct FilterReader {
  private let characters: [Character]
  /// The current day; nil if it is not known, and relative dates are errors.
  private let today: CalendarDate?
  private var next = 0
  /// The positions of parentheses that were never closed.
  private(set) var open: [Int] = []

  /// The largest depth of nested parentheses.
  private static let deepest = 32

  /// Creates a parser at the beginning of a text.
  init(_ text: String, today: CalendarDate?) {
    characters = Array(text)
    self.today = today
  }

  /// An operator whose operand has not been read yet.
  private struct Pending {
    var position: Int
    var text: String

    var error: FilterError {
      FilterError(
        position: position, length: text.count, reason: "a term is missing after '\(text)'")
    }
  }

  /// Reads an expression up to the end of the text or, within parentheses, up to the closing one.
  ///
  /// - Parameter depth: The number of parentheses around the expression.
  /// - Returns: The expression.
  /// - Throws: An error at the invalid term.
  mutating func expression(depth: Int) throws(FilterError) -> FilterExpression {
    var branches: [FilterExpression] = []
    var terms: [FilterExpression]?
    var pending: Pending?
    while !isAtEnd(depth) {
      if let word = keyword("or", depth) {
        guard let parts = terms else {
          throw FilterError(
            position: next + 1, length: word.count, reason: "'\(word)' needs a term before it")
        }
        branches.append(.conjunction(parts))
        pending = Pending(position: next + 1, text: word)
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
    // The last negation operator before the term, for the message if no term follows.
    var negation: Pending?
    while true {
      if isAtEnd(depth), let negation { throw negation.error }
      if characters[next] == "-" || characters[next] == "!" {
        let sign = Pending(position: next + 1, text: String(characters[next]))
        negation = sign
        isWanted.toggle()
        next += 1
        guard next < characters.count, !Self.ends(characters[next], depth) else { throw sign.error }
      }
      if let word = keyword("not", depth) {
        negation = Pending(position: next + 1, text: word)
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
    let position = next + 1
    switch characters[next] {
    case "\"":
      let words = quoted()
      guard !words.isEmpty else { return .everything }
      return .test(.word(PhotoNames.folded(words)))
    case "(":
      guard depth < Self.deepest else {
        throw FilterError(position: position, length: 1, reason: "too many parentheses")
      }
      next += 1
      let inner = try expression(depth: depth + 1)
      if next == characters.count { open.insert(position, at: 0) } else { next += 1 }
      return inner
    default:
      return .test(try test(depth, position))
    }
  }

  // MARK: - Tokens

  /// Skips spaces; returns whether the expression ends here.
  private mutating func isAtEnd(_ depth: Int) -> Bool {
    while next < characters.count, characters[next] == " " { next += 1 }
    return next == characters.count || depth > 0 && characters[next] == ")"
  }

  private static func ends(_ character: Character, _ depth: Int) -> Bool {
    character == " " || depth > 0 && character == ")"
  }

  /// Returns the next word as it was typed if it is a keyword, otherwise nil.
  ///
  /// A parenthesis may follow a keyword without a space.
  private func keyword(_ keyword: String, _ depth: Int) -> String? {
    let word = String(characters[next...].prefix(keyword.count))
    guard word.lowercased() == keyword else { return nil }
    guard next + keyword.count < characters.count else { return word }
    let following = characters[next + keyword.count]
    return following == "(" || Self.ends(following, depth) ? word : nil
  }

  /// Returns the text up to the next space, or to the parenthesis that closes the group.
  private func token(_ depth: Int) -> String {
    var open = 0
    return String(
      characters[next...].prefix { character in
        if character == "(" { open += 1 }
        if character == ")" { open -= 1 }
        return character != " " && (depth == 0 || open >= 0)
      })
  }

  /// The most words of a date, or of a range of dates.
  private static let maxDateWords = 7

  /// Returns the text up to the next space, or as many more words as belong to a date with the name of a
  /// month: "14 July 2019", "May 2018..July 2019".
  private func date(_ depth: Int) -> String {
    var ahead = self
    let first = token(depth)
    var (text, longest) = (first, first)
    for _ in 1..<Self.maxDateWords {
      ahead.next = next + text.count
      guard !ahead.isAtEnd(depth) else { break }
      text = String(characters[next..<ahead.next]) + ahead.token(depth)
      if FilterPeriod.areDates(text, today: today) { longest = text }
    }
    return longest
  }

  /// Reads text in quotes; while the user types, the closing quote may be missing.
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

  private mutating func test(_ depth: Int, _ position: Int) throws(FilterError) -> FilterTest {
    let token = token(depth)
    let name = token.prefix { $0.isASCII && $0.isLetter }
    guard !name.isEmpty, token.dropFirst(name.count).first == ":" else {
      next += token.count
      return Self.test(word: token)
    }
    guard let field = FilterField(rawValue: name.lowercased()) else {
      var error = FilterError.unknown(
        "field", name, at: position, of: FilterField.allCases.map(\.rawValue))
      error.advice = "Quote a word that contains ':'"
      throw error
    }
    next += name.count + 1
    let valuePlace = next + 1
    let isQuoted = next < characters.count && characters[next] == "\""
    let value: String
    if isQuoted {
      value = quoted()
    } else {
      value = field == .date || field == .changed ? date(depth) : self.token(depth)
      next += value.count
    }
    return try test(field, value, isQuoted: isQuoted, valuePlace)
  }

  private static func test(word: String) -> FilterTest {
    switch word.lowercased() {
    case "marked": return .marked
    case "gps": return .location
    case "rejected": return .rejected
    case "similar": return .similar
    case let lowered:
      if let shape = FilterTest.Shape(rawValue: lowered) { return .shape(shape) }
      let folded = PhotoNames.folded(word)
      return Glob.isGlob(word) ? .glob(folded) : .word(folded)
    }
  }

  private func test(
    _ field: FilterField, _ value: String, isQuoted: Bool, _ position: Int
  ) throws(FilterError) -> FilterTest {
    if let quantity = field.quantity {
      return .number(
        quantity,
        try FilterRange(parsing: value, of: field, quantity, at: position, today: today))
    }
    if field == .type { return try Self.kind(value, position) }
    if field == .label { return .label(try Self.labels(value, position)) }
    guard !value.isEmpty else { throw .missingValue(of: field, at: position) }
    let text = FilterText(folded: PhotoNames.folded(value), isGlob: !isQuoted && Glob.isGlob(value))
    if field == .name { return text.isGlob ? .glob(text.folded) : .name(text.folded) }
    if let wordField = field.wordField { return .words(wordField, text) }
    return field.textField.map { .text($0, text) } ?? .path(text)
  }

  private static func labels(
    _ value: String, _ position: Int
  ) throws(FilterError) -> [Rating.Label?] {
    var labels: [Rating.Label?] = []
    var position = position
    for word in value.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
      let label = Rating.Label(rawValue: String(word))
      guard label != nil || word == "none" else {
        throw .unknown(
          "label", word, at: position, of: Rating.Label.allCases.map(\.rawValue) + ["none"])
      }
      labels.append(label)
      position += word.count + 1
    }
    return labels
  }

  private static func kind(_ value: String, _ position: Int) throws(FilterError) -> FilterTest {
    var (formats, wantsLive): ([ImageFormat], Bool) = ([], false)
    var position = position
    for word in value.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
      if word == FilterField.live {
        wantsLive = true
      } else if let format = ImageFormat(word: word) {
        formats.append(format)
      } else {
        throw .unknown("type", word, at: position, of: FilterField.types)
      }
      position += word.count + 1
    }
    return .kind(formats, orLive: wantsLive)
  }
}

extension Filter {
  /// Returns the text of a filter with a term about stars at its end in place of such a term there,
  /// or without it if it is the same.
  package static func text(_ text: String, toggling term: String) -> String {
    var words = text.split(separator: " ").map { String($0) }
    let old = words.last.flatMap { word in
      word.dropFirst(7).allSatisfy { "012345>=+".contains($0) } && word.hasPrefix("rating:")
        ? words.popLast() : nil
    }
    let rest = words.joined(separator: " ")
    guard old != term else { return rest }
    let isAlternative = old == nil && words.contains { $0.lowercased() == "or" }
    return (isAlternative ? "(\(rest)) " : rest.isEmpty ? "" : rest + " ") + term
  }
}
