/// Divides an XML text into tokens.
///
/// The text must be UTF-8 and have no document type. Many errors in the XML are not noticed, since
/// the XMP library parses the same text.
///
///     <a b="1">text</a>     .start(a, b="1"), .text, .end(a)
package struct XMLScanner {
  private let bytes: [UInt8]
  private var place = 0

  /// Returns the tokens of a text, which together have all of its bytes; nil for an unsupported
  /// or malformed text.
  package static func tokens(of bytes: [UInt8]) -> [XMLToken]? {
    guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return nil }
    var scanner = XMLScanner(bytes)
    var tokens: [XMLToken] = []
    while scanner.place < bytes.count {
      guard let token = scanner.next() else { return nil }
      tokens.append(token)
    }
    return tokens
  }

  /// Creates a scanner at the beginning of a text, which may end early.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the next token; nil at the end and at the first error.
  package mutating func next() -> XMLToken? {
    guard place < bytes.count else { return nil }
    let start = place
    guard bytes[place] == UInt8(ascii: "<") else {
      place = bytes[place...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
      return XMLToken(kind: .text, range: start..<place)
    }
    if skip("<!--") { return token(.comment, from: start, to: "-->") }
    if skip("<![CDATA[") { return token(.section, from: start, to: "]]>") }
    if skip("<?") {
      return token(.instruction, from: start, to: "?>").flatMap { isForeign($0) ? nil : $0 }
    }
    if skip("</") {
      guard let name = name() else { return nil }
      _ = whiteSpace()
      guard skip(">") else { return nil }
      return XMLToken(kind: .end(name), range: start..<place)
    }
    guard skip("<"), var tag = tag() else { return nil }
    tag.range = start..<place
    return XMLToken(kind: .start(tag), range: tag.range)
  }

  private mutating func token(
    _ kind: XMLToken.Kind, from start: Int, to end: StaticString
  ) -> XMLToken? {
    while place < bytes.count {
      if skip(end) { return XMLToken(kind: kind, range: start..<place) }
      place += 1
    }
    return nil
  }

  /// Whether an instruction declares another encoding than UTF-8.
  private func isForeign(_ instruction: XMLToken) -> Bool {
    let text = String(decoding: bytes[instruction.range], as: UTF8.self).lowercased()
    return text.hasPrefix("<?xml ") && text.containsText("encoding") && !text.containsText("utf-8")
  }

  // MARK: - Tags

  /// Reads a start tag after its angle bracket; nil if it is malformed.
  private mutating func tag() -> XMLTag? {
    guard let name = name() else { return nil }
    var tag = XMLTag(name: name)
    while true {
      let start = place
      let isSpaced = whiteSpace()
      if skip(">") { return tag }
      if skip("/>") {
        tag.isEmpty = true
        return tag
      }
      guard isSpaced, let attribute = attribute(from: start) else { return nil }
      tag.attributes.append(attribute)
    }
  }

  private mutating func attribute(from start: Int) -> XMLAttribute? {
    guard let name = name() else { return nil }
    _ = whiteSpace()
    guard skip("=") else { return nil }
    _ = whiteSpace()
    guard place < bytes.count else { return nil }
    let quote = bytes[place]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let end = bytes[(place + 1)...].firstIndex(of: quote)
    else { return nil }
    let value = place + 1..<end
    guard !bytes[value].contains(UInt8(ascii: "<")) else { return nil }
    place = end + 1
    return XMLAttribute(name: name, range: start..<place, value: value)
  }

  private mutating func name() -> [UInt8]? {
    let start = place
    while place < bytes.count, Self.isNameByte(bytes[place]) { place += 1 }
    return place > start ? Array(bytes[start..<place]) : nil
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default: byte == 0x3A || byte == 0x5F || byte == 0x2D || byte == 0x2E
    }
  }

  /// Skips white space; false if there is none.
  private mutating func whiteSpace() -> Bool {
    let start = place
    while place < bytes.count, bytes[place].isXMLSpace { place += 1 }
    return place > start
  }

  /// Skips a text; false if the next bytes are different.
  private mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - place >= count else { return false }
    for offset in 0..<count where bytes[place + offset] != text.utf8Start[offset] { return false }
    place += count
    return true
  }
}

extension UInt8 {
  /// Whether the byte is white space in XML.
  package var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
