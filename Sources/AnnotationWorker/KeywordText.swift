import ImageFormats

/// The text of an XMP document, in which the list of keywords can be changed without changing anything
/// else.
///
///     <dc:subject>
///      <rdf:Bag>
///       <rdf:li>Rome</rdf:li>
///      </rdf:Bag>
///     </dc:subject>
struct KeywordText {
  private let bytes: [UInt8]
  private let tokens: [XMLToken]

  /// Divides a text into its parts; nil if it must be left to the library.
  init?(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, let tokens = XMLScanner.tokens(of: bytes) else { return nil }
    (self.bytes, self.tokens) = (bytes, tokens)
  }

  /// Returns the text with other keywords; nil if it must be left to the library.
  ///
  /// It may be wrong in documents with unusual prefixes, so it is to be read back. `before` are the
  /// keywords that the library read in the text, nil if it has no list of them; in `after`, those that
  /// stay have kept their order.
  func bytes(replacing before: [String]?, by after: [String]) -> [UInt8]? {
    let starts = tokens.indices.filter { tag(at: $0, named: "dc:subject") != nil }
    guard let before else { return starts.isEmpty ? adding(after) : nil }
    guard starts.count == 1, let list = List(tokens, from: starts[0]),
      list.items.count == before.count
    else { return nil }
    var new = Array(bytes[..<list.start])
    if list.isClosed {
      // "<rdf:Bag/>" gets an end tag.
      new.removeLast(2)
      new.append(UInt8(ascii: ">"))
    }
    var (offset, count) = (list.start, 0)
    for (keyword, item) in zip(before, list.items) {
      if count < after.count, after[count] == keyword {
        new += bytes[offset..<item.upperBound]
        count += 1
      }
      offset = item.upperBound
    }
    let space = list.items.first.map { Array(bytes[list.start..<$0.lowerBound]) } ?? []
    let isBlank = space.allSatisfy(\.isXMLSpace)
    for keyword in after[count...] {
      if isBlank { new += space }
      new += Self.element(keyword, prefix: list.prefix)
    }
    if list.isClosed { new += Array("</".utf8) + list.name + Array(">".utf8) }
    // Programs take the space in an empty list for a keyword.
    return new + (after.isEmpty ? bytes[offset...].drop(while: \.isXMLSpace) : bytes[offset...])
  }

  /// Adds a list to the first description.
  private func adding(_ keywords: [String]) -> [UInt8]? {
    let ending = ":Description"
    guard
      let description = tokens.first(where: {
        if case .start(let tag) = $0.kind { tag.name.ends(with: ending) } else { false }
      }), case .start(let tag) = description.kind
    else { return nil }
    let prefix = Array(tag.name.dropLast(ending.utf8.count))
    let items = keywords.map { Self.element($0, prefix: prefix) }
    let bag = prefix + Array(":Bag".utf8)
    let list =
      Array("<dc:subject xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><".utf8) + bag
      + Array(">".utf8) + items.joined() + Array("</".utf8) + bag + Array("></dc:subject>".utf8)
    let end = tag.range.upperBound
    guard tag.isEmpty else { return Array(bytes[..<end]) + list + bytes[end...] }
    return Array(bytes[..<(end - 2)]) + Array(">".utf8) + list + Array("</".utf8) + tag.name
      + Array(">".utf8) + bytes[end...]
  }

  private func tag(at index: Int, named name: String) -> XMLTag? {
    guard case .start(let tag) = tokens[index].kind, tag.name.elementsEqual(name.utf8) else {
      return nil
    }
    return tag
  }

  /// Returns the element of a keyword, whose name has the prefix of the list.
  private static func element(_ keyword: String, prefix: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    for byte in keyword.utf8 {
      switch byte {
      case UInt8(ascii: "&"): text += Array("&amp;".utf8)
      case UInt8(ascii: "<"): text += Array("&lt;".utf8)
      case UInt8(ascii: ">"): text += Array("&gt;".utf8)
      default: text.append(byte)
      }
    }
    let name = prefix + Array(":li".utf8)
    return Array("<".utf8) + name + Array(">".utf8) + text + Array("</".utf8) + name
      + Array(">".utf8)
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
