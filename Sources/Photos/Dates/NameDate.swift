/// A date in the name of a file or folder, as phones, programs and people write it.
///
///     IMG-20190704-WA0003.jpg               WhatsApp
///     IMG_20190704_101112.jpg               Android
///     PXL_20190704_101112123.jpg            Pixel
///     IMG20190704101112.jpg                 Oppo, Realme, OnePlus
///     Screenshot_2019-07-04-10-11-12.png    Android
///     Screenshot 2019-07-04 at 10.11.12.png macOS, in any language
///     signal-2019-07-04-101112.jpg          Signal
///     photo_2019-07-04_10-11-12.jpg         Telegram
///     Foto 04.07.19, 10 11 12.jpg           an iPhone in German
///     mmexport1562230272123.jpg             milliseconds since 1970, as of WeChat and Facebook
///
/// Digits in the middle of a word, such as a hash, or of a longer number, such as one to call, are
/// no date.
struct NameDate: Equatable {
  /// The date as `TakenTime.digits`, at the beginning of the day or month if only that is known.
  var digits: Int64
  /// How much of it is known.
  var precision: PhotoDate.Precision

  /// Finds the first date in the name of a file; nil if there is none.
  init?(in name: some BidirectionalCollection<UInt8>) {
    // Most names without a date have fewer digits.
    var digitCount = 0
    for byte in name where byte.isDigit { digitCount += 1 }
    guard digitCount >= 6 else { return nil }
    let scanner = DateScanner(Array(name[..<name.extensionStart]))
    guard !scanner.isUUID, let date = scanner.firstDate else { return nil }
    self = date
  }

  /// Finds a date in the path of a folder, from the innermost one outward; nil if there is none.
  init?(inFolder path: [UInt8]) {
    let parts = path.split(separator: UInt8(ascii: "/")).map { Array($0) }
    for last in parts.indices.reversed() {
      if let date = Self.date(ofFolder: last, in: parts) {
        self = date
        return
      }
    }
    return nil
  }

  init?(year: Int, month: Int, day: Int? = nil, time: Int? = nil) {
    guard (1900...2199).contains(year), (1...12).contains(month),
      day.map({ (1...CalendarDate.dayCount(month: month, year: year)).contains($0) }) ?? true
    else { return nil }
    let date = (year * 100 + month) * 100 + (day ?? 1)
    digits = Int64(date * 1_000_000 + (time ?? 0))
    precision = day == nil ? .month : time == nil ? .day : .second
  }

  /// The date that a folder's name begins with, or that it makes up with those of the folders around
  /// it: "2019-07 Rome", "2019/07/04", "2019/07 Rome"; a year alone is none.
  private static func date(ofFolder index: Int, in parts: [[UInt8]]) -> NameDate? {
    let scanner = DateScanner(parts[index])
    if let date = scanner.firstDate ?? scanner.leadingMonth { return date }
    func number(_ index: Int, _ count: Int) -> Int? {
      guard parts.indices.contains(index) else { return nil }
      return DateScanner(parts[index]).leadingNumber(count)
    }
    guard let inner = number(index, 2) else { return nil }
    if let year = number(index - 1, 4) { return NameDate(year: year, month: inner) }
    guard let month = number(index - 1, 2), let year = number(index - 2, 4) else { return nil }
    return NameDate(year: year, month: month, day: inner)
  }
}

private struct DateScanner {
  private let text: [UInt8]

  init(_ text: [UInt8]) { self.text = text }

  /// The first date in the text; nil if there is none.
  var firstDate: NameDate? {
    var start = 0
    while start < text.count {
      guard text[start].isDigit else {
        start += 1
        continue
      }
      let end = endOfDigits(from: start)
      if let date = date(inDigits: start..<end) { return date }
      start = end
    }
    return nil
  }

  /// Whether the text has the form of a UUID, in which eight digits are no date.
  var isUUID: Bool {
    guard text.count == 36 else { return false }
    return text.indices.allSatisfy { index in
      [8, 13, 18, 23].contains(index)
        ? text[index] == UInt8(ascii: "-") : text[index].isDigit || text[index].isLetter
    }
  }

  /// The month at the beginning of the text: "2019-07 Rome", "2019_07", "2019.07"; nil if there is
  /// none.
  var leadingMonth: NameDate? {
    guard let year = leadingNumber(4), text.count > 5, Self.isSeparator(text[4]),
      endOfDigits(from: 5) == 7
    else { return nil }
    return NameDate(year: year, month: number(5..<7))
  }

  /// Returns the number of a number of digits at the beginning of the text; nil if there is none, or
  /// a letter follows it.
  func leadingNumber(_ count: Int) -> Int? {
    guard text.count >= count, endOfDigits(from: 0) == count,
      text.count == count || !text[count].isLetter
    else { return nil }
    return number(0..<count)
  }

  // MARK: - Dates

  /// Returns the date that begins with a run of digits; nil if none does.
  private func date(inDigits run: Range<Int>) -> NameDate? {
    guard isAtStartOfDate(run.lowerBound, run.count) else { return nil }
    switch run.count {
    case 8: return compactDate(run)
    case 14, 17, 20: return isAtEnd(run.upperBound) ? compactTime(run.lowerBound) : nil
    case 13: return milliseconds(run)
    case 4: return separatedDate(run)
    case 2: return dayFirst(run)
    default: return nil
    }
  }

  /// 20190704, with the time that may follow.
  private func compactDate(_ run: Range<Int>) -> NameDate? {
    let start = run.lowerBound
    guard isAtEnd(run.upperBound) || isFollowedByTime(run.upperBound) else { return nil }
    return NameDate(
      year: number(start..<start + 4), month: number(start + 4..<start + 6),
      day: number(start + 6..<start + 8), time: time(after: run.upperBound))
  }

  /// 20190704101112, with fractions of a second.
  private func compactTime(_ start: Int) -> NameDate? {
    guard let time = Self.time(number(start + 8..<start + 14)) else { return nil }
    return NameDate(
      year: number(start..<start + 4), month: number(start + 4..<start + 6),
      day: number(start + 6..<start + 8), time: time)
  }

  /// 2019-07-04, 2019_07_04, 2019.07.04 or 2019年7月4日, with the time that may follow.
  private func separatedDate(_ run: Range<Int>) -> NameDate? {
    guard let first = separator(at: run.upperBound), let month = shortNumber(at: first),
      let second = separator(at: month.end), let day = shortNumber(at: second),
      first - run.upperBound > 1 || text[run.upperBound] == text[month.end]
    else { return nil }
    let isWide = first - run.upperBound > 1
    guard isWide || month.end - first == 2 && day.end - second == 2,
      isWide || isAtEnd(day.end) || isFollowedByTime(day.end)
    else { return nil }
    return NameDate(
      year: number(run), month: month.number, day: day.number, time: time(after: day.end))
  }

  /// 04.07.2019, as in German and many other languages, or 04.07.19 if a time follows; 25-07-2019
  /// and 07-25-2019, in which one of the numbers can only be a day.
  private func dayFirst(_ run: Range<Int>) -> NameDate? {
    let (dot, middle) = (run.upperBound, run.upperBound + 1)
    guard dot < text.count, ".-_".utf8.contains(text[dot]), endOfDigits(from: middle) == middle + 2,
      middle + 2 < text.count, text[middle + 2] == text[dot]
    else { return nil }
    let last = middle + 3
    let end = endOfDigits(from: last)
    guard end - last == 4 || end - last == 2, isAtEnd(end) else { return nil }
    let time = time(after: end)
    var (day, month) = (number(run), number(middle..<middle + 2))
    var year = number(last..<end)
    if end - last == 2 {
      guard time != nil, text[dot] == UInt8(ascii: ".") else { return nil }
      year += 2000
    }
    if text[dot] != UInt8(ascii: ".") {
      guard day > 12 || month > 12 else { return nil }
      if month > 12 { swap(&day, &month) }
    }
    return NameDate(year: year, month: month, day: day, time: time)
  }

  /// Milliseconds since 1970 after a word of a program that writes them; only the day, since they
  /// count in another time zone.
  private func milliseconds(_ run: Range<Int>) -> NameDate? {
    let word = text[..<run.lowerBound].filter(\.isLetter).map { $0 | 0x20 }
    let programs = ["fbimg", "mmexport", "line", "wxcamera", "pt", "messenger"]
    guard isAtEnd(run.upperBound), programs.contains(String(decoding: word, as: UTF8.self)) else {
      return nil
    }
    let days = number(run) / 86_400_000
    return CalendarDate(daysSince1970: days).flatMap { date in
      date.month.flatMap { NameDate(year: date.year, month: $0, day: date.day) }
    }
  }

  // MARK: - Times

  /// Returns the time that follows a date, as the digits of hours, minutes and seconds; nil if none
  /// does.
  ///
  /// Between the two there are separators or words such as "at", "um" and "à"; 上午 and AM, 下午 and
  /// PM precede or follow the time.
  private func time(after end: Int) -> Int? {
    var start = end
    while start < text.count, !text[start].isDigit, start - end <= Self.maxGap { start += 1 }
    guard start > end, start < text.count, text[start].isDigit else { return nil }
    let gap = text[end..<start]
    let run = start..<endOfDigits(from: start)
    var (time, last): (Int?, Int) = (nil, run.upperBound)
    if (6...9).contains(run.count), run.count != 7 {
      time = Self.time(number(start..<start + 6))
    } else if run.count <= 2, last + 1 < text.count,
      ".:-_ ".utf8.contains(text[last]) || text[last] >= 0x80,
      let minutes = twoDigits(after: last), let seconds = twoDigits(after: minutes.end)
    {
      time = Self.time((number(run) * 100 + minutes.number) * 100 + seconds.number)
      last = seconds.end
    }
    guard let time else { return nil }
    // A narrow space of three bytes may precede it.
    let word = text[last...].prefix(8).drop { !$0.isLetter }.prefix { $0.isLetter }
    let isMorning = Self.isWord("am", word) || gap.hasPart("上午")
    let isAfternoon = Self.isWord("pm", word) || gap.hasPart("下午")
    if isAfternoon, time < 12_0000 { return time + 12_0000 }
    return isMorning && time >= 12_0000 ? time - 12_0000 : time
  }

  private static func isWord(_ word: String, _ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.map { $0 | 0x20 } == Array(word.utf8)
  }

  /// The most bytes between a date and its time.
  private static let maxGap = 16

  /// Whether what follows a date can only be a time: a T and six digits.
  private func isFollowedByTime(_ end: Int) -> Bool {
    end < text.count && text[end] | 0x20 == UInt8(ascii: "t") && time(after: end) != nil
      && end + 1 < text.count && text[end + 1].isDigit
  }

  private static func time(_ digits: Int) -> Int? {
    digits / 10_000 < 24 && digits / 100 % 100 < 60 && digits % 100 < 60 ? digits : nil
  }

  /// Returns the two digits after a separator; nil if there are none.
  private func twoDigits(after end: Int) -> (number: Int, end: Int)? {
    var start = end
    // A separator of other scripts has up to three bytes.
    while start < text.count, !text[start].isDigit, start - end < 3 { start += 1 }
    guard start > end, start < text.count, endOfDigits(from: start) == start + 2 else { return nil }
    return (number(start..<start + 2), start + 2)
  }

  // MARK: - Surroundings

  /// Whether a date may begin here: not in the middle of a word, except after one of those that
  /// cameras write, and not in a number that is divided by signs, such as one to call.
  private func isAtStartOfDate(_ start: Int, _ count: Int) -> Bool {
    guard start > 0 else { return true }
    let last = text[start - 1]
    if last == UInt8(ascii: "+") { return false }
    if last.isLetter {
      let letters = text[..<start].reversed().prefix(while: \.isLetter)
      let before = start - letters.count - 1
      guard before < 0 || !text[before].isDigit else { return false }
      return Self.prefixes.contains(
        String(decoding: letters.reversed().map { $0 | 0x20 }, as: UTF8.self))
    }
    // "0049-20190704" is no date, but "lv_0_20190704" has one.
    guard count == 8 || count == 4, "- .".utf8.contains(last), start > 1 else { return true }
    return !text[start - 2].isDigit
  }

  /// The words directly before a date, in lowercase.
  private static let prefixes: Set<String> = [
    "img", "vid", "video", "mov", "burst", "pano", "pxl", "mvimg", "screenshot", "scan", "photo",
    "image", "dsc", "lv", "wp", "mmexport", "line", "pt", "foto", "cam", "camera", "record", "save",
    "picture", "pic", "snap",
  ]

  /// Whether a word or a number may end here.
  private func isAtEnd(_ end: Int) -> Bool { end == text.count || !text[end].isLetter }

  private static func isSeparator(_ byte: UInt8) -> Bool { "-_. ".utf8.contains(byte) }

  /// Returns the end of a separator between the parts of a date, or of the character for a year, a
  /// month or a day; nil if there is none.
  private func separator(at index: Int) -> Int? {
    guard index < text.count else { return nil }
    if Self.isSeparator(text[index]) { return index + 1 }
    let isWide = ["年", "月"].contains { text[index...].starts(with: $0.utf8) }
    return isWide ? index + 3 : nil
  }

  /// Returns the number of one or two digits at a place; nil if there is none.
  private func shortNumber(at index: Int) -> (number: Int, end: Int)? {
    let end = endOfDigits(from: index)
    return (1...2).contains(end - index) ? (number(index..<end), end) : nil
  }

  private func endOfDigits(from start: Int) -> Int {
    var end = start
    while end < text.count, text[end].isDigit { end += 1 }
    return end
  }

  private func number(_ digits: Range<Int>) -> Int {
    digits.reduce(0) { $0 * 10 + Int(text[$1] - 0x30) }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }

  fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}

extension ArraySlice<UInt8> {
  fileprivate func hasPart(_ part: String) -> Bool { Array(self).hasPart(Array(part.utf8)) }
}
