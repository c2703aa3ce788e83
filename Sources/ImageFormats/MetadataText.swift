import Glibc

/// The one reader of text in metadata: returns UTF-8, whatever encoding a file declares, or leaves
/// out.
package enum MetadataText {
  /// Returns a text whose encoding is not declared: in UTF-8 if it is valid as such, else in
  /// Windows-1252, as exiftool takes it.
  package static func undeclared(_ bytes: [UInt8]) -> [UInt8] {
    // As most are, for which no text has to be made.
    if bytes.allSatisfy({ $0 < 0x80 }) { return bytes }
    return String(validating: bytes, as: UTF8.self) == nil ? windows(bytes[...]) : bytes
  }

  // MARK: - Code pages

  /// The characters of Windows-1252 from 0x80 to 0x9F, where ISO 8859-1 has control characters.
  private static let windowsCharacters: [UInt16] = [
    0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8d, 0x017d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
    0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d, 0x017e, 0x0178,
  ]

  private static func windows(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let units = bytes.map { 0x80...0x9f ~= $0 ? windowsCharacters[Int($0) - 0x80] : UInt16($0) }
    return utf8(units)
  }

  private static func utf8(_ units: [UInt16]) -> [UInt8] {
    Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// Returns a text in UTF-16 up to its end or the first zero; half a character at the end is left
  /// out.
  package static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8] {
    let units = units(bytes, isBigEndian: isBigEndian).prefix { $0 != 0 }
    return utf8(units.first == 0xfeff ? Array(units.dropFirst()) : Array(units))
  }

  private static func units(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt16] {
    let start = bytes.startIndex
    return stride(from: start, to: start + bytes.count / 2 * 2, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
  }

  private static func utf32(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8] {
    var scalars = String.UnicodeScalarView()
    let start = bytes.startIndex
    for index in stride(from: start, to: start + bytes.count / 4 * 4, by: 4) {
      let four = bytes[index..<(index + 4)]
      let number =
        isBigEndian
        ? four.reduce(0) { $0 << 8 | UInt32($1) }
        : four.reversed().reduce(0) { $0 << 8 | UInt32($1) }
      scalars.append(Unicode.Scalar(number) ?? "\u{fffd}")
    }
    return Array(String(scalars).utf8)
  }

  /// Converts a text by the tables of the system's library; nil if it lacks the encoding, or the text
  /// is not valid in it.
  ///
  /// A process that may not open files has only the library's built-in encodings.
  private static func converted(_ bytes: ArraySlice<UInt8>, from encoding: String) -> [UInt8]? {
    guard let converter = iconv_open("UTF-8", encoding), Int(bitPattern: converter) != -1 else {
      return nil
    }
    defer { iconv_close(converter) }
    // A character of an encoding with one or two bytes has at most four in UTF-8.
    var text = bytes.map { CChar(bitPattern: $0) }
    let capacity = 4 * text.count + 16
    var isValid = false
    let result = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      text.withUnsafeMutableBufferPointer { text in
        var (from, rest) = (text.baseAddress, text.count)
        buffer.withMemoryRebound(to: CChar.self) { buffer in
          var (to, room) = (buffer.baseAddress, capacity)
          isValid = iconv(converter, &from, &rest, &to, &room) != -1 && rest == 0
          count = isValid ? capacity - room : 0
        }
      }
    }
    return isValid ? result : nil
  }

  // MARK: - EXIF

  /// Returns the text of EXIF's UserComment, whose first eight bytes name its encoding (Exif 2.3,
  /// 4.6.5); nil if that is unknown.
  ///
  /// - `isBigEndian`: The byte order of the EXIF block, which counts if the text does not tell.
  package static func comment(_ bytes: [UInt8], isBigEndian: Bool) -> [UInt8]? {
    guard bytes.count > 8 else { return nil }
    let text = bytes[8...]
    switch bytes[..<8] {
    case Array("UNICODE\0".utf8)[...]:
      return utf16(text, isBigEndian: order(of: text) ?? isBigEndian)
    case Array("JIS\0\0\0\0\0".utf8)[...]:
      let text = Array(text.prefix { $0 != 0 })
      // Without escape sequences, all characters are from JIS X 0208.
      let start: [UInt8] = text.contains(0x1b) ? [] : [0x1b, 0x24, 0x42]
      return converted((start + text)[...], from: "ISO-2022-JP")
    case Array("ASCII\0\0\0".utf8)[...], [0, 0, 0, 0, 0, 0, 0, 0]:
      return undeclared(Array(text.prefix { $0 != 0 }))
    default: return nil
    }
  }

  /// Whether a text in UTF-16 is big-endian, by its mark, or because the upper bytes of its characters
  /// differ less than the lower ones; nil if that does not tell.
  ///
  /// Programs write UserComment in the order of the block, of their processor, or of Unicode.
  private static func order(of text: ArraySlice<UInt8>) -> Bool? {
    let bytes = Array(text.prefix(1024))
    if bytes.starts(with: [0xfe, 0xff]) { return true }
    if bytes.starts(with: [0xff, 0xfe]) { return false }
    var (even, odd): (Set<UInt8>, Set<UInt8>) = ([], [])
    for index in stride(from: 0, to: bytes.count / 2 * 2, by: 2) {
      even.insert(bytes[index])
      odd.insert(bytes[index + 1])
    }
    if even.count != odd.count { return even.count < odd.count }
    // Of a short text, the upper bytes are zeros in most languages.
    return even == [0] ? true : odd == [0] ? false : nil
  }

  // MARK: - XML

  /// Returns an XML document, such as an XMP packet, in UTF-8; nil if it declares an encoding that is
  /// unknown.
  ///
  /// A document in UTF-8 is returned as it is, so that offsets in it stay the same, but bytes that are
  /// not valid count as Windows-1252, as in Adobe's programs. In any other the declaration then says
  /// UTF-8 too. (Extensible Markup Language 1.0, appendix F)
  package static func document(_ bytes: [UInt8]) -> [UInt8]? {
    let head = Array(bytes.prefix(4))
    let count = head.count
    guard count == 4 else { return bytes }
    let zeros = head.map { $0 == 0 }
    let text: [UInt8]
    if head == [0, 0, 0xfe, 0xff] || zeros == [true, true, true, false] {
      text = utf32(bytes[...], isBigEndian: true)
    } else if head == [0xff, 0xfe, 0, 0] || zeros == [false, true, true, true] {
      text = utf32(bytes[...], isBigEndian: false)
    } else if head[..<2] == [0xfe, 0xff] || zeros == [true, false, true, false] {
      text = utf8(units(bytes[...], isBigEndian: true))
    } else if head[..<2] == [0xff, 0xfe] || zeros == [false, true, false, true] {
      text = utf8(units(bytes[...], isBigEndian: false))
    } else {
      return ofBytes(bytes)
    }
    return declaringUTF8(text.starts(with: mark) ? Array(text.dropFirst(mark.count)) : text)
  }

  private static let mark: [UInt8] = [0xef, 0xbb, 0xbf]

  /// Reads a document whose markup is ASCII.
  private static func ofBytes(_ bytes: [UInt8]) -> [UInt8]? {
    let encoding = declaredEncoding(bytes).map { name in
      String(decoding: bytes[name], as: UTF8.self).lowercased()
    }
    switch encoding {
    case nil, "utf-8", "utf8", "us-ascii", "ascii":
      if String(validating: bytes, as: UTF8.self) != nil {
        return encoding?.hasSuffix("ascii") == true ? declaringUTF8(bytes) : bytes
      }
      return repaired(bytes)
    case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "windows-1252", "cp1252":
      return declaringUTF8(windows(bytes[...]))
    // Its characters have one byte each here, so the declaration is wrong.
    case let name? where name.hasPrefix("utf-16") || name.hasPrefix("utf-32"):
      return declaringUTF8(repaired(bytes))
    case let name?: return converted(bytes[...], from: name).map(declaringUTF8)
    }
  }

  /// Returns a text in UTF-8 in which the bytes that are not valid stand for characters of
  /// Windows-1252.
  private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let length = characterLength(bytes, at: index)
      if length > 0 {
        result += bytes[index..<(index + length)]
      } else {
        result += windows(bytes[index...index])
      }
      index += max(length, 1)
    }
    return result
  }

  /// Returns the length in bytes of the character in UTF-8 at an index; 0 if it is not valid.
  private static func characterLength(_ bytes: [UInt8], at index: Int) -> Int {
    let length: Int
    switch bytes[index] {
    case ..<0x80: return 1
    case 0xc2...0xdf: length = 2
    case 0xe0...0xef: length = 3
    case 0xf0...0xf4: length = 4
    default: return 0
    }
    guard index + length <= bytes.count,
      String(validating: bytes[index..<(index + length)], as: UTF8.self) != nil
    else { return 0 }
    return length
  }

  /// Returns a document whose declaration, if it has one, names UTF-8.
  private static func declaringUTF8(_ text: [UInt8]) -> [UInt8] {
    guard let name = declaredEncoding(text) else { return text }
    return text[..<name.lowerBound] + Array("UTF-8".utf8) + text[name.upperBound...]
  }

  /// Returns the range of the name of the encoding in the declaration of a document; nil if it has
  /// none.
  private static func declaredEncoding(_ bytes: [UInt8]) -> Range<Int>? {
    let start = bytes.starts(with: mark) ? mark.count : 0
    let head = bytes[start...].prefix(256)
    guard head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: UInt8(ascii: ">")) else {
      return nil
    }
    let key = Array("encoding".utf8)
    guard
      let place = (start..<end).first(where: { bytes[$0..<end].starts(with: key) }),
      let open = bytes[(place + key.count)..<end].firstIndex(where: { $0 == 0x22 || $0 == 0x27 }),
      let close = bytes[(open + 1)..<end].firstIndex(of: bytes[open])
    else { return nil }
    return (open + 1)..<close
  }
}
