import Geometry

/// The positions of an XMP document's parts in its text.
///
///     <x:xmpmeta xmlns:x="adobe:ns:meta/">
///      <rdf:RDF xmlns:rdf="…">                        a root
///       <rdf:Description xmlns:xmp="…"               a description
///         xmp:Label="Red">                            a property as an attribute
///        <xmp:Rating>3</xmp:Rating>                   a property as an element
///       </rdf:Description>
package struct XMPOutline {
  /// The namespace of some properties of an XMP document, with the prefix that it usually has.
  package struct Namespace: Sendable {
    let uri: [UInt8]
    let prefix: [UInt8]

    /// That of `xmp:Rating` and `xmp:Label`.
    package static let xmp = Namespace("http://ns.adobe.com/xap/1.0/", "xmp")
    /// That of `tiff:Orientation`.
    package static let tiff = Namespace("http://ns.adobe.com/tiff/1.0/", "tiff")

    private init(_ uri: String, _ prefix: String) {
      (self.uri, self.prefix) = (Array(uri.utf8), Array(prefix.utf8))
    }
  }

  /// The position of a property whose value is plain text.
  package enum Location {
    /// The property is an attribute of a description.
    case attribute(XMLAttribute)
    /// The property is an element in a description; the values are its start tag, the tokens
    /// between its tags, and the range of the whole element.
    case element(XMLTag, contents: [XMLToken], range: Range<Int>)
  }

  /// An element `rdf:Description`, which has properties as attributes and elements.
  struct Description {
    var tag: XMLTag
    var prefix: [UInt8]?
    /// Whether the usual prefix of that namespace is declared there, so that it cannot be added.
    var isPrefixTaken: Bool
  }

  private(set) var descriptions: [Description] = []
  /// The positions of the properties in the namespace, by their names.
  package private(set) var locations: [[UInt8]: [Location]] = [:]
  /// The ranges of the elements `rdf:RDF`, which contain the descriptions.
  package private(set) var roots: [Range<Int>] = []
  /// Whether there are elements or attributes that may be properties.
  package private(set) var hasContents = false

  private static let rdf = Array("http://www.w3.org/1999/02/22-rdf-syntax-ns#".utf8)
  private static let meta = Array("adobe:ns:meta/".utf8)

  /// Finds the parts of a document, and the properties in a namespace; nil if its tags do not match.
  package init?(_ bytes: [UInt8], _ namespace: Namespace = .xmp) {
    guard let tokens = XMLScanner.tokens(of: bytes) else { return nil }
    var builder = Builder(bytes: bytes, properties: namespace)
    for token in tokens {
      guard builder.feed(token, to: &self) else { return nil }
    }
    guard builder.isComplete else { return nil }
  }

  /// The role of an element in the document.
  private enum Role { case meta, root, description, property([UInt8]), other }

  private struct OpenElement {
    var tag: XMLTag
    var role: Role
    /// The number of prefixes declared by the elements around it.
    var prefixCount: Int
    var contents: [XMLToken] = []
  }

  /// Builds an outline from the tokens of a text.
  private struct Builder {
    let bytes: [UInt8]
    /// The namespace of the properties to find.
    let properties: Namespace
    private var open: [OpenElement] = []
    /// The declared prefixes with their namespaces, the innermost last.
    private var prefixes: [(prefix: [UInt8], namespace: [UInt8])] = []

    init(bytes: [UInt8], properties: Namespace) {
      (self.bytes, self.properties) = (bytes, properties)
    }

    var isComplete: Bool { open.isEmpty }

    /// Reads the next token into an outline; false if the tags do not match.
    mutating func feed(_ token: XMLToken, to outline: inout XMPOutline) -> Bool {
      switch token.kind {
      case .start(let tag):
        guard start(tag, in: &outline) else { return false }
        return !tag.isEmpty || end(tag.name, at: tag.range.upperBound, in: &outline)
      case .end(let name): return end(name, at: token.range.upperBound, in: &outline)
      case .text, .section, .comment, .instruction:
        if let last = open.indices.last { open[last].contents.append(token) }
        return true
      }
    }

    private mutating func start(_ tag: XMLTag, in outline: inout XMPOutline) -> Bool {
      let count = prefixes.count
      for attribute in tag.attributes {
        let parts = Self.parts(of: attribute.name)
        let isDefault = attribute.name == Self.declaration
        guard parts.prefix == Self.declaration || isDefault else { continue }
        let namespace = Array(bytes[attribute.value])
        guard !namespace.contains(UInt8(ascii: "&")) else { return false }
        prefixes.append((isDefault ? [] : parts.name, namespace))
      }
      // An element that contains elements is not plain text.
      if let last = open.indices.last, case .property = open[last].role { open[last].role = .other }
      let role = role(of: tag)
      open.append(OpenElement(tag: tag, role: role, prefixCount: count))
      note(tag, role, to: &outline)
      return true
    }

    private func note(_ tag: XMLTag, _ role: Role, to outline: inout XMPOutline) {
      switch role {
      case .property, .other: outline.hasContents = true
      case .meta, .root: break
      case .description:
        let prefix = prefixes.last {
          !$0.prefix.isEmpty && $0.namespace == properties.uri
            && namespace(of: $0.prefix) == properties.uri
        }
        outline.descriptions.append(
          Description(
            tag: tag, prefix: prefix?.prefix,
            isPrefixTaken: namespace(of: properties.prefix) != nil))
        for attribute in tag.attributes { note(attribute, to: &outline) }
      }
    }

    private func note(_ attribute: XMLAttribute, to outline: inout XMPOutline) {
      let (prefix, name) = Self.parts(of: attribute.name)
      guard attribute.name != Self.declaration, prefix != Self.declaration else { return }
      let isAbout = name == Array("about".utf8)
      if !isAbout { outline.hasContents = true }
      guard !prefix.isEmpty, namespace(of: prefix) == properties.uri else { return }
      outline.locations[name, default: []].append(.attribute(attribute))
    }

    private mutating func end(
      _ name: [UInt8], at offset: Int, in outline: inout XMPOutline
    ) -> Bool {
      guard let element = open.popLast(), element.tag.name == name else { return false }
      prefixes.removeLast(prefixes.count - element.prefixCount)
      let range = element.tag.range.lowerBound..<offset
      switch element.role {
      case .root: outline.roots.append(range)
      case .property(let name):
        outline.locations[name, default: []].append(
          .element(element.tag, contents: element.contents, range: range))
      case .meta, .description, .other: break
      }
      return true
    }

    // MARK: - Names

    private static let declaration = Array("xmlns".utf8)

    private func role(of tag: XMLTag) -> Role {
      let (prefix, name) = Self.parts(of: tag.name)
      let namespace = namespace(of: prefix)
      switch open.last?.role {
      case .root:
        let isDescription = namespace == XMPOutline.rdf && name == Array("Description".utf8)
        return isDescription ? .description : .other
      case .description: return namespace == properties.uri ? .property(name) : .other
      case .property, .other, .meta, nil:
        if namespace == XMPOutline.rdf, name == Array("RDF".utf8) { return .root }
        let isMeta = ["xmpmeta", "xapmeta"].contains { name == Array($0.utf8) }
        return namespace == XMPOutline.meta && isMeta ? .meta : .other
      }
    }

    private func namespace(of prefix: [UInt8]) -> [UInt8]? {
      prefixes.last { $0.prefix == prefix }?.namespace
    }

    /// Splits a name into its prefix, which may be empty, and the part after the colon.
    private static func parts(of name: [UInt8]) -> (prefix: [UInt8], name: [UInt8]) {
      guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return ([], name) }
      return (Array(name[..<colon]), Array(name[(colon + 1)...]))
    }
  }
}
