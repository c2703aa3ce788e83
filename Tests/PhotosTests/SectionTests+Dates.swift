import Testing

@testable import Photos

/// Dates as they are parsed, compared and formatted.
extension SectionTests {
  @Test(arguments: [
    ("2019", "2019"), ("2019-07", "2019-07"), ("2019-07-14", "2019-07-14"),
    ("2019-7-4", "2019-07-04"),
    ("2024-02-29", "2024-02-29"), ("0001", "0001"), ("9999-12-31", "9999-12-31"),
  ])
  func `typed dates are parsed`(text: String, iso: String) {
    #expect(CalendarDate(parsing: text)?.iso8601 == iso)
  }

  @Test(arguments: [
    "", "19", "2019-", "2019-13", "2019-00", "2019-02-29", "2019-02-00", "2019-1-1-1", "0000",
    "20x9",
    "2019-07-141", "-2019", "٢٠١٩", "2019 07",
  ])
  func `text that is not a date is rejected`(text: String) {
    #expect(CalendarDate(parsing: text) == nil)
  }

  @Test func `dates are in calendar order and have the right weekdays`() {
    let dates = ["2019", "2019-07", "2019-07-14", "2019-08", "2020"]
      .compactMap { CalendarDate(parsing: $0) }
    #expect(dates == dates.sorted() && dates.count == 5)
    for (text, weekday) in [
      ("2024-05-21", 2), ("2000-02-29", 2), ("1900-01-01", 1), ("1970-01-01", 4), ("9999-12-31", 5),
    ] {
      #expect(CalendarDate(parsing: text)?.weekday == weekday, "\(text)")
    }
    #expect(CalendarDate(year: 2019, month: 7).weekday == nil)
  }

  @Test(arguments: [
    ("2019-02", "2019-01-31", 1), ("2019-02", "2019-02-28", 0), ("2019-02", "2019-03-02", 2),
    ("2019", "2019-07-14", 0), ("2019", "2018", 1), ("2020-02-29", "2020-03-01", 1),
    ("2019-02", "2024-12-01", 2103), ("0001-01-01", "9999-12-31", 3_652_058),
  ])
  func `the days between two dates are counted from the end of the earlier`(
    one: String, other: String, count: Int64
  ) throws {
    let first = try #require(CalendarDate(parsing: one))
    let second = try #require(CalendarDate(parsing: other))
    #expect(first.days(to: second) == count && second.days(to: first) == count)
  }

  @Test func `dates are formatted in the order and language of the locale`() {
    let day = CalendarDate(year: 2024, month: 5, day: 21)
    let month = CalendarDate(year: 2024, month: 5)
    var format = DateFormat.english
    #expect(format.text(of: day) == "Tuesday, 21 May 2024")
    format.order = .monthFirst
    #expect(format.text(of: day) == "Tuesday, May 21, 2024" && format.text(of: month) == "May 2024")
    format.order = .yearFirst
    #expect(format.text(of: day) == "2024 May 21, Tuesday" && format.text(of: month) == "2024 May")
    let russian = DateFormat(
      order: .dayFirst, weekdays: [], months: (1...12).map { "м\($0)а" },
      monthsAlone: (1...12).map { "м\($0)" })
    #expect(russian.text(of: day) == "Tuesday, 21 м5а 2024" && russian.text(of: month) == "м5 2024")
  }
}
