import Photos

extension ImageFormat {
  /// The number of a file's first bytes that `init(firstBytes:)` needs.
  package static let sniffedByteCount = 64

  /// Detects the format of a file by its first bytes, whatever its name; nil for an unknown format.
  package init?(firstBytes bytes: some RandomAccessCollection<UInt8>) {
    let head = Array(bytes.prefix(Self.sniffedByteCount))
    func has(_ magic: [UInt8], at offset: Int = 0) -> Bool {
      head.dropFirst(offset).starts(with: magic)
    }
    if has([0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if has([0x89] + Array("PNG\r\n\u{1a}\n".utf8)) {
      self = .png
    } else if has(Array("GIF87a".utf8)) || has(Array("GIF89a".utf8)) {
      self = .gif
    } else if has(Array("RIFF".utf8)), has(Array("WEBP".utf8), at: 8) {
      self = .webp
    } else if Self.rawHeads.contains(where: { has($0) })
      || has(Array("II*\0".utf8)) && has(Array("CR\u{02}".utf8), at: 8)
      || has(Array("ftypcrx ".utf8), at: 4)
    {
      self = .raw
    } else if has(Array("II*\0".utf8)) || has(Array("MM\0*".utf8)) || has(Array("II+\0".utf8))
      || has(Array("MM\0+".utf8))
    {
      self = .tiff
    } else if has(Array("ftyp".utf8), at: 4), let format = Self(fileTypeBox: head) {
      self = format
    } else if head.count >= 12,
      ["ftyp", "moov", "mdat", "wide"].contains(where: { has(Array($0.utf8), at: 4) })
        || has([0x1a, 0x45, 0xdf, 0xa3])
        || has(Array("RIFF".utf8)) && has(Array("AVI ".utf8), at: 8)
    {
      self = .film
    } else if let format = Self.signatures.first(where: { $0.signatures.contains { has($0) } })?
      .format
    {
      self = format
    } else if let format = Self(plausibleHeader: head) {
      self = format
    } else {
      return nil
    }
  }

  /// Whether bytes that begin no picture begin a video that is not shown: MPEG, Ogg, Flash or Windows
  /// Media.
  package static func isVideo(_ bytes: [UInt8]) -> Bool {
    func has(_ magic: [UInt8], at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: magic)
    }
    return has([0x00, 0x00, 0x01, 0xba]) || has([0x00, 0x00, 0x01, 0xb3])
      || has([0x47]) && has([0x47], at: 188) || has(Array("OggS".utf8)) || has(Array("FLV".utf8))
      || has([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11])
  }

  /// Detects the format of a file by its first bytes, or for formats without a signature by its
  /// extension and first bytes; nil for an unknown format.
  package init?(firstBytes bytes: [UInt8], name: [UInt8]) {
    if let format = Self(firstBytes: bytes) {
      self = format
      return
    }
    // SVG and TGA have no signature: a text with "<svg" may be any document, and a TGA may begin
    // with any bytes. A JPEG may be damaged after its first two bytes.
    let ending = name.suffix(4).map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    if ending == Array(".svg".utf8), Self.isDrawing(bytes) {
      self = .svg
    } else if ending == Array(".tga".utf8), Self.isTarga(bytes) {
      self = .tga
    } else if [Array(".jpg".utf8), Array("jpeg".utf8)].contains(ending),
      bytes.starts(with: [0xff, 0xd8])
    {
      self = .jpeg
    } else {
      return nil
    }
  }

  /// The signatures of formats that always begin with the same bytes.
  private static let signatures: [(format: ImageFormat, signatures: [[UInt8]])] = [
    (.jxl, [[0xFF, 0x0A], signature("JXL ")]),
    (.jp2, [[0xFF, 0x4F, 0xFF, 0x51], signature("jP  ")]),
    (.hdr, [Array("#?RADIANCE".utf8), Array("#?RGBE".utf8)]),
    (.exr, [[0x76, 0x2F, 0x31, 0x01]]),
    (.fits, [Array("SIMPLE  =".utf8)]),
    (.psd, [Array("8BPS\0\u{01}".utf8)]),
    (.dds, [Array("DDS ".utf8)]),
    (.xcf, [Array("gimp xcf ".utf8)]),
    (.ras, [[0x59, 0xA6, 0x6A, 0x95]]),
    (.xpm, [Array("/* XPM */".utf8)]),
  ]

  /// Returns the first box of a file in a format of the JPEG 2000 family (ISO/IEC 15444-1, I.5.1).
  private static func signature(_ type: String) -> [UInt8] {
    [0, 0, 0, 12] + Array(type.utf8) + [0x0D, 0x0A, 0x87, 0x0A]
  }

  /// Detects formats with short signatures, if the fields that follow are plausible.
  private init?(plausibleHeader head: [UInt8]) {
    guard head.count >= 8 else { return nil }
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    if head[0] == 0x50, (0x31...0x37).contains(head[1]) || head[1] == 0x46 || head[1] == 0x66,
      blanks.contains(head[2])
    {
      self = .pnm
    } else if head.starts(with: Array("BM".utf8)), head.count >= 26,
      head[14] == 12 || head[14] == 16 || (40...124).contains(head[14]),
      head[15...17].allSatisfy({ $0 == 0 })
    {
      self = .bmp
    } else if head.starts(with: [0, 0, 1, 0]) || head.starts(with: [0, 0, 2, 0]), head.count >= 22,
      (1...64).contains(head[4]), head[5] == 0, head[9] == 0
    {
      self = .ico
    } else if head[0] == 0x0A, head[1] <= 5, head[2] <= 1, [1, 2, 4, 8].contains(head[3]) {
      self = .pcx
    } else {
      return nil
    }
  }

  private static func isDrawing(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return start.first == "<" && text.containsText("<svg")
  }

  private static func isTarga(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 18 else { return false }
    // A file may have a color table although its pixels do not use it.
    let kinds: Set<UInt8> = bytes[1] == 1 ? [1, 2, 3, 9, 10, 11] : [2, 3, 10, 11]
    return bytes[1] <= 1 && kinds.contains(bytes[2]) && [8, 15, 16, 24, 32].contains(bytes[16])
      && (bytes[12] | bytes[13]) != 0 && (bytes[14] | bytes[15]) != 0
  }

  /// Detects the format by the brands of an ISO base media file (ISO/IEC 14496-12, 4.3).
  private init?(fileTypeBox head: [UInt8]) {
    guard head.count >= 12 else { return nil }
    let size = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
    // The major brand, and the compatible ones after the minor version.
    let offsets = [8] + Array(stride(from: 16, to: max(16, min(size, head.count) - 3), by: 4))
    let brands = offsets.filter { $0 + 4 <= head.count }
      .map { String(decoding: head[$0..<($0 + 4)], as: UTF8.self) }
    if brands.contains("avif") || brands.contains("avis") {
      self = .avif
    } else if brands.contains(where: Self.heifBrands.contains) {
      self = .heic
    } else {
      return nil
    }
  }

  /// The first bytes of RAF, ORF and RW2.
  ///
  /// CR2 and CR3 have signatures at higher offsets. Other raw photos look like TIFF files, and only
  /// `EmbeddedPreviews` distinguishes them.
  private static let rawHeads = ["FUJIFILMCCD-RAW ", "IIRO", "IIRS", "MMOR", "IIU\0"].map {
    Array($0.utf8)
  }

  private static let heifBrands: Set<String> = [
    "heic", "heix", "hevc", "hevx", "heim", "heis", "hevm", "hevs", "mif1", "mif2", "msf1",
  ]
}

/// Recognizes images by their file names when a folder is listed.
package enum ImageFileExtension {
  /// The extensions of formats that are shown, each packed into a number, in ascending order.
  private static let extensions = ImageFormat.fileExtensions.map { packed($0.utf8) }.sorted()

  private static func packed(_ name: some Sequence<UInt8>) -> UInt32 {
    name.reduce(0) { $0 << 8 | UInt32($1 &- 0x41 < 26 ? $1 | 0x20 : $1) }
  }

  /// The kind of a file according to its name.
  package enum Kind: Sendable {
    /// It has the extension of a format that is shown.
    case image
    /// It has no extension: the first bytes decide.
    case noExtension
    case other
  }

  /// Returns the kind of a file by the extension of its name (not path), in upper or lower case.
  package static func kind(of name: UnsafeBufferPointer<UInt8>) -> Kind {
    guard let dot = name.lastIndex(of: 0x2e), dot > 0 else { return .noExtension }
    let length = name.count - dot - 1
    guard (3...4).contains(length) else { return .other }
    let code = packed(name[(dot + 1)...])
    var (low, high) = (0, extensions.count)
    while low < high {
      let middle = (low + high) / 2
      if extensions[middle] < code { low = middle + 1 } else { high = middle }
    }
    return low < extensions.count && extensions[low] == code ? .image : .other
  }
}
