import ImageFormats
import PhotoGridCore
import WorkerProtocol

/// The facts of a photo's EXIF block that every decoding needs.
struct ExifFacts {
  var orientation = Orientation.upright
  /// When the picture was taken, else when its file was last changed by a camera's clock.
  var taken: TakenTime?

  /// The facts of a photo without EXIF.
  init() {}

  /// Reads a block, with or without "Exif" and two zeros at its start; facts that are missing or
  /// broken stay unknown.
  init(_ block: ArraySlice<UInt8>) {
    self.init(TIFFReader(exif: Array(block)))
  }

  /// The facts of directories: of an EXIF block or a TIFF file.
  init(_ structure: TIFFReader?) { self.init(ExifDirectories(structure)) }

  /// The facts of directories that were read; nil has none.
  init(_ directories: ExifDirectories?) {
    guard let directories else { return }
    let (structure, main) = (directories.reader, directories.main)
    typealias Tag = TIFFReader.Tag
    if let entry = main.entries[Tag.orientation], entry.type == 3,
      let number = structure.number(entry)
    {
      orientation = Orientation(number: number)
    }
    taken =
      structure.time(directories.photo?.entries[Tag.takenTime])
      ?? structure.time(main.entries[Tag.changedTime])
  }
}
