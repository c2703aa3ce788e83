import TestSupport
import Testing

@testable import Photos

/// Dates in filters that are relative to today, a Wednesday.
@Suite struct RelativeDateTests {
  private static let today = CalendarDate(year: 2024, month: 5, day: 15)

  @Test(
    arguments: [
      ("today", 2024_0515, 2024_0515), ("yesterday", 2024_0514, 2024_0514),
      ("TODAY", 2024_0515, 2024_0515), ("2w", 2024_0501, 2024_0515), ("-2w", 2024_0501, 2024_0515),
      ("1d", 2024_0514, 2024_0515), ("0d", 2024_0515, 2024_0515), ("3m", 2024_0215, 2024_0515),
      ("1y", 2023_0515, 2024_0515), ("30d", 2024_0415, 2024_0515), ("july", 2023_0701, 2023_0731),
      ("jul", 2023_0701, 2023_0731), ("may", 2024_0501, 2024_0531), ("feb", 2024_0201, 2024_0229),
      ("this-month", 2024_0501, 2024_0531), ("last-month", 2024_0401, 2024_0430),
      ("this-year", 2024_0101, 2024_1231), ("last-year", 2023_0101, 2023_1231),
      ("this-week", 2024_0513, 2024_0519), ("last-week", 2024_0506, 2024_0512),
      ("-30d..", 2024_0415, nil), ("30d..", 2024_0415, nil), ("..1y", nil, 2023_0515),
      ("july..today", 2023_0701, 2024_0515), (">=2w", 2024_0501, nil),
      ("<=yesterday", nil, 2024_0514),
      ("2019..2w", 2019_0101, 2024_0501),
    ] as [(String, Int?, Int?)])
  func `dates are relative to today`(text: String, first: Int?, last: Int?) throws {
    let filter = try Filter(parsing: "date:\(text)", today: Self.today)
    guard case .test(.number(.date, let range)) = filter.expression else {
      Issue.record("\(filter)")
      return
    }
    if let first { #expect(range.numbers.lowerBound == Double(first * 1_000_000)) }
    if let last { #expect(range.numbers.upperBound == Double(last * 1_000_000 + 235_960)) }
    #expect(
      try Filter(parsing: filter.description, today: Self.today).expression == filter.expression)
  }

  @Test(arguments: ["ju", "tomorrow", "2x", "w", "--2w", "99999d", "ma", "last", "2w3d", "-", "-w"])
  func `other words are no dates`(text: String) {
    #expect(throws: FilterError.self) { try Filter(parsing: "date:\(text)", today: Self.today) }
  }

  @Test func `without a day, relative dates are errors`() {
    #expect(throws: FilterError.self) { try Filter(parsing: "date:today") }
  }

  @Test func `days are counted over leap years and the ends of months`() {
    #expect(CalendarDate(daysSince1970: 0) == CalendarDate(year: 1970, month: 1, day: 1))
    for days in [0, 1, 58, 59, 365, 789, 790, 11_016, 11_017, 19_857, 40_000] {
      #expect(CalendarDate(daysSince1970: days)?.daysSince1970 == days)
    }
    let leap = CalendarDate(year: 2024, month: 3, day: 31)
    #expect(throws: Never.self) { try Filter(parsing: "date:1m", today: leap) }
  }
}
