/// Shell-style patterns for names: `*` matches any number of characters, `?` exactly one.
enum Glob {
  static func isGlob(_ text: String) -> Bool { text.contains { $0 == "*" || $0 == "?" } }

  /// Whether a name matches a pattern, with or without its extension.
  static func matchesName(_ pattern: [UInt8], _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    if matches(pattern, name) { return true }
    let stem = name[..<name.extensionStart]
    return stem.count < name.count && matches(pattern, UnsafeBufferPointer(rebasing: stem))
  }

  /// Whether a whole text matches a pattern; both are UTF-8.
  static func matches(_ pattern: [UInt8], _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var (index, next) = (0, 0)
    // The position of the last star, and where the text after its current match begins.
    var star: (index: Int, next: Int)?
    while next < text.count {
      if index < pattern.count, pattern[index] == UInt8(ascii: "*") {
        star = (index, next)
        index += 1
      } else if index < pattern.count, pattern[index] == UInt8(ascii: "?") {
        index += 1
        next = end(ofCharacterAt: next, in: text)
      } else if index < pattern.count, pattern[index] == text[next] {
        index += 1
        next += 1
      } else if let last = star {
        // Extend the star's match by one character.
        let longer = end(ofCharacterAt: last.next, in: text)
        star = (last.index, longer)
        (index, next) = (last.index + 1, longer)
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  private static func end(ofCharacterAt start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var end = start + 1
    while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
