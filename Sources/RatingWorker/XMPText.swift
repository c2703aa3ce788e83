/// The text of an XMP document, in which a property is changed while every other byte stays.
struct XMPText {
  private let bytes: [UInt8]
  private let outline: XMPOutline

  /// The text of a document; nil for one that only the library should change.
  init?(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, let outline = XMPOutline(bytes), outline.roots.count == 1 else {
      return nil
    }
    self.bytes = bytes
    self.outline = outline
  }

  /// The text after a change.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - packet: What the library reads in the text.
  /// - Returns: Nil if the library does not read the new text as it should, with the same properties
  ///   but for the changed one.
  func bytes(after change: XMPPacket.Change, in packet: XMPPacket) -> [UInt8]? {
    guard let new = bytes(after: change) else { return nil }
    guard new != bytes else { return packet.text(change.name) == change.value ? bytes : nil }
    guard let read = XMPPacket(parsing: new), read.text(change.name) == change.value,
      read.properties(without: change.name) == packet.properties(without: change.name)
    else { return nil }
    return new
  }

  /// The text after a change; nil if the property is not where or as simple as it should be.
  private func bytes(after change: XMPPacket.Change) -> [UInt8]? {
    let places = outline.places[Array(change.name.utf8)] ?? []
    guard places.count <= 1 else { return nil }
    switch (places.first, change.value) {
    case (nil, nil): return bytes
    case (nil, let value?): return adding(change.name, value)
    case (.attribute(let attribute), let value?): return replacing(attribute.value, by: value)
    case (.attribute(let attribute), nil): return replacing(attribute.range, by: "")
    case (.element(let tag, let contents, _), let value?):
      // Other attributes say something about the text, or replace it.
      let isSimple = tag.attributes.allSatisfy { $0.name.starts(with: "xmlns".utf8) }
      return isSimple ? replacing(contents, of: tag, by: value) : nil
    case (.element(_, _, let range), nil): return replacing(line(of: range), by: "")
    }
  }

  private func replacing(_ range: Range<Int>, by text: String) -> [UInt8] {
    Array(bytes[..<range.lowerBound]) + text.utf8 + bytes[range.upperBound...]
  }

  /// Adds an attribute to the first description that has a prefix for it, or else to the first.
  private func adding(_ name: String, _ value: String) -> [UInt8]? {
    let prefixed = outline.descriptions.first { $0.prefix != nil }
    guard let description = prefixed ?? outline.descriptions.first else { return nil }
    let tag = description.tag
    // After the last attribute, on a line of its own if that one is.
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
      new += space + Array("xmlns:".utf8) + XMPOutline.usualPrefix + Array("=".utf8)
      new += [quote] + Array(XMPPacket.namespace.utf8) + [quote]
    }
    let prefix = description.prefix ?? XMPOutline.usualPrefix
    new += space + prefix + Array(":\(name)=".utf8) + [quote] + Array(value.utf8) + [quote]
    return new + bytes[end...]
  }

  /// Replaces the text in an element; comments in it stay.
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

  /// The range of an element with the rest of its line, if there is nothing else on it.
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
