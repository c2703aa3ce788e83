/// Why a text is no filter, and where.
package struct FilterError: Error, Equatable, CustomStringConvertible {
  /// The place in the text of what is wrong, in characters from 1 on.
  package let place: Int
  /// What is wrong, without capital and full stop.
  package let reason: String

  package var description: String { "character \(place): \(reason)" }
}

extension Filter {
  /// The filter that a text describes, its terms separated by spaces.
  ///
  /// - a word, or several in double quotes: part of the name, in any case of the letters;
  /// - `type:heic,png`, `date:2024-05..2024-08`, `size:>5M`; dates and sizes with `<`, `<=`, `>`,
  ///   `>=` and as ranges, of which either end may be left out; a date is a year, month or day;
  /// - `marked`, `landscape`, `portrait`, `square`;
  /// - `not` before a term, or `-` or `!` without a space, is its opposite.
  ///
  /// - Throws: What is wrong with which term.
  package init(parsing text: String) throws(FilterError) {
    var reader = FilterReader(text)
    var terms: [Term] = []
    while let term = try reader.term() { terms.append(term) }
    self.init(text: text, terms: terms)
  }
}

/// Reads terms, one after the other.
private struct FilterReader {
  private let characters: [Character]
  private var next = 0

  init(_ text: String) { characters = Array(text) }

  /// The next term; nil at the end.
  mutating func term() throws(FilterError) -> Filter.Term? {
    var isWanted = true
    // What the term that has to follow is the opposite of.
    var negation: (place: Int, text: String)?
    while true {
      skipSpaces()
      guard next < characters.count else {
        guard let negation else { return nil }
        throw FilterError(
          place: negation.place, reason: "nothing follows '\(negation.text)'")
      }
      if characters[next] == "-" || characters[next] == "!" {
        negation = (next + 1, String(characters[next]))
        isWanted.toggle()
        next += 1
        guard next < characters.count, characters[next] != " " else {
          throw FilterError(place: next, reason: "nothing follows '\(characters[next - 1])'")
        }
      }
      let place = next + 1
      if characters[next] == "\"" {
        let words = quoted()
        guard !words.isEmpty else {
          (isWanted, negation) = (true, nil)
          continue
        }
        return Filter.Term(test: .word(PhotoNames.folded(words)), isWanted: isWanted)
      }
      let token = String(characters[next...].prefix { $0 != " " })
      next += token.count
      if token.lowercased() == "not" {
        negation = (place, token)
        isWanted.toggle()
        continue
      }
      return Filter.Term(test: try test(token, place), isWanted: isWanted)
    }
  }

  private mutating func skipSpaces() {
    while next < characters.count, characters[next] == " " { next += 1 }
  }

  /// What stands in quotes; while one types, the second one is not there yet.
  private mutating func quoted() -> String {
    let words = characters[(next + 1)...].prefix { $0 != "\"" }
    next = min(words.endIndex + 1, characters.count)
    return String(words)
  }

  private func test(_ token: String, _ place: Int) throws(FilterError) -> Filter.Test {
    let word = token.lowercased()
    if word == "marked" { return .marked }
    if let shape = Filter.Shape(rawValue: word) { return .shape(shape) }
    let field = token.prefix { $0.isASCII && $0.isLetter }
    guard !field.isEmpty, token.dropFirst(field.count).first == ":" else {
      return .word(PhotoNames.folded(token))
    }
    let value = String(token.dropFirst(field.count + 1))
    let valuePlace = place + field.count + 1
    switch field.lowercased() {
    case "type": return .kind(try kinds(value, valuePlace))
    case "date":
      return .taken(
        try FilterRange(value, valuePlace, of: "2024-05").range(parsing: Period.init))
    case "size":
      return .size(try FilterRange(value, valuePlace, of: "5M").range(parsing: ByteCount.init))
    default:
      throw FilterError(
        place: place,
        reason: "'\(field)' is none of type, date, size; put a word with ':' into quotes")
    }
  }

  private func kinds(_ value: String, _ place: Int) throws(FilterError) -> [PhotoKind] {
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

/// A value that stands for all numbers from one to another: a month for all of its seconds.
private protocol FilterValue {
  /// The first and the last number.
  var numbers: ClosedRange<Int64> { get }
  /// Whether it makes sense alone, rather than as an end of a range.
  static var standsAlone: Bool { get }
  /// What a value looks like, after "is not".
  static var form: String { get }
}

/// The form in which fields are asked for: a value, one behind a comparison, or a range of two.
private struct FilterRange {
  private let text: String
  private let place: Int
  private let example: String

  init(_ text: String, _ place: Int, of example: String) {
    (self.text, self.place, self.example) = (text, place, example)
  }

  func range<Value: FilterValue>(
    parsing: (Substring) -> Value?
  ) throws(FilterError) -> ClosedRange<Int64> {
    guard !text.isEmpty else {
      throw FilterError(
        place: place, reason: "a value is missing, such as >\(example) or \(example)..")
    }
    func value(_ text: Substring) throws(FilterError) -> ClosedRange<Int64> {
      guard let value = parsing(text) else {
        throw FilterError(place: place, reason: "'\(text)' is not \(Value.form)")
      }
      return value.numbers
    }
    for (sign, bounds) in [
      (">=", { $0.lowerBound...Int64.max }), ("<=", { 0...$0.upperBound }),
      (">", { min($0.upperBound, .max - 1) + 1...Int64.max }),
      ("<", { 0...max($0.lowerBound - 1, 0) }),
    ] as [(String, (ClosedRange<Int64>) -> ClosedRange<Int64>)] where text.hasPrefix(sign) {
      return bounds(try value(text.dropFirst(sign.count)))
    }
    guard let dots = text.firstRange(of: "..") else {
      let numbers = try value(text[...])
      guard Value.standsAlone else {
        throw FilterError(
          place: place,
          reason: "'\(text)' is one exact value; write >\(text), <\(text) or a range")
      }
      return numbers
    }
    let (first, last) = (text[..<dots.lowerBound], text[dots.upperBound...])
    guard !first.isEmpty || !last.isEmpty else {
      throw FilterError(place: place, reason: "a range needs at least one end")
    }
    let lower = first.isEmpty ? 0 : try value(first).lowerBound
    let upper = last.isEmpty ? Int64.max : try value(last).upperBound
    guard lower <= upper else {
      throw FilterError(place: place, reason: "'\(text)' ends before it begins")
    }
    return lower...upper
  }
}

/// A year, a month or a day.
private struct Period: FilterValue {
  let numbers: ClosedRange<Int64>
  static let standsAlone = true
  static let form = "a date like 2024, 2024-05 or 2024-05-31"

  init?(_ text: Substring) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), parts[0].count == 4,
      parts.dropFirst().allSatisfy({ (1...2).contains($0.count) }),
      parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } })
    else { return nil }
    let fields = parts.compactMap { Int64($0) }
    guard fields.count == parts.count, fields[0] > 0 else { return nil }
    let months = fields.count > 1 ? fields[1]...fields[1] : 1...12
    guard months.lowerBound >= 1, months.upperBound <= 12 else { return nil }
    let length = Self.dayCount(of: months.upperBound, in: fields[0])
    let days = fields.count > 2 ? fields[2]...fields[2] : 1...length
    guard days.lowerBound >= 1, days.upperBound <= length else { return nil }
    func digits(_ month: Int64, _ day: Int64, _ time: Int64) -> Int64 {
      ((fields[0] * 100 + month) * 100 + day) * 1_000_000 + time
    }
    // Cameras may write the sixtieth second, as `TakenTime` allows.
    numbers =
      digits(
        months.lowerBound, days.lowerBound, 0)...digits(
        months.upperBound, days.upperBound, 235_960)
  }

  private static func dayCount(of month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// A number of bytes with a unit.
private struct ByteCount: FilterValue {
  let numbers: ClosedRange<Int64>
  static let standsAlone = false
  static let form = "a size like 800k, 5M or 1.5GiB"

  init?(_ text: Substring) {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits), digits.last != "." else { return nil }
    var unit = text.dropFirst(digits.count).lowercased()
    if unit.hasSuffix("b") { unit.removeLast() }
    let base: Double = unit.hasSuffix("i") ? 1024 : 1000
    if unit.hasSuffix("i"), unit.count == 2 { unit.removeLast() }
    guard let power = ["", "k", "m", "g", "t"].firstIndex(of: unit) else { return nil }
    let bytes = (0..<power).reduce(number) { bytes, _ in bytes * base }
    guard bytes < 1e18 else { return nil }
    numbers = Int64(bytes.rounded())...Int64(bytes.rounded())
  }
}
