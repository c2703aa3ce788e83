import Geometry
import Glibc
import Photos

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
    // Programs write it in integers of any length.
    if let number = structure.number(main.entries[Tag.orientation]) {
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
///
/// A class, because several readers of facts share it: each copy of a structure would retain its reader
/// and its directories one by one.
package final class ExifDirectories {
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

  /// Whether 0 is white in a TIFF of signed or floating-point numbers, which loaders do not invert as
  /// they do others (TIFF 6.0, "PhotometricInterpretation").
  package var isWhiteZero: Bool {
    typealias Tag = TIFFReader.Tag
    return reader.number(main.entries[Tag.photometry]) == 0
      && [2, 3].contains(reader.number(main.entries[Tag.sampleFormat]))
  }

  /// Whether the colors of the picture are those of Adobe RGB (1998): not of sRGB, and written by the
  /// rules for option files (DCF 2.0, 5.5; Exif 2.3, 4.6.7).
  package var isAdobeRGB: Bool {
    typealias Tag = TIFFReader.Tag
    guard let photo = photo?.entries, let space = reader.number(photo[Tag.colorSpace]) else {
      return false
    }
    // Some programs write 2, as exiftool knows.
    guard space == 0xffff else { return space == 2 }
    let rules = reader.number(photo[Tag.interoperability]).flatMap { reader.directory(at: $0) }
    return rules.map { reader.characters($0.entries[1]).starts(with: "R03".utf8) } ?? false
  }
}

/// Metadata of a photo from its EXIF block (Exif 2.3, 4.6).
extension PhotoMetadata {
  /// Reads the metadata of an EXIF block; missing and damaged fields are nil.
  ///
  /// - Parameter block: The block, with or without "Exif" and two zeros at its start.
  package init(exif block: [UInt8]) {
    self.init(TIFFReader(exif: block))
  }

  /// Reads the metadata of an EXIF block, a TIFF file, or a raw photo based on TIFF; empty for nil.
  package init(_ reader: TIFFReader?) { self.init(ExifDirectories(reader)) }

  /// Reads the metadata in directories; empty for nil.
  package init(_ directories: ExifDirectories?) {
    self.init()
    guard let directories else { return }
    let (reader, main) = (directories.reader, directories.main)
    camera = Self.camera(
      make: reader.text(main.entries[Tag.make]), model: reader.text(main.entries[Tag.model]))
    if let photo = directories.photo?.entries {
      lens = reader.text(photo[Tag.lensModel])
      exposureTime =
        reader.ratio(photo[Tag.exposureTime])
        ?? reader.ratio(photo[Tag.shutterSpeed]).map { Self.powerOfTwo(-$0) }
      aperture =
        reader.ratio(photo[Tag.aperture])
        ?? reader.ratio(photo[Tag.apertureValue]).map { Self.powerOfTwo($0 / 2) }
      sensitivity = reader.number(photo[Tag.sensitivity])
      focalLength = reader.ratio(photo[Tag.focalLength])
      // 1 is sRGB; the only other number stands for all other profiles.
      if reader.number(photo[TIFFReader.Tag.colorSpace]) == 1 { profile = "sRGB" }
      if directories.isAdobeRGB { profile = ColorDescription.adobeRGB.name }
    }
    location = directories.directory(Tag.position).flatMap {
      Self.gpsLocation(in: $0.entries, reader)
    }
    self = checked
  }

  /// Reads the position from the GPS directory; nil if it is incomplete.
  private static func gpsLocation(
    in entries: TIFFReader.Entries, _ reader: TIFFReader
  ) -> Location? {
    // Without the letter the hemisphere is unknown.
    guard let north = reader.text(entries[1]), let east = reader.text(entries[3]),
      ["N", "S"].contains(north), ["E", "W"].contains(east),
      let latitude = Location.degrees(
        reader.ratios(entries[2], count: 3), isNegative: north == "S"),
      let longitude = Location.degrees(
        reader.ratios(entries[4], count: 3), isNegative: east == "W")
    else { return nil }
    return Location(latitude: latitude, longitude: longitude)
  }

  private static func powerOfTwo(_ exponent: Double) -> Double {
    // No camera writes such exponents.
    guard abs(exponent) < 64 else { return .nan }
    return exp2(exponent)
  }

  private enum Tag {
    static let make: UInt16 = 0x10f
    static let model: UInt16 = 0x110
    static let position: UInt16 = 0x8825
    static let exposureTime: UInt16 = 0x829a
    static let aperture: UInt16 = 0x829d
    static let sensitivity: UInt16 = 0x8827
    static let shutterSpeed: UInt16 = 0x9201
    static let apertureValue: UInt16 = 0x9202
    static let focalLength: UInt16 = 0x920a
    static let lensModel: UInt16 = 0xa434
  }
}

extension TIFFReader {
  private static let exifHead = Array("Exif\0\0".utf8)

  /// Reads the header of an EXIF block, with or without "Exif" and two zeros at its start.
  package init?(exif block: [UInt8]) {
    let start = block.starts(with: Self.exifHead) ? Self.exifHead.count : 0
    self.init(ByteSource(block), at: start)
  }

  /// Returns the text of a field; nil if it is not text, or its declared length exceeds the file.
  fileprivate func text(_ entry: Entry?) -> String? {
    guard let entry, entry.isText, contains(entry),
      let bytes = bytes(of: entry, atMost: 4 * PhotoMetadata.maxTextLength)
    else { return nil }
    return PhotoMetadata.text(MetadataText.undeclared(Array(bytes.prefix { $0 != 0 })))
  }

  /// Returns the first ratio of a field; nil if the field is missing, or the denominator is 0.
  ///
  /// Programs, though no cameras, write floating-point numbers instead.
  fileprivate func ratio(_ entry: Entry?) -> Double? {
    guard let entry, entry.count > 0 else { return nil }
    switch entry.type {
    case 11: return words(entry, 1).map { Double(Float(bitPattern: $0[0])) }
    case 12:
      return words(entry, 2).map { words in
        let (first, second) = (UInt64(words[0]), UInt64(words[1]))
        return Double(bitPattern: isBigEndian ? first << 32 | second : second << 32 | first)
      }
    default: return ratios(entry, count: 1).first
    }
  }

  /// Returns the first words of 32 bits of a field; nil if the file ends before the last of them.
  private func words(_ entry: Entry, _ count: Int) -> [UInt32]? {
    let words = numbers(Entry(type: 4, count: count, offset: entry.offset))
    return words.count == count ? words.map { UInt32(truncatingIfNeeded: $0) } : nil
  }

  /// Returns the first ratios of a field; empty if there are fewer, or a denominator is 0.
  fileprivate func ratios(_ entry: Entry?, count: Int) -> [Double] {
    guard let entry, entry.type == 5 || entry.type == 10, entry.count >= count else { return [] }
    let parts = numbers(
      Entry(type: 4, count: 2 * count, offset: entry.offset), atMost: 2 * count)
    guard parts.count == 2 * count else { return [] }
    let values = entry.type == 5 ? parts : parts.map { Int(Int32(truncatingIfNeeded: $0)) }
    let ratios = (0..<count).compactMap { index -> Double? in
      let denominator = values[2 * index + 1]
      return denominator == 0 ? nil : Double(values[2 * index]) / Double(denominator)
    }
    return ratios.count == count ? ratios : []
  }
}
