import Geometry
import Glibc
import Photos

extension DateFormat {
  /// The format of dates in the current locale, which `setlocale` must have set.
  ///
  /// It is English for the locale C or POSIX, and for an encoding other than UTF-8.
  static var ofLocale: DateFormat {
    guard text(of: Int(CODESET)) == "UTF-8", let name = setlocale(LC_TIME, nil),
      !["C", "POSIX", "C.UTF-8", "C.utf8"].contains(String(cString: name))
    else { return .english }
    return DateFormat(
      order: order(of: text(of: Int(D_FMT))),
      weekdays: (0..<7).map { text(of: Int(DAY_1) + $0) },
      months: (0..<12).map { text(of: Int(MON_1) + $0) },
      monthsAlone: (0..<12).map { text(of: Int(__ALTMON_1) + $0) })
  }

  /// Returns the order of the parts in a format for `strftime`, such as "%d.%m.%Y".
  static func order(of format: String) -> Order {
    let parts = format.split(separator: "%", omittingEmptySubsequences: false).dropFirst()
    // Flags for padding and other calendars come between the percent sign and the letter.
    let letters = parts.compactMap { part in part.first { !"-_^#0EO".contains($0) } }
    switch letters.first(where: { "deDmbhByYF".contains($0) }) {
    case "m", "b", "h", "B", "D": return .monthFirst
    case "y", "Y", "F": return .yearFirst
    default: return .dayFirst
    }
  }

  private static func text(of item: Int) -> String {
    guard let text = nl_langinfo(nl_item(item)) else { return "" }
    return PrintableText.from(
      Array(UnsafeBufferPointer(start: text, count: strlen(text))).map {
        UInt8(bitPattern: $0)
      })
  }
}
