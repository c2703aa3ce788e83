/// A part of an XML text: a tag, the text between two tags, or something else in angle brackets.
struct XMLToken {
  /// What the part is.
  enum Kind {
    /// The tag with which an element starts.
    case start(XMLTag)
    /// The tag with which an element ends, by the name of the element.
    case end([UInt8])
    /// Text with entities.
    case text
    /// Text without entities, in `<![CDATA[` and `]]>`.
    case section
    /// A comment, in `<!--` and `-->`.
    case comment
    /// An instruction to a program, or the declaration of the text's encoding.
    case instruction
  }

  /// What the part is.
  var kind: Kind
  /// Where it is, in bytes.
  var range: Range<Int>

  /// Whether the part is text of the element that it is in.
  var isText: Bool {
    switch kind {
    case .text, .section: true
    case .start, .end, .comment, .instruction: false
    }
  }
}

/// The tag with which an element starts.
struct XMLTag {
  /// The name with its prefix.
  var name: [UInt8]
  /// The attributes in the order of the text.
  var attributes: [XMLAttribute] = []
  /// Whether the tag ends the element too.
  var isEmpty = false
  /// Where the tag is, in bytes.
  var range = 0..<0
}

/// An attribute in a tag.
struct XMLAttribute {
  /// The name with its prefix.
  var name: [UInt8]
  /// Where the attribute is, in bytes, from the white space before its name to its last quote.
  var range: Range<Int>
  /// Where its value is, between the quotes.
  var value: Range<Int>
}
