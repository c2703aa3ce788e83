import ImageFormats
import Photos

/// An XMP document, as a sidecar or a photo holds it, in which a rating, a label or words can be changed
/// without changing anything else.
struct XMPDocument {
  /// The text in UTF-8, which any other declared encoding is converted to.
  let bytes: [UInt8]
  let packet: XMPPacket

  /// The properties of the photo that new ones in this document would hide.
  struct Hidden {
    var hasLabel = false
    var keywords: [String] = []
    var people: [String] = []
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
    switch edit {
    case .keywords(let edit):
      let new = try bytes(.keywords, after: edit.ofKeywords) { hidden().keywords }
      guard edit.ofPeople != nil else { return new }
      guard let document = XMPDocument(new) else { throw .unverified }
      return try document.bytes(.people, after: edit.ofPeople) { hidden().people }
    case .text(let edit): return try bytes(after: edit)
    case .stars, .label: break
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

  /// Changes a list; nil changes nothing.
  private func bytes(
    _ list: XMPList, after edit: KeywordEdit?, hiding hidden: () -> [String]
  ) throws(AnnotationFault) -> [UInt8] {
    guard let edit else { return bytes }
    let before = packet.items(of: list)
    let after = edit.applied(to: before ?? hidden())
    if before == after, !bytes.isEmpty { return bytes }
    return try bytes(
      changing: list, ListText(bytes, list)?.bytes(replacing: before, by: after),
      { $0.setItems(after, of: list) }, { $0.items(of: list) ?? [] == after })
  }

  /// Changes the text in the default language, and keeps those in others; an empty text hides the
  /// one in the photo.
  private func bytes(after edit: TextEdit) throws(AnnotationFault) -> [UInt8] {
    let list = XMPList.text(edit.field)
    let layout = ListText(bytes, list)
    // The library makes a text in the default language and one other the same.
    let before = layout?.alternatives ?? packet.alternatives(of: list)
    let index = before?.firstIndex { $0.language == XMPPacket.Alternative.defaultLanguage }
    var text = edit.after
    if let before, let stored = index.map({ before[$0] }) ?? before.first {
      let written = WrittenText(Array(stored.text.utf8), keepsLines: edit.field.keepsLines)
      guard [edit.before, edit.after].contains(written.shown) else { throw .otherText }
      text = String(decoding: written.replaced(by: text), as: UTF8.self)
    }
    var after = before ?? []
    if let index {
      after[index].text = text
    } else {
      after.insert(.init(language: XMPPacket.Alternative.defaultLanguage, text: text), at: 0)
    }
    if before == after { return bytes }
    if let new = layout?.bytes(setting: text, at: index, of: before?.count),
      ListText(new, list)?.alternatives == after,
      XMPPacket(parsing: new)?.properties(without: list) == packet.properties(without: list)
    {
      return new
    }
    return try bytes(
      changing: list, nil, { $0.setText(text, at: index, of: list) },
      { $0.alternatives(of: list) == after })
  }

  /// Returns the text with a change of a list: `new` if it is read as that, else what the library
  /// writes.
  private func bytes(
    changing list: XMPList, _ new: [UInt8]?, _ change: (XMPPacket) -> Bool,
    _ isChanged: (XMPPacket) -> Bool
  ) throws(AnnotationFault) -> [UInt8] {
    let others = packet.properties(without: list)
    func isRight(_ packet: XMPPacket) -> Bool {
      isChanged(packet) && packet.properties(without: list) == others
    }
    if let new, let read = XMPPacket(parsing: new), isRight(read) { return new }
    let written = try serialized(changing: list.name, change)
    guard isRight(written.packet) else { throw .unverified }
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
      written.names.isSuperset(of: names.subtracting([Array(name.utf8)])),
      written.pairedTexts == pairedTexts
    else { throw .unverified }
    return written
  }

  /// The texts of titles, captions and rights in two languages, which the library may make the same.
  private var pairedTexts: [[XMPPacket.Alternative]] {
    let lists = [XMPList.text(.title), .text(.caption), .rights]
    return lists.compactMap { ListText(bytes, $0)?.alternatives }.filter { $0.count == 2 }
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
