import ImageFormats
import Photos

/// An XMP document, as a sidecar or a photo holds it, in which a rating, a label or keywords can be
/// changed without changing anything else.
struct XMPDocument {
  /// The text in UTF-8, which any other declared encoding is converted to.
  let bytes: [UInt8]
  let packet: XMPPacket

  /// The properties of the photo that new ones in this document would hide.
  struct Hidden {
    var hasLabel = false
    var keywords: [String] = []
  }

  /// Parses a document; nil if it is not XMP, or its encoding is unknown.
  ///
  /// Without a byte it is a new one: a program that was stopped while it created a sidecar has left an
  /// empty file.
  init?(_ stored: [UInt8]) {
    guard let bytes = MetadataText.document(stored),
      let packet = bytes.isEmpty ? XMPPacket.empty() : XMPPacket(parsing: bytes)
    else { return nil }
    (self.bytes, self.packet) = (bytes, packet)
  }

  /// Returns the text after a change, as little of it as possible changed.
  ///
  /// `hidden` is called if the document lacks the property.
  ///
  /// - Throws: `AnnotationFault.unverified` unless the new text is read as the old one with the change.
  func bytes(
    after edit: AnnotationEdit, hiding hidden: () -> Hidden
  ) throws(AnnotationFault) -> [UInt8] {
    if case .keywords(let edit) = edit {
      let before = packet.keywords
      return try bytes(replacing: before, by: edit.applied(to: before ?? hidden().keywords))
    }
    // An empty label hides the photo's label; without one, that would be shown.
    let keepsEmptyLabel = edit == .label(nil) && hidden().hasLabel
    guard let change = XMPPacket.Change(edit, keepsEmptyLabel: keepsEmptyLabel) else {
      throw .unverified
    }
    if let new = XMPText(bytes)?.bytes(after: change, in: packet) { return new }
    let others = packet.properties(without: change.name)
    let written = try serialized(changing: change.name) { $0.apply(change) }
    let rating = Rating(xmpRating: written.packet.rating, xmpLabel: written.packet.label)
    guard written.packet.properties(without: change.name) == others,
      edit.applied(to: rating) == rating
    else { throw .unverified }
    return written.bytes
  }

  private func bytes(
    replacing before: [String]?, by after: [String]
  ) throws(AnnotationFault) -> [UInt8] {
    if before == after, !bytes.isEmpty { return bytes }
    let others = packet.propertiesWithoutKeywords
    if let new = KeywordText(bytes)?.bytes(replacing: before, by: after),
      let written = XMPPacket(parsing: new), written.keywords == after,
      written.propertiesWithoutKeywords == others
    {
      return new
    }
    let written = try serialized(changing: "subject") { $0.setKeywords(after) }
    guard written.packet.propertiesWithoutKeywords == others,
      written.packet.keywords ?? [] == after
    else { throw .unverified }
    return written.bytes
  }

  /// Changes a copy of the packet, and returns it as the library writes and reads it.
  private func serialized(
    changing name: String, _ change: (XMPPacket) -> Bool
  ) throws(AnnotationFault) -> XMPDocument {
    let head = String(decoding: bytes.prefix(256), as: UTF8.self)
    guard let copy = bytes.isEmpty ? XMPPacket.empty() : XMPPacket(parsing: bytes), change(copy),
      let new = copy.serialized(hasWrapper: bytes.isEmpty || head.containsText("<?xpacket")),
      let written = XMPDocument(new),
      written.names.isSuperset(of: names.subtracting([Array(name.utf8)]))
    else { throw .unverified }
    return written
  }

  /// The names of all elements and attributes, without prefixes, which the library chooses anew.
  ///
  /// Some dates that mean the same to the library are one property once it has written them, which
  /// comparing what it reads does not show.
  private var names: Set<[UInt8]> {
    var scanner = XMLScanner(bytes)
    var names: Set<[UInt8]> = []
    while let token = scanner.next() {
      guard case .start(let tag) = token.kind else { continue }
      let attributes = tag.attributes.map(\.name).filter { !$0.starts(with: "xmlns".utf8) }
      for name in [tag.name] + attributes {
        names.insert(Array(name.split(separator: UInt8(ascii: ":")).last ?? []))
      }
    }
    // Forms of the same document: a structure may be written as attributes, and a list of another kind.
    return names.subtracting(Self.forms)
  }

  private static let forms = Set(
    [
      "xmpmeta", "xapmeta", "xmptk", "xaptk", "RDF", "Description", "Bag", "Seq", "Alt", "li",
      "parseType", "about", "lang", "resource", "value",
    ].map { Array($0.utf8) })
}
