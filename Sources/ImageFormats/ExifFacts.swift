import PhotoGridCore

/// The orientation of a photo and the time when it was taken, from its EXIF block.
package struct ExifFacts: Equatable, Sendable {
  /// The orientation of the stored picture.
  package var orientation = Orientation.upright
  /// When the photo was taken; if the file does not say, when it was scanned, or a camera last changed
  /// the file.
  package var taken: TakenTime?

  package init() {}

  /// Reads a block, with or without "Exif" and two zeros at its start; missing and damaged facts
  /// stay unknown.
  package init(_ block: ArraySlice<UInt8>) {
    self.init(TIFFReader(exif: Array(block)))
  }

  /// Reads the directories of an EXIF block or a TIFF file.
  package init(_ structure: TIFFReader?) { self.init(ExifDirectories(structure)) }

  /// Reads directories; nil has no facts.
  package init(_ directories: ExifDirectories?) {
    guard let directories else { return }
    let (structure, main) = (directories.reader, directories.main)
    typealias Tag = TIFFReader.Tag
    if let entry = main.entries[Tag.orientation], entry.type == 3,
      let number = structure.number(entry)
    {
      orientation = Orientation(number: number)
    }
    let photo = directories.photo?.entries
    func time(_ entry: TIFFReader.Entry?, _ fraction: UInt16, _ offset: UInt16) -> TakenTime? {
      guard var time = structure.time(entry) else { return nil }
      time.setFraction(structure.characters(photo?[fraction])[...])
      time.setOffset(structure.characters(photo?[offset])[...])
      return time
    }
    let original = time(photo?[Tag.takenTime], Tag.takenFraction, Tag.takenOffset)
    taken = original
    guard original?.isPlausible != true else { return }
    let others = [
      time(photo?[Tag.digitizedTime], Tag.digitizedFraction, Tag.digitizedOffset),
      time(main.entries[Tag.changedTime], Tag.changedFraction, Tag.changedOffset),
    ].compactMap(\.self)
    taken = others.first(where: \.isPlausible) ?? original ?? others.first
  }
}

/// The directories with a photo's facts, in an EXIF block, a TIFF file, or a raw photo based on
/// TIFF (Exif 2.3, 4.6.3).
package struct ExifDirectories {
  /// The reader of their fields.
  package let reader: TIFFReader
  package let main: TIFFReader.Directory
  /// The EXIF directory; nil if the first one names none.
  package let photo: TIFFReader.Directory?

  /// Reads the directories; nil without a first one.
  package init?(_ reader: TIFFReader?) {
    guard let reader, let main = reader.directory(at: reader.firstDirectory) else { return nil }
    self.reader = reader
    self.main = main
    photo = reader.number(main.entries[TIFFReader.Tag.exif]).flatMap { reader.directory(at: $0) }
  }

  func directory(_ tag: UInt16) -> TIFFReader.Directory? {
    reader.number(main.entries[tag]).flatMap { reader.directory(at: $0) }
  }
}
