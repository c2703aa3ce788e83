import ImageFormats
import PhotoGridCore
import WorkerProtocol

/// The facts in a photo's EXIF block that every decoder needs.
struct ExifFacts {
  /// The orientation of the stored picture; upright if unknown.
  var orientation = Orientation.upright
  /// The time by the camera's clock at which the picture was taken, or else the file was changed.
  var taken: TakenTime?

  /// Creates the facts of a photo without EXIF.
  init() {}

  /// Reads a block, with or without "Exif" and two zeros at its start; facts that are missing or
  /// damaged stay unknown.
  init(_ block: ArraySlice<UInt8>) {
    self.init(TIFFReader(exif: Array(block)))
  }

  /// Reads the directories of an EXIF block or of a TIFF file.
  init(_ structure: TIFFReader?) { self.init(ExifDirectories(structure)) }

  /// Takes the facts from directories that were read; nil has none.
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
