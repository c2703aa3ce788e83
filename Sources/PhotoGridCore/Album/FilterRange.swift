import Glibc

/// The range of numbers that a filter accepts, with the text that it was parsed from.
struct FilterRange: Equatable, Sendable {
  /// The text as it was typed after the colon.
  var text: String
  /// The numbers that pass, in the units of `FilterQuantity.number(of:)`.
  var numbers: ClosedRange<Double>
}

extension FilterRange {
  /// Parses a value, a comparison such as `>800`, or a range such as `100..400`.
  ///
  /// - Throws: An error that describes why the text is invalid.
  init(parsing text: String, of field: FilterField, _ quantity: FilterQuantity, at place: Int)
    throws(FilterError)
  {
    func fail(_ reason: String) -> FilterError {
      FilterError(place: place, length: text.count, reason: reason)
    }
    guard !text.isEmpty else { throw .missingValue(of: field, at: place) }
    func value(_ text: Substring) throws(FilterError) -> ClosedRange<Double> {
      guard let numbers = quantity.numbers(of: text) else {
        throw fail("'\(text)' is not \(quantity.form)")
      }
      return numbers
    }
    self.text = text
    let numbers: ClosedRange<Double>?
    if let sign = [">=", "<=", ">", "<"].first(where: { text.hasPrefix($0) }) {
      numbers = Self.comparison(sign, try value(text.dropFirst(sign.count)), from: quantity.start)
    } else if let dots = text.place(of: "..") {
      let (first, last) = (text[..<dots.lowerBound], text[dots.upperBound...])
      guard !first.isEmpty || !last.isEmpty else { throw fail("a range needs at least one end") }
      let lower = first.isEmpty ? quantity.start : try value(first).lowerBound
      let upper = last.isEmpty ? Double.infinity : try value(last).upperBound
      guard lower <= upper else { throw fail("'\(text)' ends before it begins") }
      numbers = lower...upper
    } else {
      numbers = try value(text[...])
      guard quantity != .size else {
        throw fail("'\(text)' is one exact value; write >\(text), <\(text) or a range")
      }
    }
    guard let numbers, numbers.upperBound >= quantity.least else {
      throw fail("no photo has \(field.rawValue):\(text)")
    }
    self.numbers = numbers
  }

  /// Returns the numbers from `start` on that pass a comparison with a value; nil if none does.
  private static func comparison(
    _ sign: String, _ value: ClosedRange<Double>, from start: Double
  ) -> ClosedRange<Double>? {
    switch sign {
    case ">=": value.lowerBound...Double.infinity
    case "<=": start...value.upperBound
    case ">": value.upperBound.nextUp...Double.infinity
    default: value.lowerBound > start ? start...value.lowerBound.nextDown : nil
    }
  }
}

extension FilterQuantity {
  /// The lower end of the ranges that are open below: 0, as a rejected photo has no stars but −1,
  /// or none for times of changes, which are negative before 1970.
  fileprivate var start: Double { min(least, 0) }

  /// A description of a valid value, to follow "is not" in a message.
  var form: String {
    switch self {
    case .date, .changed: "a date like 2024, 2024-05 or 2024-05-31"
    case .size: "a size like 800k, 5M or 1.5GiB"
    case .width, .height, .frames, .iso: "a whole number"
    case .rating: "a rating from 0 to 5; for rejected photos use 'rejected'"
    case .mp, .f, .mm: "a number like 24 or 2.8"
    case .exposure: "a time like 1/250, 0.5 or 30"
    }
  }

  /// Returns the range of numbers that a value stands for; nil if the value is invalid.
  ///
  /// A month stands for all of its seconds, and "2.8" for all numbers that are displayed as 2.8.
  fileprivate func numbers(of text: Substring) -> ClosedRange<Double>? {
    switch self {
    case .date: return Period(text).map { Double($0.first)...Double($0.last) }
    case .changed: return Period(text)?.localSeconds
    case .size: return Self.byteCount(text)
    case .rating:
      guard let stars = Int(text), (0...5).contains(stars), text.count == 1 else { return nil }
      return Double(stars)...Double(stars)
    case .width, .height, .frames, .iso:
      guard text.count <= 12, text.allSatisfy(\.isDigit) else { return nil }
      return Double(text).map { $0...$0 }
    case .mp, .f, .mm:
      return Self.decimal(text).map { max($0 - 0.05, 0)...($0 + 0.05).nextDown }
    case .exposure:
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard let first = Self.decimal(parts[0]), parts.count <= 2 else { return nil }
      guard parts.count == 2 else { return (first * 0.99)...(first * 1.01) }
      guard let second = Self.decimal(parts[1]), second > 0 else { return nil }
      return (first / second * 0.99)...(first / second * 1.01)
    }
  }

  /// Returns the value of a number without a sign or an exponent; nil for any other text.
  private static func decimal(_ text: Substring) -> Double? {
    guard !text.isEmpty, text.count <= 12, text.allSatisfy({ $0.isDigit || $0 == "." }),
      text.last != "."
    else { return nil }
    return Double(text)
  }

  /// Returns a number of bytes, such as "800k", "5M" or "1.5GiB"; nil if the text is invalid.
  private static func byteCount(_ text: Substring) -> ClosedRange<Double>? {
    let digits = text.prefix { $0.isDigit || $0 == "." }
    guard let number = Double(digits), digits.last != "." else { return nil }
    var unit = text.dropFirst(digits.count).lowercased()
    if unit.hasSuffix("b") { unit.removeLast() }
    let base: Double = unit.hasSuffix("i") ? 1024 : 1000
    if unit.hasSuffix("i"), unit.count == 2 { unit.removeLast() }
    guard let power = ["", "k", "m", "g", "t"].firstIndex(of: unit) else { return nil }
    let bytes = (0..<power).reduce(number) { bytes, _ in bytes * base }.rounded()
    return bytes < 1e18 ? bytes...bytes : nil
  }
}

extension Character {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) && isASCII }
}

/// A year, a month or a day.
private struct Period {
  /// The first and the last second, as the digits of `TakenTime`.
  let first, last: Int64

  init?(_ text: Substring) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), parts[0].count == 4,
      parts.dropFirst().allSatisfy({ (1...2).contains($0.count) }),
      parts.allSatisfy({ $0.allSatisfy(\.isDigit) })
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
    first = digits(months.lowerBound, days.lowerBound, 0)
    // Cameras may write 60 as the second, which `TakenTime` allows.
    last = digits(months.upperBound, days.upperBound, 235_960)
  }

  private static func dayCount(of month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The same period in the local time zone, in seconds since 1970; nil if it cannot be converted.
  var localSeconds: ClosedRange<Double>? {
    func seconds(_ digits: Int64, plusDays days: Int32) -> Double {
      var parts = tm()
      parts.tm_year = Int32(digits / 10_000_000_000) - 1900
      parts.tm_mon = Int32(digits / 100_000_000 % 100) - 1
      parts.tm_mday = Int32(digits / 1_000_000 % 100) + days
      parts.tm_isdst = -1
      return Double(mktime(&parts))
    }
    let (start, end) = (seconds(first, plusDays: 0), seconds(last, plusDays: 1) - 1)
    return start <= end ? start...end : nil
  }
}
