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
  /// How much of the time is known; it is at the beginning of the day, the month or the year otherwise.
  package var precision = PhotoDate.Precision.second
  /// The part of the file that has the time.
  package var source = Source.exif

  /// A part of a photo's file, or a file beside it, in the order in which they are asked.
  ///
  /// Their numbers are stored in the index.
  package enum Source: UInt8, CaseIterable, Sendable {
    case exif = 0
    /// The XMP beside the photo, then that in it.
    case sidecar = 1
    case xmp = 2
    /// The records of the IPTC.
    case iptc = 3
    /// A text in a PNG.
    case text = 4

    /// The word that is stored in thumbnails.
    var code: String {
      switch self {
      case .exif: "exif"
      case .sidecar: "sidecar"
      case .xmp: "xmp"
      case .iptc: "iptc"
      case .text: "text"
      }
    }
  }

  package init(digits: Int64) { self.digits = digits }

  /// Creates a time from untrusted digits; nil if they are not a possible time.
  package init?(checking digits: Int64) {
    let (date, time) = digits.quotientAndRemainder(dividingBy: 1_000_000)
    guard (1_0101...9999_1231).contains(date), time / 10000 < 24, time / 100 % 100 < 60,
      time % 100 <= 60, date % 100 > 0,
      date % 100 <= CalendarDate.dayCount(month: Int(date / 100 % 100), year: Int(date / 10000))
    else { return nil }
    self.digits = digits
  }

  // MARK: - Bits

  private static let digitBits: UInt64 = 47
  private static let (dayCode, monthCode, yearCode): (UInt64, UInt64, UInt64) = (101, 102, 103)
  /// The unit of offsets in `bits`, in minutes; no clock on earth differs by other amounts.
  static let offsetUnit = 15
  static let offsetRange = -14 * 60...14 * 60

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
      case .year: Self.yearCode
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
    case Self.yearCode: precision = .year
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

  // MARK: - Plausibility

  /// Whether a photo may have been taken then: not in years that only stand for none, though a
  /// photo may show something that old, and not when clocks begin that nobody has set.
  package var isPlausible: Bool {
    switch digits {
    case ..<1000_0101_000000: false
    case 1970_0101_000000, 1980_0101_000000, 2000_0101_000000: precision != .second
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
