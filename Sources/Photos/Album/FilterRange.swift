import Glibc

/// The range of numbers that a filter accepts, with the text that it was parsed from.
struct FilterRange: Equatable, Sendable {
  /// The text as it was typed after the colon.
  var text: String
  /// The numbers that pass, in the units of `FilterQuantity.number(of:)`.
  var numbers: ClosedRange<Double>
}

extension FilterRange {
  /// Parses a value, a comparison such as `>800` or `800+`, or a range such as `100..400`.
  ///
  /// - Throws: An error that describes why the text is invalid.
  init(
    parsing text: String, of field: FilterField, _ quantity: FilterQuantity, at position: Int,
    today: CalendarDate?
  ) throws(FilterError) {
    func fail(_ reason: String) -> FilterError {
      FilterError(position: position, length: text.count, reason: reason)
    }
    guard !text.isEmpty else { throw .missingValue(of: field, at: position) }
    func value(
      _ text: Substring, isAlone: Bool = false
    ) throws(FilterError) -> ClosedRange<Double> {
      guard let numbers = quantity.numbers(of: text, today, isAlone: isAlone) else {
        throw fail("'\(text)' is not \(quantity.form)")
      }
      return numbers
    }
    self.text = text
    let numbers: ClosedRange<Double>?
    if let sign = [">=", "<=", ">", "<"].first(where: { text.hasPrefix($0) }) {
      numbers = Self.comparison(sign, try value(text.dropFirst(sign.count)), from: quantity.start)
    } else if text.last == "+" {
      numbers = Self.comparison(">=", try value(text.dropLast()), from: quantity.start)
    } else if let dots = text.range(of: "..") {
      let (first, last) = (text[..<dots.lowerBound], text[dots.upperBound...])
      guard !first.isEmpty || !last.isEmpty else { throw fail("a range needs a start or an end") }
      let lower = first.isEmpty ? quantity.start : try value(first).lowerBound
      let upper = last.isEmpty ? Double.infinity : try value(last).upperBound
      guard lower <= upper else { throw fail("'\(text)' ends before it begins") }
      numbers = lower...upper
    } else {
      numbers = try value(text[...], isAlone: true)
      guard quantity != .size else {
        throw fail("'\(text)' means exactly that size; use >\(text), <\(text), or \(text)+")
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
    case .date, .changed: "a date like 2024, July 2019, 2024-05-31, today, or 2w"
    case .size: "a size like 800k, 5M, or 1.5GiB"
    case .width, .height, .frames, .iso: "a whole number"
    case .rating: "a rating from 0 to 5; for rejected photos use 'rejected'"
    case .mp, .f, .mm: "a number like 24 or 2.8"
    case .length: "a length like 90, 1min, 1m30s, 1:30, or 2h"
    case .exposure: "a time like 1/250, 0.5, or 30"
    }
  }

  /// Returns the range of numbers that a value stands for; nil if the value is invalid.
  ///
  /// A month stands for all of its seconds, and "2.8" for all numbers that are displayed as 2.8.
  ///
  /// - `text`: The value.
  /// - `today`: The current day; nil if it is not known.
  /// - `isAlone`: Whether the value is neither compared nor the end of a range; see `FilterPeriod`.
  fileprivate func numbers(
    of text: Substring, _ today: CalendarDate?, isAlone: Bool
  ) -> ClosedRange<Double>? {
    func period() -> FilterPeriod? { FilterPeriod(text, today: today, isAlone: isAlone) }
    switch self {
    case .date: return period()?.digits
    case .changed: return period()?.localSeconds
    case .size: return Self.byteCount(text)
    case .rating:
      guard let stars = Int(text), (0...5).contains(stars), text.count == 1 else { return nil }
      return Double(stars)...Double(stars)
    case .width, .height, .frames, .iso:
      guard text.count <= 12, text.allSatisfy(\.isDigit) else { return nil }
      return Double(text).map { $0...$0 }
    case .length: return Self.length(text)
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

  /// Returns the seconds of a length such as "90", "1m30s", "1:30", "2h" or "1min", which stands for all
  /// lengths that are displayed as it; nil if the text is invalid.
  private static func length(_ text: Substring) -> ClosedRange<Double>? {
    guard let seconds = text.contains(":") ? clock(text) : units(text) else { return nil }
    return max(seconds - 0.5, 0)...(seconds + 0.5).nextDown
  }

  /// Returns the seconds of a length such as "1:30" or "1:30:00"; nil if the text is invalid.
  private static func clock(_ text: Substring) -> Double? {
    var seconds = 0.0
    for part in text.split(separator: ":", omittingEmptySubsequences: false) {
      guard (1...6).contains(part.count), part.allSatisfy(\.isDigit), let number = Double(part)
      else { return nil }
      seconds = seconds * 60 + number
    }
    return seconds
  }

  /// Returns the seconds of a length such as "90", "1m30s" or "2hours"; nil if the text is invalid.
  private static func units(_ text: Substring) -> Double? {
    var (seconds, rest, last) = (0.0, text, Double.infinity)
    while !rest.isEmpty {
      let digits = rest.prefix(while: \.isDigit)
      let word = rest.dropFirst(digits.count).prefix { !$0.isDigit }.lowercased()
      guard (1...6).contains(digits.count), let number = Double(digits),
        let unit = unit(word), unit < last
      else { return nil }
      seconds += number * unit
      last = unit
      rest = rest.dropFirst(digits.count + word.count)
    }
    return last < .infinity ? seconds : nil
  }

  /// Returns the seconds of a unit of time; nil if the word is none.
  private static func unit(_ word: String) -> Double? {
    switch word {
    case "h", "hr", "hrs", "hour", "hours": 3600
    case "m", "min", "mins", "minute", "minutes": 60
    case "", "s", "sec", "secs", "second", "seconds": 1
    default: nil
    }
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

/// The days that a date in a filter stands for.
///
///     2024, 2024-05, 2024-05-31       a year, a month, a day
///     May 2024, may-2024, 31 May 2024 the same in words
///     today, yesterday                days
///     july, jul                       this year's July, or last year's if it is still ahead
///     this-week, last-month, ...      the whole week, month or year
///     3d, 2w, 6m, 1y                  this long, up to today; in a range, the day this long ago
struct FilterPeriod: Equatable {
  /// The first and the last day.
  let first, last: CalendarDate

  /// Parses a date; nil if the text is not a date, or needs `today` and that is nil.
  ///
  /// - `isAlone`: Whether "2w" stands for two weeks, rather than for the day two weeks ago.
  init?(_ text: Substring, today: CalendarDate?, isAlone: Bool) {
    if let date = CalendarDate(parsing: String(text)) {
      (first, last) = (date.firstDay, date.lastDay)
      return
    }
    guard let today else { return nil }
    let word = text.lowercased()
    if let days = ["today": 0, "yesterday": 1][word] {
      (first, last) = (today.adding(days: -days), today.adding(days: -days))
    } else if let period = Self.named(word, today) {
      (first, last) = (period.firstDay, period.lastDay)
    } else if let week = ["this-week": 0, "last-week": 7][word] {
      // Weeks begin on Monday, as in ISO 8601.
      first = today.adding(days: -((today.weekday ?? 0) + 6) % 7 - week)
      last = first.adding(days: 6)
    } else {
      let digits = word.drop { $0 == "-" }.dropLast()
      guard word.prefix(2) != "--", let count = Int(digits), (0...9999).contains(count),
        digits.allSatisfy(\.isNumber), let unit = word.last,
        let start = Self.day(count, unit, before: today)
      else { return nil }
      (first, last) = (start, isAlone ? today : start)
    }
  }

  /// Whether a text is a date, a comparison with one, or a range of dates, in the right form.
  static func areDates(_ text: String, today: CalendarDate?) -> Bool {
    let sign = text.prefix { "<>=".contains($0) }
    var value = text.dropFirst(sign.count)
    if value.last == "+" { value.removeLast() }
    let ends = value.range(of: "..").map {
      [value[..<$0.lowerBound], value[$0.upperBound...]].filter { !$0.isEmpty }
    }
    return (ends ?? [value]).allSatisfy {
      FilterPeriod($0, today: today, isAlone: false) != nil
    }
  }

  /// Returns the month or year with a name.
  private static func named(_ word: String, _ today: CalendarDate) -> CalendarDate? {
    guard let month = today.month else { return nil }
    switch word {
    case "this-year": return CalendarDate(year: today.year)
    case "last-year": return CalendarDate(year: today.year - 1)
    case "this-month": return CalendarDate(year: today.year, month: month)
    case "last-month": return CalendarDate(year: today.year, month: month).adding(months: -1)
    default:
      guard let number = DateFormat.english.month(named: word) else { return nil }
      return CalendarDate(year: number <= month ? today.year : today.year - 1, month: number)
    }
  }

  /// The words that stand for days, for completion.
  static let words = [
    "today", "yesterday", "this-week", "last-week", "this-month", "last-month", "this-year",
    "last-year",
  ]

  private static func day(_ count: Int, _ unit: Character, before today: CalendarDate)
    -> CalendarDate?
  {
    switch unit {
    case "d": today.adding(days: -count)
    case "w": today.adding(days: -7 * count)
    case "m": today.adding(months: -count)
    case "y": today.adding(months: -12 * count)
    default: nil
    }
  }

  /// The first and the last second, as the digits of `TakenTime`.
  var digits: ClosedRange<Double> {
    // Cameras may write 60 as the second, which `TakenTime` allows.
    let (start, end) = (Double(first.dayDigits * 1_000_000), Double(last.dayDigits * 1_000_000))
    return start...max(start, end + 235_960)
  }

  /// The same days in the local time zone, in seconds since 1970; nil if they cannot be converted.
  var localSeconds: ClosedRange<Double>? {
    func seconds(_ date: CalendarDate, plusDays days: Int32) -> Double {
      var parts = tm()
      parts.tm_year = Int32(date.year) - 1900
      parts.tm_mon = Int32(date.month ?? 1) - 1
      parts.tm_mday = Int32(date.day ?? 1) + days
      parts.tm_isdst = -1
      return Double(mktime(&parts))
    }
    let (start, end) = (seconds(first, plusDays: 0), seconds(last, plusDays: 1) - 1)
    return start <= end ? start...end : nil
  }
}

extension CalendarDate {
  /// The first day of a year or month; a day itself.
  fileprivate var firstDay: CalendarDate {
    CalendarDate(year: year, month: month ?? 1, day: day ?? 1)
  }

  /// The last day of a year or month; a day itself.
  fileprivate var lastDay: CalendarDate {
    let month = month ?? 12
    return CalendarDate(
      year: year, month: month, day: day ?? Self.dayCount(month: month, year: year))
  }

  fileprivate var dayDigits: Int { year * 10_000 + (month ?? 1) * 100 + (day ?? 1) }

  /// Returns the day a number of days later; no day before 1970.
  fileprivate func adding(days: Int) -> CalendarDate {
    CalendarDate(daysSince1970: max(daysSince1970 + days, 0)) ?? self
  }

  /// Returns the same day of a later month, or its last one if it has none; a month stays a month.
  fileprivate func adding(months: Int) -> CalendarDate {
    let number = year * 12 + (month ?? 1) - 1 + months
    let (year, month) = (max(number / 12, 1), number % 12 + 1)
    return CalendarDate(
      year: year, month: month,
      day: day.map { min($0, Self.dayCount(month: month, year: year)) })
  }
}
