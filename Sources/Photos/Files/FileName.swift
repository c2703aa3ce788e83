import Geometry

/// Rules for file names.
package enum FileName {
  package static func stem(of name: String) -> Substring {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name[...] }
    return name[..<dot]
  }

  /// Returns a new name without the old extension at its end if that follows the same extension:
  /// "Fence.jpg" for "Fence.jpg.JPG", which is typed in front of the extension that is there.
  package static func withoutRepeatedExtension(_ name: String, before: String) -> String {
    let end = before[stem(of: before).endIndex...].lowercased()
    let rest = name.dropLast(end.count)
    guard end.count > 1, name.lowercased().hasSuffix(end), rest.lowercased().hasSuffix(end),
      rest.count > end.count, !stem(of: before).lowercased().hasSuffix(end)
    else { return name }
    return String(rest)
  }

  /// The longest name that Linux file systems accept, in bytes (`NAME_MAX`).
  private static let longest = 255

  /// Returns the reason why a text is not a valid file name; nil if it is valid.
  package static func validationError(of text: String) -> String? {
    let bytes = text.utf8.count
    if text.isEmpty { return "a file needs a name" }
    if text == "." || text == ".." { return "'\(text)' is a folder" }
    let stem = text.lastIndex(of: ".").map { text[..<$0] } ?? text[...]
    if !stem.isEmpty, stem.allSatisfy(\.isWhitespace) { return "a name cannot be all spaces" }
    if text.utf8.contains(UInt8(ascii: "/")) { return "a name cannot contain /" }
    return bytes > longest ? "too long: \(bytes) bytes; the limit is \(longest)" : nil
  }

  /// Returns the reason why bytes are not a valid file name; nil if they are valid.
  package static func validationError(of name: [UInt8]) -> String? {
    if name.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      return "a name cannot contain control characters"
    }
    guard name.count <= longest else {
      return "too long: \(name.count) bytes; the limit is \(longest)"
    }
    if name.contains(UInt8(ascii: "/")) { return "a name cannot contain /" }
    // Bytes that are not UTF-8 are longer as text.
    let isText = String(decoding: name, as: UTF8.self).utf8.elementsEqual(name)
    return isText ? validationError(of: String(decoding: name, as: UTF8.self)) : nil
  }

  /// Returns a remark on a name that starts with a dot, while it is typed; nil for other names.
  package static func note(on text: String) -> String? {
    guard text.first == "." else { return nil }
    let left = CellText(PrintableText.from(text.utf8)).truncatedMiddle(to: 12).string
    return "the whole name is \(left)"
  }

  /// Returns a warning that a new name hides the file; nil for all other names.
  package static func warning(of text: String, before: String?) -> String? {
    guard text.first == ".", before?.first != "." else { return nil }
    return "a leading dot hides the file; press Enter to rename it anyway"
  }
}
