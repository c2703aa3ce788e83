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
