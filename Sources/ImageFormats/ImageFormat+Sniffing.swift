import PhotoGridCore

extension ImageFormat {
  /// The number of a file's first bytes that `init(firstBytes:)` needs.
  package static let sniffedByteCount = 64

  /// Detects the format of a file by its first bytes, whatever its name; nil for any other format.
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
    } else {
      return nil
    }
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
  /// CR2 and CR3 have marks further in. Other raw photos look like TIFF files, and only
  /// `EmbeddedPreviews` distinguishes them.
  private static let rawHeads = ["FUJIFILMCCD-RAW ", "IIRO", "IIRS", "MMOR", "IIU\0"].map {
    Array($0.utf8)
  }

  private static let heifBrands: Set<String> = [
    "heic", "heix", "hevc", "hevx", "heim", "heis", "hevm", "hevs", "mif1", "mif2", "msf1",
  ]
}

/// File names by which folders are filtered.
package enum ImageName {
  private static let extensions: Set<[UInt8]> = Set(
    [
      "jpg", "jpeg", "jpe", "jfif", "png", "webp", "gif", "tif", "tiff", "heic", "heif", "hif",
      "avif", "cr2", "cr3", "nef", "arw", "dng", "orf", "rw2", "raf",
    ].map { Array($0.utf8) })

  /// What a file's name says about its content.
  package enum Kind: Sendable {
    /// It has the extension of a format that is shown.
    case image
    /// It has no extension: the first bytes decide.
    case noExtension
    /// It has another extension.
    case other
  }

  /// Returns the kind of a file by the extension of its name (not path), in upper or lower case.
  package static func kind(of name: UnsafeBufferPointer<UInt8>) -> Kind {
    guard let dot = name.lastIndex(of: 0x2e), dot > 0 else { return .noExtension }
    let length = name.count - dot - 1
    guard (3...4).contains(length) else { return .other }
    let folded = name[(dot + 1)...].map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    return extensions.contains(folded) ? .image : .other
  }
}
