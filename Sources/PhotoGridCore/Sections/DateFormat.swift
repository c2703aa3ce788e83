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

  /// Returns the first three letters of a month, 1 to 12; nil for other numbers.
  package func shortMonth(_ month: Int) -> String? {
    name(month - 1, in: monthsAlone).map { String($0.prefix(3)) }
  }

  private func name(_ index: Int, in names: [String]) -> String? {
    names.indices.contains(index) ? names[index] : nil
  }
}
