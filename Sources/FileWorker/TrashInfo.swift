import Glibc

/// The info file of a file in the trash, which records its path and the time of its removal.
struct TrashInfo {
  /// The path before the removal: absolute, or relative to the topmost folder of the disk.
  private let path: [UInt8]

  /// The extension of info files.
  static let suffix = Array(".trashinfo".utf8)
  /// The longest name of a file, in bytes.
  private static let longestName = 255
  /// The longest extension to keep when a name must be cut, in bytes.
  private static let longestExtension = 20

  /// Creates the info file for an absolute path, recorded relative to `top` unless that is nil.
  init(path: [UInt8], below top: [UInt8]?) {
    guard var top else {
      self.path = path
      return
    }
    if top.last != UInt8(ascii: "/") { top.append(UInt8(ascii: "/")) }
    self.path = path.starts(with: top) ? Array(path[top.count...]) : path
  }

  /// The contents of the file, with the current local time as the time of removal.
  var bytes: [UInt8] {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    let date = [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map(Self.twoDigits)
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Self.twoDigits)
    let when = date.joined(separator: "-") + "T" + clock.joined(separator: ":")
    return Array("[Trash Info]\nPath=\(Self.encoded(path))\nDeletionDate=\(when)\n".utf8)
  }

  private static func twoDigits(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// Returns a path percent-encoded, as in the field `Path`.
  static func encoded(_ path: [UInt8]) -> String {
    String(decoding: path.percentEncoded, as: UTF8.self)
  }

  /// Returns the bytes of an encoded path; nil if a `%` is not followed by two hexadecimal digits.
  static func decoded(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard rest.count >= 2, let value = UInt8(digits, radix: 16) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  /// Returns the name for a file in the trash.
  ///
  /// `entry(for: "sea.jpg", 0)` is "sea.jpg", `entry(for: "sea.jpg", 2)` is "sea_2.jpg". Names are
  /// cut so that the name of the info file fits too.
  ///
  /// - Parameters:
  ///   - name: The name before the removal.
  ///   - number: 0, or a number that makes the name unique.
  /// - Returns: A name of at most 255 bytes, extension included.
  static func entry(for name: [UInt8], _ number: Int) -> [UInt8] {
    let mark = number == 0 ? [] : Array("_\(number)".utf8)
    let room = longestName - suffix.count - mark.count
    let dot = name.extensionStart
    let end = name.count - dot <= longestExtension ? Array(name[dot...]) : []
    var stem = Array(name[..<(name.count - end.count)])
    if stem.count > room - end.count {
      stem.removeLast(stem.count - (room - end.count))
      // If the cut is within a UTF-8 character, the rest of it is removed too.
      while let last = stem.last, last & 0xC0 == 0x80 { stem.removeLast() }
      if let last = stem.last, last & 0xC0 == 0xC0 { stem.removeLast() }
    }
    return stem + mark + end
  }
}
