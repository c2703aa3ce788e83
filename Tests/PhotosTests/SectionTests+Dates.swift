import Testing

@testable import Photos

/// Dates as they are parsed, compared and formatted.
extension SectionTests {
  @Test(arguments: [
    ("2019", "2019"), ("2019-07", "2019-07"), ("2019-07-14", "2019-07-14"),
    ("2019-7-4", "2019-07-04"),
    ("2024-02-29", "2024-02-29"), ("0001", "0001"), ("9999-12-31", "9999-12-31"),
    ("July 2019", "2019-07"), ("jul 2019", "2019-07"), ("july-2019", "2019-07"),
    ("jul2019", "2019-07"), ("14 July 2019", "2019-07-14"), ("2019 July 4", "2019-07-04"),
    ("Sunday, July 14, 2019", "2019-07-14"), ("14.jul.2019", "2019-07-14"),
    ("29 FEBRUARY 2024", "2024-02-29"), ("14jul2019", "2019-07-14"), ("may 0001", "0001-05"),
  ])
  func `typed dates are parsed`(text: String, iso: String) {
    #expect(CalendarDate(parsing: text)?.iso8601 == iso)
  }

  @Test(arguments: [
    "", "19", "2019-", "2019-13", "2019-00", "2019-02-29", "2019-02-00", "2019-1-1-1", "0000",
    "20x9",
    "2019-07-141", "-2019", "٢٠١٩", "2019 07", "July", "ju 2019", "jully 2019", "July 19",
    "July 2019 2019",
    "31 June 2019", "29 Feb 2023", "0 July 2019", "July 0000", "July July 2019", "-July 2019",
    "14 15 July 2019", "Julï 2019", "July+2019", "July ٢٠١٩", "Sunday 2019",
    String(repeating: "July 2019 ", count: 500),
  ])
  func `text that is not a date is rejected`(text: String) {
    #expect(CalendarDate(parsing: text) == nil)
  }

  @Test func `months have the names of the headings, or English ones`() {
    let german = DateFormat(
      order: .dayFirst, weekdays: (0..<7).map { "Tag\($0)" },
      months: [
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
        "Oktober", "November", "Dezember",
      ])
    for text in ["Juli 2019", "JULI 2019", "14. Juli 2019", "July 2019", "mär 2019", "Ma 2019"] {
      let date = CalendarDate(parsing: text, in: german)
      #expect((date == nil) == (text == "Ma 2019"), "\(text)")
      #expect(date.map { german.text(of: $0).hasSuffix("2019") } ?? true)
    }
    #expect(CalendarDate(parsing: "mai 2019") == nil)
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
