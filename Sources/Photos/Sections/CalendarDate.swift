/// A day, a month or a year on a camera's clock, without a time zone.
package struct CalendarDate: Hashable, Comparable, Sendable {
  /// The year, month and day as the decimal digits of one number, such as 20240521; a missing month
  /// or day is 00.
  private let digits: Int32

  /// Creates a date: a month if there is no day, a year if there is no month.
  package init(year: Int, month: Int? = nil, day: Int? = nil) {
    let (month, day) = (month ?? 0, month == nil ? 0 : day ?? 0)
    digits = Int32(clamping: year * 10_000 + month * 100 + day)
  }

  /// Creates the day, month or year of a time; nil for groupings that are not by date.
  init?(_ time: TakenTime, by grouping: Grouping) {
    let day = Int32(clamping: time.digits / 1_000_000)
    switch grouping {
    case .day: digits = day
    case .month: digits = day / 100 * 100
    case .year: digits = day / 10_000 * 10_000
    case .none, .folder, .rating, .similar: return nil
    }
  }

  package var year: Int { Int(digits) / 10_000 }

  /// The month, 1 to 12; nil for a year.
  package var month: Int? { part(Int(digits) / 100 % 100) }

  /// The day of the month; nil for a month or a year.
  package var day: Int? { part(Int(digits) % 100) }

  /// The day of the week, 0 for Sunday; nil for a month, a year or an impossible day.
  package var weekday: Int? {
    guard let month, let day, year > 0,
      (1...Self.dayCount(month: month, year: year)).contains(day)
    else { return nil }
    // Sakamoto's method: the year begins in March, so that the leap day is its last one.
    let offsets = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]
    let year = month < 3 ? year - 1 : year
    return (year + year / 4 - year / 100 + year / 400 + offsets[month - 1] + day) % 7
  }

  /// Returns the year or month that contains this date; the date itself for other groupings.
  package func truncated(to grouping: Grouping) -> CalendarDate {
    switch grouping {
    case .year: CalendarDate(year: year)
    case .month: CalendarDate(year: year, month: month)
    case .day, .none, .folder, .rating, .similar: self
    }
  }

  /// The date in ISO 8601: "2024-05-21", "2024-05" or "2024".
  package var iso8601: String {
    func padded(_ value: Int, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return ([padded(year, 4)] + [month, day].compactMap { $0.map { padded($0, 2) } })
      .joined(separator: "-")
  }

  /// Returns the number of days between this date and another one, from the end of the earlier to
  /// the beginning of the later; 0 if one contains the other.
  package func days(to other: CalendarDate) -> Int64 {
    let (one, two) = (dayNumbers, other.dayNumbers)
    return max(two.lowerBound - one.upperBound, one.lowerBound - two.upperBound, 0)
  }

  private var dayNumbers: ClosedRange<Int64> {
    func number(_ month: Int, _ day: Int) -> Int64 {
      let date = CalendarDate(year: year, month: month, day: day)
      return TakenTime(digits: Int64(date.digits) * 1_000_000).seconds / 86_400
    }
    let first = number(month ?? 1, day ?? 1)
    let last = month ?? 12
    return first...max(first, number(last, day ?? Self.dayCount(month: last, year: year)))
  }

  /// Orders by time; a year comes before its months, and a month before its days.
  package static func < (left: CalendarDate, right: CalendarDate) -> Bool {
    left.digits < right.digits
  }

  private func part(_ number: Int) -> Int? { number == 0 ? nil : number }

  static func dayCount(month: Int, year: Int) -> Int {
    switch month {
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    case 1...12: 31
    default: 0
    }
  }
}

extension CalendarDate {
  /// Creates the day a number of days after the beginning of 1970; nil before that, and far from it.
  init?(daysSince1970 days: Int) {
    guard (0..<100_000).contains(days) else { return nil }
    var (year, rest) = (1970, days)
    func length(_ year: Int) -> Int { 337 + Self.dayCount(month: 2, year: year) }
    while rest >= length(year) {
      rest -= length(year)
      year += 1
    }
    var month = 1
    while rest >= Self.dayCount(month: month, year: year) {
      rest -= Self.dayCount(month: month, year: year)
      month += 1
    }
    self.init(year: year, month: month, day: rest + 1)
  }

  /// The number of days since the beginning of 1970; of a month or year, to its beginning.
  var daysSince1970: Int {
    func days(_ digits: Int64) -> Int64 { TakenTime(digits: digits).seconds / 86_400 }
    let day = Int64(year * 10_000 + (month ?? 1) * 100 + (day ?? 1)) * 1_000_000
    return Int(days(day) - days(1970_0101_000000))
  }
}

/// A format of dates: the names of months and weekdays, and the order of the parts.
///
/// It is passed in as a value, since the core does not read the user's locale.
package struct DateFormat: Equatable, Sendable {
  package enum Order: Equatable, Sendable {
    /// "Tuesday, 21 May 2024"
    case dayFirst
    /// "Tuesday, May 21, 2024"
    case monthFirst
    /// "2024 May 21, Tuesday"
    case yearFirst
  }

  package var order: Order
  /// The names of the days of the week, from Sunday on; printable.
  package var weekdays: [String]
  /// The names of the months after or before a day; printable.
  package var months: [String]
  /// The names of the months without a day, which differ in some languages; printable.
  package var monthsAlone: [String]

  /// Creates a format with the names of seven weekdays, from Sunday on, and twelve months; an
  /// incomplete list is replaced by the English one.
  package init(order: Order, weekdays: [String], months: [String], monthsAlone: [String]? = nil) {
    self.order = order
    self.weekdays = Self.isComplete(weekdays, 7) ? weekdays : Self.englishWeekdays
    self.months = Self.isComplete(months, 12) ? months : Self.englishMonths
    self.monthsAlone = monthsAlone.flatMap { Self.isComplete($0, 12) ? $0 : nil } ?? self.months
  }

  /// The format with English names and the day first.
  package static let english = DateFormat(
    order: .dayFirst, weekdays: englishWeekdays, months: englishMonths)

  private static let englishWeekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let englishMonths = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  private static func isComplete(_ names: [String], _ count: Int) -> Bool {
    names.count == count && !names.contains("")
  }

  package func text(of date: CalendarDate, hasWeekday: Bool = true) -> String {
    let year = String(date.year)
    guard
      let month = date.month.flatMap({ name($0 - 1, in: date.day == nil ? monthsAlone : months) })
    else { return year }
    guard let day = date.day else {
      return order == .yearFirst ? "\(year) \(month)" : "\(month) \(year)"
    }
    let weekday = hasWeekday ? date.weekday.flatMap { name($0, in: weekdays) } : nil
    switch order {
    case .dayFirst: return (weekday.map { "\($0), " } ?? "") + "\(day) \(month) \(year)"
    case .monthFirst: return (weekday.map { "\($0), " } ?? "") + "\(month) \(day), \(year)"
    case .yearFirst: return "\(year) \(month) \(day)" + (weekday.map { ", \($0)" } ?? "")
    }
  }

  /// Returns the first three letters of a month, 1 to 12; nil for other numbers.
  package func shortMonth(_ month: Int) -> String? {
    name(month - 1, in: monthsAlone).map { String($0.prefix(3)) }
  }

  /// Returns the number of the month, 1 to 12, that a word names in this format or in English, or whose
  /// name alone begins with its three or more letters; nil if there is none.
  func month(named word: some StringProtocol) -> Int? {
    for names in [months, monthsAlone, Self.englishMonths] {
      if let index = Self.index(of: word, in: names) { return index + 1 }
    }
    return nil
  }

  /// Whether a word names a day of the week in this format or in English.
  func isWeekday(_ word: some StringProtocol) -> Bool {
    [weekdays, Self.englishWeekdays].contains { Self.index(of: word, in: $0) != nil }
  }

  private static func index(of word: some StringProtocol, in names: [String]) -> Int? {
    let (word, names) = (word.lowercased(), names.map { $0.lowercased() })
    let fitting = names.indices.filter { word.count >= 3 && names[$0].hasPrefix(word) }
    return names.firstIndex(of: word) ?? (fitting.count == 1 ? fitting[0] : nil)
  }

  private func name(_ index: Int, in names: [String]) -> String? {
    names.indices.contains(index) ? names[index] : nil
  }
}
