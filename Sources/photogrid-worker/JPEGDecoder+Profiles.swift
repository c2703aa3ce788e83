import ImageFormats

/// Which colors the numbers of a JPEG stand for.
extension JPEGDecoder {
  /// The embedded profile of a file; else that of the colors that its EXIF names, else another one.
  static func profile(
    of header: JPEGHeader, in file: [UInt8], else other: [UInt8] = []
  ) -> [UInt8] {
    let own = header.profileParts.reduce(into: []) { $0 += file[$1] }
    guard own.isEmpty else { return own }
    let directories = ExifDirectories(header.exif.flatMap { TIFFReader(exif: Array(file[$0])) })
    return directories?.isAdobeRGB == true ? ColorDescription.adobeRGBProfile : other
  }

  /// Returns whether a file, of which at least the head is given, has inks, or colors that only its
  /// EXIF names.
  static func isReadOtherwise(_ head: [UInt8]) -> Bool {
    guard let header = JPEGHeader(head) else { return false }
    return header.components == 4
      || header.profileParts.isEmpty && !profile(of: header, in: head).isEmpty
  }

  /// The profile of a raw photo's pictures that have none of their own.
  static func profile(raw file: borrowing PhotoFile) -> [UInt8] {
    let directories = ExifDirectories(TIFFReader(MetadataReader.source(of: file)))
    return directories?.isAdobeRGB == true ? ColorDescription.adobeRGBProfile : []
  }
}
