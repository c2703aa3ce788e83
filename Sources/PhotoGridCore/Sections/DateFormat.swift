/// How dates are written: the names of months and days of the week, and the order of the parts.
///
/// A value, since only the program knows the user's locale.
package struct DateFormat: Equatable, Sendable {
  /// What comes first in a date.
  package enum Order: Equatable, Sendable {
    /// "Tuesday, 21 May 2024"
    case dayFirst
    /// "Tuesday, May 21, 2024"
    case monthFirst
    /// "2024 May 21, Tuesday"
    case yearFirst
  }

  /// The order of the parts.
  package var order: Order
  /// The days of the week, from Sunday on; printable.
  package var weekdays: [String]
  /// The months as they are written in a date; printable.
  package var months: [String]
  /// The months as they are written without a day, in languages where that differs; printable.
  package var monthsAlone: [String]

  /// Dates in the given words, seven days and twelve months; of a list that is not complete the
  /// English one takes the place.
  package init(
    order: Order, weekdays: [String], months: [String], monthsAlone: [String]? = nil
  ) {
    self.order = order
    self.weekdays = Self.isComplete(weekdays, 7) ? weekdays : Self.englishWeekdays
    self.months = Self.isComplete(months, 12) ? months : Self.englishMonths
    self.monthsAlone = monthsAlone.flatMap { Self.isComplete($0, 12) ? $0 : nil } ?? self.months
  }

  /// Dates in English, the day first.
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

  /// A date in words.
  package func text(of date: CalendarDate) -> String {
    let year = String(date.year)
    guard
      let month = date.month.flatMap({ name($0 - 1, in: date.day == nil ? monthsAlone : months) })
    else { return year }
    guard let day = date.day else {
      return order == .yearFirst ? "\(year) \(month)" : "\(month) \(year)"
    }
    let weekday = date.weekday.flatMap { name($0, in: weekdays) }
    switch order {
    case .dayFirst: return (weekday.map { "\($0), " } ?? "") + "\(day) \(month) \(year)"
    case .monthFirst: return (weekday.map { "\($0), " } ?? "") + "\(month) \(day), \(year)"
    case .yearFirst: return "\(year) \(month) \(day)" + (weekday.map { ", \($0)" } ?? "")
    }
  }

  /// The first letters of a month, as long as are needed to tell it from others.
  package func shortMonth(_ month: Int) -> String? {
    name(month - 1, in: monthsAlone).map { String($0.prefix(3)) }
  }

  private func name(_ index: Int, in names: [String]) -> String? {
    names.indices.contains(index) ? names[index] : nil
  }
}
