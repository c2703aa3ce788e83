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
  init(_ structure: TIFFReader?) {
    guard let structure, let main = structure.directory(at: structure.firstDirectory) else {
      return
    }
    typealias Tag = TIFFReader.Tag
    if let entry = main.entries[Tag.orientation], entry.type == 3,
      let number = structure.number(entry)
    {
      orientation = Orientation(number: number)
    }
    let photo = structure.number(main.entries[Tag.exif]).flatMap { structure.directory(at: $0) }
    taken =
      structure.time(photo?.entries[Tag.takenTime]) ?? structure.time(main.entries[Tag.changedTime])
  }
}
