/// Times as texts.
extension TakenTime {
  /// Parses a time as EXIF writes it, "2024:05:01 12:30:00", and as other programs do; nil if it is
  /// invalid.
  ///
  /// Cameras whose clock was never set write zeros or spaces. See `init(written:)`.
  package init?(exif text: [UInt8]) { self.init(written: text.prefix { $0 != 0 }) }

  /// Parses a time in ISO 8601; nil if it is invalid.
  ///
  /// An impossible offset is left out: "2024", "2024-05", "2024-05-01T12:30:00.25+02:00".
  package init?(iso8601 text: String) { self.init(iso8601: Array(text.utf8)) }

  package init?(iso8601 text: [UInt8]) { self.init(written: text[...]) }

  /// Parses a time in any of the forms in which metadata has it; nil if it is invalid.
  ///
  /// Between year, month and day there may be a colon, as in EXIF, a dash, a slash or a dot; before
  /// the time spaces or a T. What is not known is missing, blank or zero from some part on: "1950",
  /// "1950:06:00 00:00:00", "2024/05/01 12:30".
  private init?(written text: ArraySlice<UInt8>) {
    var scanner = TimeScanner(text)
    scanner.skipSpaces()
    guard text.count <= 64, let year = scanner.number(count: 4...4), year > 0 else { return nil }
    var date = (month: 1, day: 1)
    var known = PhotoDate.Precision.year
    if let month = scanner.datePart() {
      guard (1...12).contains(month) else { return nil }
      (date.month, known) = (month, .month)
      if let day = scanner.datePart() {
        guard day <= CalendarDate.dayCount(month: month, year: year) else { return nil }
        (date.day, known) = (day, .day)
      }
    }
    let time = known == .day ? scanner.time() : nil
    if let time {
      guard time.hour < 24, time.minute < 60, time.second <= 60 else { return nil }
      known = .second
    } else if !scanner.isBlank {
      return nil
    }
    let days = (year * 100 + date.month) * 100 + date.day
    let clock = time.map { ($0.hour * 100 + $0.minute) * 100 + $0.second } ?? 0
    self.init(digits: Int64(days * 1_000_000 + clock))
    precision = known
    guard known == .second else { return }
    if scanner.skip(UInt8(ascii: ".")) {
      setFraction(scanner.rest)
      _ = scanner.number(count: 1...32)
    }
    scanner.skipSpaces()
    setOffset(scanner.rest)
  }

  /// Sets the hundredths from the decimals of a second, such as "25" or "250"; nothing if there are
  /// none.
  package mutating func setFraction(_ decimals: ArraySlice<UInt8>) {
    let decimals = decimals.prefix { (0x30...0x39).contains($0) }.prefix(2).map { Int($0 - 0x30) }
    guard let first = decimals.first else { return }
    hundredths = first * 10 + (decimals.count > 1 ? decimals[1] : 0)
  }

  /// Sets the offset from a text such as "+02:00", "-0330", "+02" or "Z"; nothing if there is none that
  /// a clock can have.
  package mutating func setOffset(_ text: ArraySlice<UInt8>) {
    if text.first == UInt8(ascii: "Z") { offset = 0 }
    guard text.first == UInt8(ascii: "+") || text.first == UInt8(ascii: "-") else { return }
    var digits = text.dropFirst().filter { $0 != UInt8(ascii: ":") }
      .prefix { (0x30...0x39).contains($0) }
    if digits.count == 2 { digits += [0x30, 0x30] }
    guard digits.count == 4 else { return }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    let minutes = (number / 100 * 60 + number % 100) * (text.first == UInt8(ascii: "-") ? -1 : 1)
    guard number % 100 < 60, minutes % Self.offsetUnit == 0, Self.offsetRange.contains(minutes)
    else { return }
    offset = minutes
  }

  private static let isoSeparators = Array("--T::".utf8)
  /// The places of the separators in a text of 19 bytes.
  private static let separatorIndices = [4, 7, 10, 13, 16]

  /// The time in ISO 8601 format to the second, without a time zone: "2024-05-01T12:30:00".
  package var iso8601: String {
    var text = [UInt8](repeating: UInt8(ascii: "0"), count: 19)
    for (number, index) in Self.separatorIndices.enumerated() {
      text[index] = Self.isoSeparators[number]
    }
    var rest = digits.magnitude
    for index in text.indices.reversed() where !Self.separatorIndices.contains(index) {
      text[index] += UInt8(rest % 10)
      rest /= 10
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// All that is known of the time in ISO 8601 format: "2024-05-01T12:30:00.25+02:00", "2024-05".
  package var detailed: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    switch precision {
    case .year: return String(iso8601.prefix(4))
    case .month: return String(iso8601.prefix(7))
    case .day: return String(iso8601.prefix(10))
    case .second: break
    }
    let fraction = hundredths.map { "." + two($0) } ?? ""
    let zone = offset.map { minutes in
      (minutes < 0 ? "-" : "+") + two(abs(minutes) / 60) + ":" + two(abs(minutes) % 60)
    }
    return iso8601 + fraction + (zone ?? "")
  }

  /// The time and its source, unless that is EXIF, as they are stored: "2024-05-01T12:30:00 xmp".
  package var record: String { source == .exif ? detailed : "\(detailed) \(source.code)" }

  /// Creates a time from its `record`; nil if it is invalid, or its source is unknown.
  package init?(record: [UInt8]) {
    let words = record.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard let first = words.first, words.count <= 2 else { return nil }
    self.init(iso8601: Array(first))
    guard words.count == 2 else { return }
    guard let source = Source.allCases.first(where: { $0.code.utf8.elementsEqual(words[1]) }) else {
      return nil
    }
    self.source = source
  }
}

/// Takes the parts of a time from the beginning of a text.
private struct TimeScanner {
  /// The text; what is taken of it is not cut off, because each slice would retain it.
  private let text: ArraySlice<UInt8>
  private var index: Int

  init(_ text: ArraySlice<UInt8>) { (self.text, index) = (text, text.startIndex) }

  /// The part of the text that has not been taken.
  var rest: ArraySlice<UInt8> { text[index...] }

  private var next: UInt8? { index < text.endIndex ? text[index] : nil }

  /// Whether nothing but spaces, zeros and separators remain: what is not known.
  var isBlank: Bool { rest.allSatisfy { $0 == 0x20 || $0 == 0x30 || Self.separators.contains($0) } }

  private static let dateSeparators = Array(":-/.".utf8)
  private static let separators = dateSeparators + [UInt8(ascii: "T")]

  mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  mutating func skipSpaces() {
    while skip(0x20) {}
  }

  /// Takes a number of some digits; nil if there are fewer or more.
  ///
  /// Only the first nine count.
  mutating func number(count: ClosedRange<Int>) -> Int? {
    var (number, end) = (0, index)
    while end < text.endIndex, (0x30...0x39).contains(text[end]) {
      if end - index < 9 { number = number * 10 + Int(text[end] - 0x30) }
      end += 1
    }
    guard count.contains(end - index) else { return nil }
    index = end
    return number
  }

  /// Takes a separator and the number of a month or a day; nil, and nothing is taken, if it is
  /// missing, blank or zero.
  mutating func datePart() -> Int? {
    let start = index
    guard let separator = next, Self.dateSeparators.contains(separator) else { return nil }
    index += 1
    guard let number = number(count: 1...2), number > 0 else {
      index = start
      return nil
    }
    return number
  }

  /// Takes a time of day, to the minute at least; nil, and nothing is taken, if there is none.
  mutating func time() -> (hour: Int, minute: Int, second: Int)? {
    let start = index
    skipSpaces()
    guard index > start || skip(UInt8(ascii: "T")), let hour = number(count: 1...2),
      skip(UInt8(ascii: ":")), let minute = number(count: 2...2)
    else {
      index = start
      return nil
    }
    let end = index
    guard skip(UInt8(ascii: ":")), let second = number(count: 2...2) else {
      index = end
      return (hour, minute, 0)
    }
    return (hour, minute, second)
  }
}
