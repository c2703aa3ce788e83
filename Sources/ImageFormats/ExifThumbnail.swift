/// Finds the small JPEG in the EXIF block of a photo (Exif 2.3, 4.5.5).
package enum ExifThumbnail {
  /// Finds the thumbnail of a file.
  ///
  /// The EXIF block starts with "Exif" and two zeros.
  ///
  /// - Returns: The thumbnail's range in the file; nil if it is missing, or not entirely in the
  ///   EXIF block.
  package static func range(in file: [UInt8], exif: Range<Int>) -> Range<Int>? {
    let source = ByteSource(count: min(exif.upperBound, file.count)) { Array(file[$0]) }
    // The second directory describes the thumbnail.
    guard let reader = TIFFReader(source, at: exif.lowerBound + 6),
      let main = reader.directory(at: reader.firstDirectory), let next = main.next,
      let directory = reader.directory(at: next),
      let range = reader.jpegRange(of: directory), range.upperBound <= source.count,
      range.count > 3, file[range].starts(with: [0xff, 0xd8, 0xff])
    else { return nil }
    return range
  }
}
