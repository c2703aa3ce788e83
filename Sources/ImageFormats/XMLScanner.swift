/// Divides an XML text into tokens.
///
/// The text must be UTF-8 and have no document type. Many errors in the XML are not noticed, since
/// the XMP library parses the same text.
///
///     <a b="1">text</a>     .start(a, b="1"), .text, .end(a)
package struct XMLScanner {
  private let bytes: [UInt8]
  private var offset = 0

  /// Returns the tokens of a text, which together have all of its bytes; nil for an unsupported
  /// or malformed text.
  package static func tokens(of bytes: [UInt8]) -> [XMLToken]? {
    guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return nil }
    var scanner = XMLScanner(bytes)
    var tokens: [XMLToken] = []
    while scanner.offset < bytes.count {
      guard let token = scanner.next() else { return nil }
      tokens.append(token)
    }
    return tokens
  }

  /// Creates a scanner at the beginning of a text, which may end early.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package mutating func next() -> XMLToken? {
    guard offset < bytes.count else { return nil }
    let start = offset
    guard bytes[offset] == UInt8(ascii: "<") else {
      offset = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
      return XMLToken(kind: .text, range: start..<offset)
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
      return XMLToken(kind: .end(name), range: start..<offset)
    }
    guard skip("<"), var tag = tag() else { return nil }
    tag.range = start..<offset
    return XMLToken(kind: .start(tag), range: tag.range)
  }

  private mutating func token(
    _ kind: XMLToken.Kind, from start: Int, to end: StaticString
  ) -> XMLToken? {
    while offset < bytes.count {
      if skip(end) { return XMLToken(kind: kind, range: start..<offset) }
      offset += 1
    }
    return nil
  }

  /// Whether an instruction declares another encoding than UTF-8.
  private func isForeign(_ instruction: XMLToken) -> Bool {
    let text = String(decoding: bytes[instruction.range], as: UTF8.self).lowercased()
    return text.hasPrefix("<?xml ") && text.containsText("encoding") && !text.containsText("utf-8")
  }

  // MARK: - Tags

  private mutating func tag() -> XMLTag? {
    guard let name = name() else { return nil }
    var tag = XMLTag(name: name)
    while true {
      let start = offset
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
    guard offset < bytes.count else { return nil }
    let quote = bytes[offset]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let end = bytes[(offset + 1)...].firstIndex(of: quote)
    else { return nil }
    let value = offset + 1..<end
    guard !bytes[value].contains(UInt8(ascii: "<")) else { return nil }
    offset = end + 1
    return XMLAttribute(name: name, range: start..<offset, value: value)
  }

  private mutating func name() -> [UInt8]? {
    let start = offset
    while offset < bytes.count, Self.isNameByte(bytes[offset]) { offset += 1 }
    return offset > start ? Array(bytes[start..<offset]) : nil
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default: byte == 0x3A || byte == 0x5F || byte == 0x2D || byte == 0x2E
    }
  }

  private mutating func whiteSpace() -> Bool {
    let start = offset
    while offset < bytes.count, bytes[offset].isXMLSpace { offset += 1 }
    return offset > start
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - offset >= count else { return false }
    for index in 0..<count where bytes[offset + index] != text.utf8Start[index] { return false }
    offset += count
    return true
  }
}

extension UInt8 {
  /// Whether the byte is white space in XML.
  package var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}

package struct XMLToken {
  package enum Kind {
    /// A start tag, or the tag of an empty element.
    case start(XMLTag)
    case end([UInt8])
    /// Text between tags, in which `&` begins an entity.
    case text
    /// A CDATA section, with its delimiters: text without entities.
    case section
    case comment
    case instruction
  }

  package var kind: Kind
  /// The range of its bytes in the text.
  package var range: Range<Int>

  /// Whether the token is part of the text of the element around it.
  package var isText: Bool {
    switch kind {
    case .text, .section: true
    case .start, .end, .comment, .instruction: false
    }
  }

  /// Returns what the token says in the text of the element around it, in a document's bytes; nil if
  /// it is no part of that text.
  package func text(in bytes: [UInt8]) -> [UInt8]? {
    switch kind {
    case .text: XMLText.plain(bytes[range])
    // Between "<![CDATA[" and "]]>".
    case .section: Array(bytes[range].dropFirst(9).dropLast(3))
    case .start, .end, .comment, .instruction: nil
    }
  }
}

package struct XMLTag {
  package var name: [UInt8]
  /// The attributes in the order of the text.
  package var attributes: [XMLAttribute] = []
  /// Whether the element is empty and ends with this tag: `<name/>`.
  package var isEmpty = false
  /// The range of its bytes in the text.
  package var range = 0..<0
}

package struct XMLAttribute {
  package var name: [UInt8]
  /// The range of its bytes in the text, from the white space before its name to its last quote.
  package var range: Range<Int>
  /// The range of its value, without the quotes.
  package var value: Range<Int>
}
