import CExempi
import Glibc
import ImageFormats
import PhotoGridCore

/// The keywords in a packet: the texts of the list `dc:subject`.
extension XMPPacket {
  private static let dc = "http://purl.org/dc/elements/1.1/"
  private static let subject = "subject"
  /// The option of an unordered list (exempi's XMP_PROP_VALUE_IS_ARRAY).
  private static let isArray: UInt32 = 0x200

  /// The keywords; nil if there is no list of them.
  var keywords: [String]? {
    guard xmp_has_property(pointer, Self.dc, Self.subject) else { return nil }
    guard let text = xmp_string_new() else { return [] }
    defer { xmp_string_free(text) }
    var keywords: [String] = []
    // All of them, since they are written again.
    while xmp_get_array_item(
      pointer, Self.dc, Self.subject, Int32(keywords.count + 1), text, nil),
      let word = xmp_string_cstr(text)
    {
      keywords.append(String(cString: word))
    }
    return keywords
  }

  /// All properties and their parts, except keywords.
  var propertiesWithoutKeywords: Set<Property> {
    properties.filter { $0.namespace != Self.dc || !$0.path.hasPrefix("dc:subject") }
  }

  func setKeywords(_ keywords: [String]) -> Bool {
    if xmp_has_property(pointer, Self.dc, Self.subject) {
      guard xmp_delete_property(pointer, Self.dc, Self.subject) else { return false }
    }
    // An empty list hides the keywords in the photo.
    guard !keywords.isEmpty else {
      return xmp_set_property(pointer, Self.dc, Self.subject, "", Self.isArray)
    }
    return keywords.allSatisfy {
      xmp_append_array_item(pointer, Self.dc, Self.subject, Self.isArray, $0, 0)
    }
  }
}

extension EmbeddedXMP {
  /// Reads the keywords in a photo: in XMP, or else in the records of the IPTC of a JPEG.
  static func keywords(ofPhoto path: [UInt8]) -> [String] {
    if let keywords = packet(ofPhoto: path)?.keywords { return keywords }
    let file = open(path.terminated, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { return [] }
    defer { close(file) }
    let head = [UInt8](unsafeUninitializedCapacity: 256 << 10) { buffer, count in
      count = max(pread(file, buffer.baseAddress, buffer.count, 0), 0)
    }
    guard JPEGFacts.areFirstBytes(head), let range = JPEGHeader(head)?.iptc else { return [] }
    return PhotoWords(
      title: nil, caption: nil, keywords: IPTCFacts(head[range]).keywords)?.keywords ?? []
  }
}

extension RatingFiles {
  /// Returns the bytes of a sidecar after a change of keywords.
  ///
  /// A sidecar without a list of keywords gets those of the photo too, which it would hide.
  static func contents(
    of packet: XMPPacket, after edit: KeywordEdit, replacing old: [UInt8], ofPhoto path: [UInt8]
  ) throws(RatingFault) -> [UInt8] {
    let before = packet.keywords ?? EmbeddedXMP.keywords(ofPhoto: path)
    let after = edit.applied(to: before)
    if packet.keywords == after, !old.isEmpty { return old }
    let head = String(decoding: old.prefix(256), as: UTF8.self)
    let others = packet.propertiesWithoutKeywords
    if let new = KeywordText(old)?.bytes(replacing: packet.keywords, by: after),
      let written = XMPPacket(parsing: new), written.keywords == after,
      written.propertiesWithoutKeywords == others
    {
      return new
    }
    guard packet.setKeywords(after),
      let new = packet.serialized(hasWrapper: old.isEmpty || head.containsText("<?xpacket")),
      let written = XMPPacket(parsing: new), written.propertiesWithoutKeywords == others,
      written.keywords ?? [] == after
    else { throw .unverified }
    return new
  }
}
