/// The directories with a photo's facts, in an EXIF block, a TIFF file, or a raw photo based on
/// TIFF (Exif 2.3, 4.6.3).
package struct ExifDirectories {
  /// The reader of their fields.
  package let reader: TIFFReader
  /// The first directory.
  package let main: TIFFReader.Directory
  /// The EXIF directory; nil if there is none.
  package let photo: TIFFReader.Directory?

  /// Reads the directories; nil without a first one.
  package init?(_ reader: TIFFReader?) {
    guard let reader, let main = reader.directory(at: reader.firstDirectory) else { return nil }
    self.reader = reader
    self.main = main
    photo = reader.number(main.entries[TIFFReader.Tag.exif]).flatMap { reader.directory(at: $0) }
  }

  /// Reads the directory whose offset is in a field of the first directory; nil if there is none.
  func directory(_ tag: UInt16) -> TIFFReader.Directory? {
    reader.number(main.entries[tag]).flatMap { reader.directory(at: $0) }
  }
}
