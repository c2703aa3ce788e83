import Glibc

/// The days that a date in a filter stands for.
///
///     2024, 2024-05, 2024-05-31       a year, a month, a day
///     today, yesterday                days
///     july, jul                       the last one that has begun
///     this-week, last-month, ...      the whole week, month or year
///     3d, 2w, 6m, 1y                  so long, up to today; in a range, the day so long ago
struct FilterPeriod: Equatable {
  /// The first and the last day.
  let first, last: CalendarDate

  /// Parses a date; nil if it is none, or relative to a day that is not known.
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

  /// Returns the month or year with a name.
  private static func named(_ word: String, _ today: CalendarDate) -> CalendarDate? {
    guard let month = today.month else { return nil }
    switch word {
    case "this-year": return CalendarDate(year: today.year)
    case "last-year": return CalendarDate(year: today.year - 1)
    case "this-month": return CalendarDate(year: today.year, month: month)
    case "last-month": return CalendarDate(year: today.year, month: month).adding(months: -1)
    default:
      guard word.count >= 3, let index = months.firstIndex(where: { $0.hasPrefix(word) }) else {
        return nil
      }
      return CalendarDate(year: index < month ? today.year : today.year - 1, month: index + 1)
    }
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

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
