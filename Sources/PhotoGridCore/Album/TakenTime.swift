import Glibc

/// The time on the camera's clock when a photo was taken, as exactly as its file says, and where the
/// file says it.
package struct TakenTime: Hashable, Sendable {
  /// The decimal digits of the time as one number: 20240501123000.
  package let digits: Int64
  /// The hundredths of a second after that; nil if they are not known.
  package var hundredths: Int?
  /// The offset of the camera's clock from UTC, in minutes; nil if it is not known.
  package var offset: Int?
  /// How much of the time is known; it is at the beginning of the day or the month otherwise.
  package var precision = PhotoDate.Precision.second
  /// The part of the file that has the time.
  package var source = Source.exif

  /// A part of a photo's file, or a file beside it, in the order in which they are asked.
  package enum Source: UInt8, CaseIterable, Sendable {
    case exif
    /// The XMP beside the photo, then that in it.
    case sidecar, xmp
    /// The records of the IPTC.
    case iptc
    /// A text in a PNG.
    case text
  }

  package init(digits: Int64) { self.digits = digits }

  /// Creates a time from untrusted digits; nil if they are not a possible time.
  package init?(checking digits: Int64) {
    let (date, time) = digits.quotientAndRemainder(dividingBy: 1_000_000)
    guard (1_0101...9999_1231).contains(date), (1...12).contains(date / 100 % 100),
      (1...31).contains(date % 100), time / 10000 < 24, time / 100 % 100 < 60, time % 100 <= 60
    else { return nil }
    self.digits = digits
  }

  // MARK: - Bits

  private static let digitBits: UInt64 = 47
  private static let (dayCode, monthCode): (UInt64, UInt64) = (101, 102)
  /// The unit of offsets in `bits`, in minutes; no clock on earth differs by other amounts.
  private static let offsetUnit = 15
  private static let offsetRange = -14 * 60...14 * 60

  /// The time as one number: the digits alone, if nothing else is known and they are from EXIF.
  ///
  /// The digits have 47 bits. Above them are the precision or the hundredths plus 1 in 7 bits, the
  /// quarter-hours of the offset plus 57 in 7 bits, and the source in 3.
  package var bits: Int64 {
    let fraction: UInt64 =
      switch precision {
      case .second: UInt64((hundredths ?? -1) + 1)
      case .day: Self.dayCode
      case .month: Self.monthCode
      }
    let quarters = offset.map { UInt64($0 / Self.offsetUnit + 57) } ?? 0
    let details = fraction | quarters << 7 | UInt64(source.rawValue) << 14
    return Int64(bitPattern: UInt64(digits) | details << Self.digitBits)
  }

  package init?(bits: Int64) {
    let bits = UInt64(bitPattern: bits)
    guard let time = TakenTime(checking: Int64(bits & (1 << Self.digitBits - 1))),
      let source = Source(rawValue: UInt8(bits >> (Self.digitBits + 14)))
    else { return nil }
    self = time
    self.source = source
    let fraction = bits >> Self.digitBits & 0x7f
    switch fraction {
    case 0: break
    case Self.dayCode: precision = .day
    case Self.monthCode: precision = .month
    default:
      guard fraction <= 100 else { return nil }
      hundredths = Int(fraction) - 1
    }
    let quarters = Int(bits >> (Self.digitBits + 7) & 0x7f)
    guard quarters > 0 else { return }
    let minutes = (quarters - 57) * Self.offsetUnit
    guard Self.offsetRange.contains(minutes) else { return nil }
    offset = minutes
  }

  // MARK: - Text

  /// Parses a time as EXIF writes it, "2024:05:01 12:30:00"; nil if it is invalid.
  ///
  /// Cameras whose clock was never set write zeros or spaces.
  package init?(exif text: [UInt8]) {
    self.init(text: Array(text.prefix(19)), separators: Self.exifSeparators)
  }

  /// Parses a time in ISO 8601, to the month at least; nil if it is invalid.
  ///
  /// An impossible offset is left out: "2024-05", "2024-05-01", "2024-05-01T12:30:00.25+02:00".
  package init?(iso8601 text: String) { self.init(iso8601: Array(text.utf8)) }

  package init?(iso8601 text: [UInt8]) {
    guard text.count <= 64 else { return nil }
    let hasSeconds = text.count > 16 && text[16] == UInt8(ascii: ":")
    var head = Array(text.prefix(hasSeconds ? 19 : 16))
    var rest = text.dropFirst(head.count)
    var known = PhotoDate.Precision.second
    if head.count > 10, head[10] == UInt8(ascii: " ") { head[10] = UInt8(ascii: "T") }
    switch head.count {
    case 7: (known, head) = (.month, head + "-01T00:00:00".utf8)
    case 10: (known, head) = (.day, head + "T00:00:00".utf8)
    case 16: head += ":00".utf8
    default: break
    }
    self.init(text: head, separators: Self.isoSeparators)
    precision = known
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      setFraction(fraction)
      rest = rest.dropFirst(1 + fraction.count)
    }
    setOffset(rest)
  }

  /// Sets the hundredths from the decimals of a second, such as "25" or "250"; nothing if there are
  /// none.
  package mutating func setFraction(_ decimals: ArraySlice<UInt8>) {
    let decimals = decimals.prefix { (0x30...0x39).contains($0) }.prefix(2).map { Int($0 - 0x30) }
    guard let first = decimals.first else { return }
    hundredths = first * 10 + (decimals.count > 1 ? decimals[1] : 0)
  }

  /// Sets the offset from a text such as "+02:00", "-0330" or "Z"; nothing if there is none that a
  /// clock can have.
  package mutating func setOffset(_ text: ArraySlice<UInt8>) {
    if text.first == UInt8(ascii: "Z") { offset = 0 }
    guard text.first == UInt8(ascii: "+") || text.first == UInt8(ascii: "-") else { return }
    let digits = text.dropFirst().filter { $0 != UInt8(ascii: ":") }
      .prefix { (0x30...0x39).contains($0) }
    guard digits.count == 4 else { return }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    let minutes = (number / 100 * 60 + number % 100) * (text.first == UInt8(ascii: "-") ? -1 : 1)
    guard number % 100 < 60, minutes % Self.offsetUnit == 0, Self.offsetRange.contains(minutes)
    else { return }
    offset = minutes
  }

  private static let exifSeparators = Array(":: ::".utf8)
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

  /// The time and its source, unless that is EXIF: "2024-05-01T12:30:00 xmp".
  package var description: String { source == .exif ? detailed : "\(detailed) \(source)" }

  /// Creates a time from its `description`; nil if it is invalid.
  package init?(description: [UInt8]) {
    let words = description.split(separator: UInt8(ascii: " "))
    guard let first = words.first else { return nil }
    self.init(iso8601: Array(first))
    let name = words.dropFirst().first.map { String(decoding: $0, as: UTF8.self) }
    source = Source.allCases.first { "\($0)" == name } ?? .exif
  }

  /// The number by which times are sorted.
  var rank: Int64 { digits * 100 + Int64(hundredths ?? 0) }

  private init?(text: [UInt8], separators: [UInt8]) {
    guard text.count == 19 else { return nil }
    var values: [Int64] = [0]
    values.reserveCapacity(6)
    for (index, byte) in text.enumerated() {
      if values.count <= separators.count, index == Self.separatorIndices[values.count - 1] {
        guard byte == separators[values.count - 1] else { return nil }
        values.append(0)
      } else {
        guard (0x30...0x39).contains(byte) else { return nil }
        values[values.count - 1] = values[values.count - 1] * 10 + Int64(byte - 0x30)
      }
    }
    guard values[0] > 0, (1...12).contains(values[1]), (1...31).contains(values[2]),
      values[3] < 24, values[4] < 60, values[5] <= 60
    else { return nil }
    digits = values.dropFirst().reduce(values[0]) { $0 * 100 + $1 }
  }

  // MARK: - Plausibility

  /// Whether a photo may have been taken then: not when clocks begin that nobody has set.
  package var isPlausible: Bool {
    switch digits {
    case ..<1_0101_000000, 1970_0101_000000, 1980_0101_000000, 2000_0101_000000: false
    default: true
    }
  }

  /// Returns the time that counts of several that a file has: of the possible ones the one in the first
  /// source, else the impossible one in the first source.
  ///
  /// - `latest`: The day after which no photo was taken, as digits: 20240501.
  package static func best(_ times: [TakenTime?], latest: Int64) -> TakenTime? {
    let known = times.compactMap(\.self)
    guard known.count > 1 else { return known.first }
    let sorted = known.sorted { $0.source.rawValue < $1.source.rawValue }
    return sorted.first { $0.isPlausible && $0.digits / 1_000_000 <= latest } ?? sorted.first
  }
}
