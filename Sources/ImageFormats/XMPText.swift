/// The text of an XMP document, in which a property can be changed without changing anything else.
package struct XMPText {
  package let bytes: [UInt8]
  private let namespace: XMPOutline.Namespace
  private let outline: XMPOutline

  /// Parses a document for changes of properties in a namespace; nil if it cannot be changed.
  package init?(_ bytes: [UInt8], _ namespace: XMPOutline.Namespace = .xmp) {
    guard !bytes.isEmpty, let outline = XMPOutline(bytes, namespace), outline.roots.count == 1
    else { return nil }
    (self.bytes, self.namespace, self.outline) = (bytes, namespace, outline)
  }

  /// Returns the text in which a property has another value, without characters that XML escapes, or is
  /// missing if that is nil; nil if the property occurs twice or is not plain text.
  package func setting(_ name: String, to value: String?) -> [UInt8]? {
    let locations = outline.locations[Array(name.utf8)] ?? []
    guard locations.count <= 1 else { return nil }
    switch (locations.first, value) {
    case (nil, nil): return bytes
    case (nil, let value?): return adding(name, value)
    case (.attribute(let attribute), let value?): return replacing(attribute.value, by: value)
    case (.attribute(let attribute), nil): return replacing(attribute.range, by: "")
    case (.element(let tag, let contents, _), let value?):
      // Other attributes may qualify the text, or be used in place of it.
      let isSimple = tag.attributes.allSatisfy { $0.name.starts(with: "xmlns".utf8) }
      return isSimple ? replacing(contents, of: tag, by: value) : nil
    case (.element(_, _, let range), nil): return replacing(line(of: range), by: "")
    }
  }

  private func replacing(_ range: Range<Int>, by text: String) -> [UInt8] {
    Array(bytes[..<range.lowerBound]) + text.utf8 + bytes[range.upperBound...]
  }

  /// Adds a property as an attribute to the first description with a prefix for its namespace, or
  /// else to the first one, with a new prefix.
  private func adding(_ name: String, _ value: String) -> [UInt8]? {
    let prefixed = outline.descriptions.first { $0.prefix != nil }
    guard let description = prefixed ?? outline.descriptions.first else { return nil }
    let tag = description.tag
    // It follows the last attribute, and starts a new line if that one does.
    let (space, quote, end): ([UInt8], UInt8, Int)
    if let last = tag.attributes.last {
      space = Array(bytes[last.range].prefix { $0.isXMLSpace })
      (quote, end) = (bytes[last.value.upperBound], last.range.upperBound)
    } else {
      (space, quote) = ([0x20], UInt8(ascii: "\""))
      end = tag.range.lowerBound + 1 + tag.name.count
    }
    var new = Array(bytes[..<end])
    if description.prefix == nil {
      guard !description.isPrefixTaken else { return nil }
      new += space + Array("xmlns:".utf8) + namespace.prefix + Array("=".utf8)
      new += [quote] + namespace.uri + [quote]
    }
    let prefix = description.prefix ?? namespace.prefix
    new += space + prefix + Array(":\(name)=".utf8) + [quote] + Array(value.utf8) + [quote]
    return new + bytes[end...]
  }

  /// Replaces the text in an element, but keeps comments.
  private func replacing(
    _ contents: [XMLToken], of tag: XMLTag, by value: String
  ) -> [UInt8]? {
    guard !tag.isEmpty else {
      guard !value.isEmpty else { return bytes }
      let slash = tag.range.upperBound - 2
      return replacing(
        slash..<tag.range.upperBound, by: ">\(value)</\(String(decoding: tag.name, as: UTF8.self))>"
      )
    }
    var new = Array(bytes[..<tag.range.upperBound]) + value.utf8
    for token in contents where !token.isText { new += bytes[token.range] }
    return new + bytes[(contents.last?.range.upperBound ?? tag.range.upperBound)...]
  }

  /// Returns the range of an element, extended to whole lines if there is nothing else on them.
  private func line(of range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
    var end = range.upperBound
    if end < bytes.count, bytes[end] == 0x0D { end += 1 }
    guard start > 0, bytes[start - 1] == 0x0A, end < bytes.count, bytes[end] == 0x0A else {
      return range
    }
    return start..<(end + 1)
  }
}
