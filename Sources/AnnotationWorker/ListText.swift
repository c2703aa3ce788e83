import ImageFormats

/// The text of an XMP document, in which a list of texts can be changed without changing anything else.
///
///     <dc:subject>
///      <rdf:Bag>
///       <rdf:li>Rome</rdf:li>
///      </rdf:Bag>
///     </dc:subject>
struct ListText {
  private let list: XMPList
  private let bytes: [UInt8]
  private let tokens: [XMLToken]

  /// Divides a text into its parts; nil if it must be left to the library.
  init?(_ bytes: [UInt8], _ list: XMPList) {
    guard !bytes.isEmpty, let tokens = XMLScanner.tokens(of: bytes) else { return nil }
    (self.bytes, self.tokens, self.list) = (bytes, tokens, list)
  }

  /// Returns the text with other items; nil if it must be left to the library.
  ///
  /// It may be wrong in documents with unusual prefixes, so it is to be read back. `before` are the
  /// items that the library read in the text, nil if it has no list of them; in `after`, those that
  /// stay have kept their order.
  func bytes(replacing before: [String]?, by after: [String]) -> [UInt8]? {
    guard let before else { return starts.isEmpty ? adding(after) : nil }
    guard let list = list(of: before.count) else { return nil }
    var new = opened(list)
    var (offset, count) = (list.start, 0)
    for (keyword, item) in zip(before, list.items) {
      if count < after.count, after[count] == keyword {
        new += bytes[offset..<item.upperBound]
        count += 1
      }
      offset = item.upperBound
    }
    let space = space(in: list)
    for keyword in after[count...] { new += space + element(keyword, prefix: list.prefix) }
    if list.isClosed { new += Self.end(list.name) }
    // Programs take the space in an empty list for a keyword.
    return new + (after.isEmpty ? bytes[offset...].drop(while: \.isXMLSpace) : bytes[offset...])
  }

  /// Returns the text with a text in the default language; nil if it must be left to the library.
  ///
  /// - `index`: Where it is in the list; nil if it is not there, and becomes the first item.
  /// - `count`: How many items the library found in the list; nil without a list.
  func bytes(setting text: String, at index: Int?, of count: Int?) -> [UInt8]? {
    guard let count else { return starts.isEmpty ? adding([text]) : nil }
    guard let list = list(of: count) else { return nil }
    let new = element(text, prefix: list.prefix)
    guard let index else {
      let end = list.isClosed ? Self.end(list.name) : []
      return opened(list) + space(in: list) + new + end + bytes[list.start...]
    }
    let item = list.items[index]
    return Array(bytes[..<item.lowerBound]) + new + bytes[item.upperBound...]
  }

  /// The list's texts by language; nil without the list, or if only the library can read it.
  var alternatives: [XMPPacket.Alternative]? {
    let starts = starts
    guard starts.count == 1, let list = List(tokens, from: starts[0]) else { return nil }
    return list.items.map { item in
      var alternative = XMPPacket.Alternative(language: "", text: "")
      for token in tokens where item.contains(token.range.lowerBound) {
        switch token.kind {
        case .start(let tag):
          let language = tag.attributes.first { $0.name == Array("xml:lang".utf8) }
          alternative.language =
            language.map { String(decoding: bytes[$0.value], as: UTF8.self) } ?? ""
        case .end, .text, .section, .comment, .instruction:
          let text = token.text(in: bytes) ?? []
          alternative.text += String(decoding: text, as: UTF8.self)
        }
      }
      return alternative
    }
  }

  /// The indices of the start tags of the property.
  private var starts: [Int] {
    let name = Array("\(list.prefix):\(list.name)".utf8)
    return tokens.indices.filter { index in
      if case .start(let tag) = tokens[index].kind { tag.name == name } else { false }
    }
  }

  /// Returns the list if it is the only one, and has a number of items.
  private func list(of count: Int) -> List? {
    let starts = starts
    guard starts.count == 1, let list = List(tokens, from: starts[0]), list.items.count == count
    else { return nil }
    return list
  }

  /// Returns the text up to the contents of a list; "<rdf:Bag/>" becomes a start tag.
  private func opened(_ list: List) -> [UInt8] {
    let head = bytes[..<list.start]
    return list.isClosed ? Array(head.dropLast(2)) + Array(">".utf8) : Array(head)
  }

  /// Returns the space before each item of a list.
  private func space(in list: List) -> [UInt8] {
    let space = list.items.first.map { bytes[list.start..<$0.lowerBound] } ?? []
    return space.allSatisfy(\.isXMLSpace) ? Array(space) : []
  }

  private static func end(_ name: [UInt8]) -> [UInt8] {
    Array("</".utf8) + name + Array(">".utf8)
  }

  /// Adds a list to the first description.
  private func adding(_ items: [String]) -> [UInt8]? {
    let ending = ":Description"
    guard
      let description = tokens.first(where: {
        if case .start(let tag) = $0.kind { tag.name.ends(with: ending) } else { false }
      }), case .start(let tag) = description.kind
    else { return nil }
    let prefix = Array(tag.name.dropLast(ending.utf8.count))
    let contents = items.flatMap { element($0, prefix: prefix) }
    let form = prefix + Array(":\(list.form)".utf8)
    let name = "\(list.prefix):\(list.name)"
    let new =
      Array("<\(name) xmlns:\(list.prefix)=\"\(list.namespace)\"><".utf8) + form
      + Array(">".utf8) + contents + Self.end(form) + Array("</\(name)>".utf8)
    let end = tag.range.upperBound
    guard tag.isEmpty else { return Array(bytes[..<end]) + new + bytes[end...] }
    return Array(bytes[..<(end - 2)]) + Array(">".utf8) + new + Self.end(tag.name) + bytes[end...]
  }

  /// Returns the element of an item, whose name has the prefix of the list.
  private func element(_ item: String, prefix: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    for byte in item.utf8 {
      switch byte {
      case UInt8(ascii: "&"): text += Array("&amp;".utf8)
      case UInt8(ascii: "<"): text += Array("&lt;".utf8)
      case UInt8(ascii: ">"): text += Array("&gt;".utf8)
      // Written as it is, it would be read as a line feed.
      case 0x0d: text += Array("&#xD;".utf8)
      default: text.append(byte)
      }
    }
    let name = prefix + Array(":li".utf8)
    let language = XMPPacket.Alternative.defaultLanguage
    let attribute = list.form == "Alt" ? " xml:lang=\"\(language)\"" : ""
    return Array("<".utf8) + name + Array("\(attribute)>".utf8) + text + Self.end(name)
  }

  /// Where a list is in the text.
  private struct List {
    let name: [UInt8]
    let start: Int
    /// Whether that is its end tag too.
    let isClosed: Bool
    /// The elements in it.
    private(set) var items: [Range<Int>] = []

    var prefix: [UInt8] { Array(name.prefix { $0 != UInt8(ascii: ":") }) }

    /// Finds the list in the element whose start tag has an index; nil if there is anything else in
    /// it.
    init?(_ tokens: [XMLToken], from index: Int) {
      var rest = tokens[(index + 1)...].drop { if case .text = $0.kind { true } else { false } }
      guard case .start(let list)? = rest.popFirst()?.kind, list.name.contains(UInt8(ascii: ":"))
      else { return nil }
      (name, start, isClosed) = (list.name, list.range.upperBound, list.isEmpty)
      guard !list.isEmpty else { return }
      var item: (name: [UInt8], start: Int)?
      for token in rest {
        switch token.kind {
        case .start(let tag):
          guard item == nil, tag.name.ends(with: ":li") else { return nil }
          if tag.isEmpty {
            items.append(tag.range)
          } else {
            item = (tag.name, tag.range.lowerBound)
          }
        case .end(let name):
          guard let (known, start) = item else {
            guard name == list.name else { return nil }
            return
          }
          guard name == known else { return nil }
          items.append(start..<token.range.upperBound)
          item = nil
        case .text, .section, .comment: break
        case .instruction: return nil
        }
      }
      return nil
    }
  }
}

extension [UInt8] {
  fileprivate func ends(with text: String) -> Bool {
    count >= text.utf8.count && suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
