/// The small JPEG in the EXIF block of a photo (Exif 2.3, 4.5.5).
package enum ExifThumbnail {
  /// Where it is in a file, from the block with "Exif" and two zeros at its start; nil where there
  /// is none, or not all of it lies in the block.
  package static func range(in file: [UInt8], exif: Range<Int>) -> Range<Int>? {
    let source = ByteSource(count: min(exif.upperBound, file.count)) { Array(file[$0]) }
    // The second directory is about the thumbnail.
    guard let structure = TIFFStructure(source, at: exif.lowerBound + 6),
      let main = structure.directory(at: structure.firstDirectory), let next = main.next,
      let directory = structure.directory(at: next),
      let range = structure.jpegRange(of: directory), range.upperBound <= source.count,
      range.count > 3, file[range].starts(with: [0xff, 0xd8, 0xff])
    else { return nil }
    return range
  }
}
