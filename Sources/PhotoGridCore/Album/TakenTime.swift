/// The time on the camera's clock when a photo was taken, to the second, without a time zone.
package struct TakenTime: Hashable, Sendable {
  /// The decimal digits of the time as one number: 20240501123000.
  package let digits: Int64

  /// Creates a time from the value of `digits`.
  package init(digits: Int64) { self.digits = digits }

  /// Creates a time from untrusted digits; nil if they are not a possible time.
  package init?(checking digits: Int64) {
    let (date, time) = digits.quotientAndRemainder(dividingBy: 1_000_000)
    guard (1_0101...9999_1231).contains(date), (1...12).contains(date / 100 % 100),
      (1...31).contains(date % 100), time / 10000 < 24, time / 100 % 100 < 60, time % 100 <= 60
    else { return nil }
    self.digits = digits
  }

  /// Parses a time as EXIF writes it, "2024:05:01 12:30:00"; nil if it is invalid.
  ///
  /// Cameras whose clock was never set write zeros or spaces.
  @inlinable package init?(exif text: some Collection<UInt8>) {
    self.init(exifBytes: Array(text.prefix(19)))
  }

  /// Parses a time of 19 bytes as EXIF writes it; nil if it is invalid.
  @usableFromInline package init?(exifBytes text: [UInt8]) {
    self.init(text: text, separators: Self.exifSeparators)
  }

  /// Parses a time as `iso8601` writes it; nil if it is invalid.
  package init?(iso8601 text: String) {
    self.init(text: Array(text.utf8), separators: Self.isoSeparators)
  }

  private static let exifSeparators = Array(":: ::".utf8)
  private static let isoSeparators = Array("--T::".utf8)
  /// The places of the separators in a text of 19 bytes.
  private static let separatorPlaces = [4, 7, 10, 13, 16]

  /// The time in ISO 8601 format without a time zone: "2024-05-01T12:30:00".
  package var iso8601: String {
    var text = [UInt8](repeating: UInt8(ascii: "0"), count: 19)
    for (number, place) in Self.separatorPlaces.enumerated() {
      text[place] = Self.isoSeparators[number]
    }
    var rest = digits.magnitude
    for place in text.indices.reversed() where !Self.separatorPlaces.contains(place) {
      text[place] += UInt8(rest % 10)
      rest /= 10
    }
    return String(decoding: text, as: UTF8.self)
  }

  private init?(text: [UInt8], separators: [UInt8]) {
    guard text.count == 19 else { return nil }
    var values: [Int64] = [0]
    values.reserveCapacity(6)
    for (index, byte) in text.enumerated() {
      if values.count <= separators.count, index == Self.separatorPlaces[values.count - 1] {
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
}
