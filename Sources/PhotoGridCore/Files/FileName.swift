/// Rules for the names of files.
enum FileName {
  /// The longest name that Linux file systems take, in bytes (`NAME_MAX`).
  private static let longest = 255

  /// Why a text cannot be a file's name; nil where it can.
  static func validationError(of text: String) -> String? {
    let bytes = text.utf8.count
    if text.isEmpty { return "a file needs a name" }
    if text == "." || text == ".." { return "'\(text)' is a folder" }
    let stem = text.lastIndex(of: ".").map { text[..<$0] } ?? text[...]
    if !stem.isEmpty, stem.allSatisfy(\.isWhitespace) { return "a name needs more than blanks" }
    if text.utf8.contains(UInt8(ascii: "/")) { return "a name has no /" }
    return bytes > longest ? "\(bytes) bytes, \(longest) is the most" : nil
  }

  /// A remark on a name while it is typed; nil for most names.
  static func note(on text: String) -> String? {
    guard text.first == "." else { return nil }
    return "only \(CellText(PrintableText.from(text.utf8)).cutInTheMiddle(to: 12).string) is left"
  }

  /// A warning of a name that hides the file; nil for all other names.
  static func warning(of text: String, before: String?) -> String? {
    guard text.first == ".", before?.first != "." else { return nil }
    return "hidden after this; Enter again renames"
  }
}
