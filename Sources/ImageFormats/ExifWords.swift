import Geometry

/// The words that people wrote about a photo into its EXIF: in the fields of the standard, and in
/// those of Windows.
package struct ExifWords: Equatable, Sendable {
  /// Windows' title.
  package private(set) var title: [UInt8]?
  /// ImageDescription, else UserComment, else Windows' comment, else its subject.
  package private(set) var caption: [UInt8]?
  /// Windows' keywords.
  package private(set) var keywords: [[UInt8]] = []

  private enum Tag {
    static let description: UInt16 = 0x10e
    static let userComment: UInt16 = 0x9286
    static let (title, comment): (UInt16, UInt16) = (0x9c9b, 0x9c9c)
    static let (keywords, subject): (UInt16, UInt16) = (0x9c9e, 0x9c9f)
  }

  /// The longest field that is read, in bytes: keywords in UTF-16.
  private static let maxBytes = 64 << 10

  package init() {}

  /// Reads directories; nil has no words.
  package init(_ directories: ExifDirectories?) {
    guard let directories else { return }
    let (reader, main) = (directories.reader, directories.main.entries)
    func windowsText(_ tag: UInt16) -> [UInt8]? {
      guard let entry = main[tag], entry.type == 1 || entry.type == 7,
        let bytes = reader.contents(entry, atMost: Self.maxBytes)
      else { return nil }
      return Self.visible(MetadataText.utf16(bytes[...], isBigEndian: false))
    }
    title = windowsText(Tag.title)
    caption =
      Self.description(main[Tag.description], reader)
      ?? Self.comment(directories.photo?.entries[Tag.userComment], reader)
      ?? windowsText(Tag.comment) ?? windowsText(Tag.subject)
    // Windows divides them by semicolons.
    keywords = (windowsText(Tag.keywords) ?? []).split(separator: UInt8(ascii: ";")).map {
      Array($0)
    }
  }

  private static func description(_ entry: TIFFReader.Entry?, _ reader: TIFFReader) -> [UInt8]? {
    guard let entry, entry.isText, let bytes = reader.contents(entry, atMost: maxBytes) else {
      return nil
    }
    let text = visible(MetadataText.undeclared(Array(bytes.prefix { $0 != 0 })))
    return text.flatMap { isOfCamera($0) ? nil : $0 }
  }

  private static func comment(_ entry: TIFFReader.Entry?, _ reader: TIFFReader) -> [UInt8]? {
    guard let entry, entry.type == 7 || entry.isText,
      let bytes = reader.contents(entry, atMost: maxBytes)
    else { return nil }
    let text = MetadataText.comment(bytes, isBigEndian: reader.isBigEndian).flatMap(visible)
    return text.flatMap { isOfCamera($0) ? nil : $0 }
  }

  /// Returns a text if it has more than spaces and control characters.
  private static func visible(_ text: [UInt8]) -> [UInt8]? {
    text.contains { $0 > 0x20 } ? text : nil
  }

  /// Whether a camera or its program writes a text into each photo.
  private static func isOfCamera(_ text: [UInt8]) -> Bool {
    let words = String(decoding: text, as: UTF8.self).lowercased().split(separator: " ")
    let line = words.joined(separator: " ")
    return line.hasSuffix("digital camera") || line.hasSuffix("digital still camera")
      || constants.contains(line) || line.hasPrefix("{") || line.hasPrefix("filter:")
      || line.hasPrefix("oplus_")
  }

  /// The texts that cameras write, in lowercase.
  private static let constants: Set<String> = [
    "sony dsc", "dcim", "samsung", "default", "camera", "exif_jpeg_picture", "exif jpeg",
    "minolta dimage camera", "applemark", "charset=ascii", "hisilicon k3", "untitled", "cof",
    "jpeg", "edf", "dav", "sdr", "hdr", "mde", "ptr", "qrf", "rhdr", "bty", "cs", "fpt", "nor",
    "oznor",
    "screenshot", "smartcapture", "vsco", "processed with vsco", "asc",
  ]
}
