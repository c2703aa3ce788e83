import CExempi
import Glibc
import ImageFormats
import Photos

/// An XMP packet in the library exempi: a set of properties.
final class XMPPacket {
  /// The namespace of `xmp:Rating` and `xmp:Label`.
  static let namespace = "http://ns.adobe.com/xap/1.0/"
  private static let ratingName = "Rating"
  private static let labelName = "Label"

  /// A change of a property in the namespace of ratings.
  struct Change {
    let name: String
    /// The new text, without characters that XML escapes; nil to remove the property.
    let value: String?

    /// Creates the change for an edit; nil for one of words.
    init?(_ edit: AnnotationEdit, keepsEmptyLabel: Bool = false) {
      switch edit {
      case .stars(let stars): (name, value) = (XMPPacket.ratingName, "\(stars)")
      case .label(let label?): (name, value) = (XMPPacket.labelName, label.xmp)
      case .label(nil): (name, value) = (XMPPacket.labelName, keepsEmptyLabel ? "" : nil)
      case .keywords, .text: return nil
      }
    }
  }

  /// The library's packet, which this object owns.
  private(set) var pointer: XmpPtr

  /// Whether the library is initialized; the first use initializes it.
  static let isReady = xmp_init()

  init(owning pointer: XmpPtr) { self.pointer = pointer }

  static func empty() -> XMPPacket? {
    guard isReady, let pointer = xmp_new_empty() else { return nil }
    return XMPPacket(owning: pointer)
  }

  /// Parses a document, which may be in another encoding than UTF-8.
  convenience init?(parsing document: [UInt8]) {
    guard let bytes = MetadataText.document(document) else { return nil }
    guard let pointer = Self.parse(bytes[...]) else { return nil }
    self.init(owning: pointer)
    guard properties.isEmpty else { return }
    // The library finds no properties in a document without Adobe's root element, or with a
    // misspelt one. Properties that it does not find would be lost when it writes the document.
    guard let outline = XMPOutline(bytes) else { return nil }
    guard outline.hasContents else { return }
    guard outline.roots.count == 1,
      let wrapped = Self.parse(Self.wrapped(bytes[outline.roots[0]])[...])
    else { return nil }
    xmp_free(self.pointer)
    self.pointer = wrapped
    guard !properties.isEmpty else { return nil }
  }

  private static func parse(_ bytes: ArraySlice<UInt8>) -> XmpPtr? {
    // The library accepts an empty document. It rejects documents with a document type, whose
    // entities could expand without limit.
    guard isReady, !bytes.isEmpty, let pointer = xmp_new_empty() else { return nil }
    let isParsed = bytes.withUnsafeBytes {
      xmp_parse(pointer, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    guard isParsed else {
      xmp_free(pointer)
      return nil
    }
    return pointer
  }

  /// Wraps a document in the root element that the library requires.
  private static func wrapped(_ root: ArraySlice<UInt8>) -> [UInt8] {
    Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">".utf8) + root + Array("</x:xmpmeta>".utf8)
  }

  deinit { xmp_free(pointer) }

  // MARK: - Properties

  /// The text of `xmp:Rating`; nil if there is none.
  var rating: String? { text(Self.ratingName) }

  /// The text of `xmp:Label`; nil if there is none.
  var label: String? { text(Self.labelName) }

  /// Returns a property's text; nil without the property.
  ///
  /// The namespace is that of ratings by default.
  func text(_ name: String, _ namespace: String = XMPPacket.namespace) -> String? {
    guard xmp_has_property(pointer, namespace, name), let value = xmp_string_new() else {
      return nil
    }
    defer { xmp_string_free(value) }
    guard xmp_get_property(pointer, namespace, name, value, nil),
      let text = xmp_string_cstr(value)
    else { return nil }
    return String(cString: text)
  }

  struct Property: Hashable {
    /// The URI of the namespace.
    var namespace: String
    /// The path of the property in it, such as "dc:subject[2]".
    var path: String
    /// The text; empty for a list or a structure.
    var value: String
    /// The library's flags, which include the kind of the property.
    var options: UInt32
  }

  /// All properties and their parts.
  var properties: Set<Property> {
    guard
      let iterator = xmp_iterator_new(pointer, nil, nil, XMP_ITER_PROPERTIES)
    else { return [] }
    defer { _ = xmp_iterator_free(iterator) }
    let texts = (0..<3).map { _ in xmp_string_new() }
    defer { for text in texts { xmp_string_free(text) } }
    var properties: Set<Property> = []
    var options: UInt32 = 0
    while xmp_iterator_next(iterator, texts[0], texts[1], texts[2], &options) {
      let words = texts.map { xmp_string_cstr($0).map { String(cString: $0) } ?? "" }
      // The iterator also returns namespaces, with an empty path.
      guard !words[1].isEmpty else { continue }
      properties.insert(
        Property(namespace: words[0], path: words[1], value: words[2], options: options))
    }
    return properties
  }

  /// Returns all properties and their parts, except one property in the namespace of ratings.
  func properties(without name: String) -> Set<Property> {
    properties.filter { $0.namespace != Self.namespace || $0.path != "xmp:\(name)" }
  }

  func apply(_ change: Change) -> Bool {
    if let value = change.value {
      return xmp_set_property(pointer, Self.namespace, change.name, value, 0)
    }
    return !xmp_has_property(pointer, Self.namespace, change.name)
      || xmp_delete_property(pointer, Self.namespace, change.name)
  }

  /// Returns the packet as an XMP document; nil if the library fails.
  ///
  /// With a wrapper, the document is between `<?xpacket?>` instructions, by which programs find a
  /// packet in a file.
  func serialized(hasWrapper: Bool) -> [UInt8]? {
    guard let buffer = xmp_string_new() else { return nil }
    defer { xmp_string_free(buffer) }
    var options = UInt32(XMP_SERIAL_USECOMPACTFORMAT)
    if !hasWrapper { options |= UInt32(XMP_SERIAL_OMITPACKETWRAPPER) }
    // A padding of 1 byte: 0 would mean two kilobytes, which only packets inside of files need.
    guard xmp_serialize(pointer, buffer, options, 1), let text = xmp_string_cstr(buffer)
    else { return nil }
    return Array(
      UnsafeRawBufferPointer(start: UnsafeRawPointer(text), count: xmp_string_len(buffer)))
  }
}
