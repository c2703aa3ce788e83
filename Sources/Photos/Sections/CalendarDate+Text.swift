/// Dates as people type them, and as the headings show them.
extension CalendarDate {
  /// Parses a date such as "2019", "2019-07", "2019-07-14", "July 2019", "jul-2019", "14 July 2019" or
  /// "Sunday, July 14, 2019"; nil if it is invalid.
  ///
  /// Months have their names in a format, or English ones, which may be cut after three letters.
  package init?(parsing text: String, in format: DateFormat = .english) {
    guard let date = Self(numbers: text) ?? Self(words: text, in: format) else { return nil }
    self = date
  }

  /// Examples of dates that can be typed.
  package static let examples = "2019, July 2019, or 2019-07-14"

  private init?(numbers text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), parts[0].count == 4,
      parts.dropFirst().allSatisfy({ (1...2).contains($0.count) })
    else { return nil }
    let numbers = parts.compactMap { $0.allSatisfy(\.isDigit) ? Int($0) : nil }
    guard numbers.count == parts.count else { return nil }
    self.init(
      checked: numbers[0], numbers.count > 1 ? numbers[1] : nil,
      numbers.count > 2 ? numbers[2] : nil)
  }

  /// The longest text with the name of a month, in characters.
  private static let maxLength = 80

  private init?(words text: String, in format: DateFormat) {
    guard let first = text.first, first.isLetter || first.isDigit,
      text.utf8.count <= 4 * Self.maxLength, text.count <= Self.maxLength
    else { return nil }
    var (year, month, day): (Int?, Int?, Int?)
    for part in text.split(whereSeparator: { " -,./".contains($0) }).flatMap(Self.runs) {
      if part.allSatisfy(\.isDigit), let number = Int(part) {
        switch part.count {
        case 4 where year == nil: year = number
        case 1...2 where day == nil: day = number
        default: return nil
        }
      } else if month == nil, let number = format.month(named: part) {
        month = number
      } else if !format.isWeekday(part) {
        return nil
      }
    }
    guard let year, let month else { return nil }
    self.init(checked: year, month, day)
  }

  /// Splits "jul2019" into letters and digits.
  private static func runs(of word: Substring) -> [Substring] {
    var runs: [Substring] = []
    var rest = word
    while let first = rest.first {
      let run = rest.prefix { $0.isDigit == first.isDigit }
      runs.append(run)
      rest = rest.dropFirst(run.count)
    }
    return runs
  }

  private init?(checked year: Int, _ month: Int?, _ day: Int?) {
    guard year > 0, month.map((1...12).contains) ?? true else { return nil }
    if let month, let day {
      guard (1...Self.dayCount(month: month, year: year)).contains(day) else { return nil }
    }
    self.init(year: year, month: month, day: day)
  }
}

extension Character {
  var isDigit: Bool { ("0"..."9").contains(self) && isASCII }
}
