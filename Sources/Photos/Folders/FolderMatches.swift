import Geometry

/// The folders that complete a path that the user types.
package struct FolderMatches: Equatable, Sendable {
  package var text: String
  /// The names of folders that begin with the text's last component, sorted.
  package var names: [String]
  /// Whether the text is the path of a folder; nil if that is not known.
  package var isFolder: Bool?

  package init(text: String, names: [String], isFolder: Bool?) {
    self.text = text
    self.names = names
    self.isFolder = isFolder
  }

  /// Returns a name as text; nil if the name cannot be typed, because it is not UTF-8 or has
  /// unprintable characters.
  package static func typeable(_ name: [UInt8]) -> String? {
    let text = String(decoding: name, as: UTF8.self)
    guard text.utf8.elementsEqual(name), text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }),
      text == PrintableText.from(name)
    else { return nil }
    return text
  }

  /// The part of the text before its last component.
  private var start: Substring {
    text[..<(text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex)]
  }

  /// The paths of the folders, each with a slash at its end.
  package var paths: [String] { names.map { "\(start)\($0)/" } }

  /// The text with its last component completed as far as all names agree, and with a slash if
  /// there is only one name.
  package var completed: String {
    guard let first = names.first, let last = names.last else { return text }
    guard names.count > 1 else { return start + first + "/" }
    // In sorted names, a prefix of the first and the last is a prefix of all.
    return start + zip(first, last).prefix { $0 == $1 }.map { String($0.0) }.joined()
  }
}
