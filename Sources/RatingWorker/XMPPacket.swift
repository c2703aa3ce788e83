import CExempi
import PhotoGridCore

/// The properties of an XMP packet.
final class XMPPacket {
  /// The namespace of `xmp:Rating` and `xmp:Label`.
  private static let namespace = "http://ns.adobe.com/xap/1.0/"
  private static let ratingName = "Rating"
  private static let labelName = "Label"

  /// The packet of the library, which this object owns.
  let pointer: XmpPtr

  /// Starts the library once; false if that fails.
  static let isReady = xmp_init()

  /// A packet of the library, to be freed with this object.
  init(owning pointer: XmpPtr) { self.pointer = pointer }

  /// An empty packet; nil if the library fails.
  static func empty() -> XMPPacket? {
    guard isReady, let pointer = xmp_new_empty() else { return nil }
    return XMPPacket(owning: pointer)
  }

  /// Parses a packet; nil if the bytes are none.
  convenience init?(parsing bytes: [UInt8]) {
    // An empty document is no error for the library. Those with a document type, whose entities can
    // grow without limit, it refuses.
    guard Self.isReady, !bytes.isEmpty, let pointer = xmp_new_empty() else { return nil }
    let isParsed = bytes.withUnsafeBytes {
      xmp_parse(pointer, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    guard isParsed else {
      xmp_free(pointer)
      return nil
    }
    self.init(owning: pointer)
  }

  deinit { xmp_free(pointer) }

  // MARK: - Properties

  /// The text of `xmp:Rating`; nil if there is none.
  var rating: String? { text(Self.ratingName) }

  /// The text of `xmp:Label`; nil if there is none.
  var label: String? { text(Self.labelName) }

  private func text(_ name: String) -> String? {
    guard xmp_has_property(pointer, Self.namespace, name), let value = xmp_string_new() else {
      return nil
    }
    defer { xmp_string_free(value) }
    guard xmp_get_property(pointer, Self.namespace, name, value, nil),
      let text = xmp_string_cstr(value)
    else { return nil }
    return String(cString: text)
  }

  /// Changes a property.
  ///
  /// - Parameters:
  ///   - edit: The change.
  ///   - keepsEmptyLabel: Whether a removed label is written as an empty one.
  /// - Returns: Whether the library did so.
  func apply(_ edit: RatingEdit, keepsEmptyLabel: Bool) -> Bool {
    switch edit {
    case .stars(let stars): set(Self.ratingName, "\(stars)")
    case .label(let label?): set(Self.labelName, label.xmp)
    case .label(nil) where keepsEmptyLabel: set(Self.labelName, "")
    case .label(nil):
      !xmp_has_property(pointer, Self.namespace, Self.labelName)
        || xmp_delete_property(pointer, Self.namespace, Self.labelName)
    }
  }

  private func set(_ name: String, _ value: String) -> Bool {
    xmp_set_property(pointer, Self.namespace, name, value, 0)
  }

  /// The bytes of a document, with or without the instructions around it that mark a packet in a
  /// file; nil if the library fails.
  func serialized(hasWrapper: Bool) -> [UInt8]? {
    guard let buffer = xmp_string_new() else { return nil }
    defer { xmp_string_free(buffer) }
    var options = UInt32(XMP_SERIAL_USECOMPACTFORMAT)
    if !hasWrapper { options |= UInt32(XMP_SERIAL_OMITPACKETWRAPPER) }
    // Without padding, which only packets inside of other files need; 0 stands for two kilobytes.
    guard xmp_serialize(pointer, buffer, options, 1), let text = xmp_string_cstr(buffer)
    else { return nil }
    return Array(
      UnsafeRawBufferPointer(start: UnsafeRawPointer(text), count: xmp_string_len(buffer)))
  }
}
