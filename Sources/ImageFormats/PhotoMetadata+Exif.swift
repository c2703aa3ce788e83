import Glibc
import PhotoGridCore

/// What an EXIF block tells of how a photo was taken (Exif 2.3, 4.6).
extension PhotoMetadata {
  /// The facts of a block, with or without "Exif" and two zeros at its start; what is missing or
  /// broken stays unknown.
  package init(exif block: [UInt8]) {
    self.init(TIFFStructure(exif: block))
  }

  /// The facts of directories: of an EXIF block, a TIFF file, or a raw photo made like one.
  ///
  /// Three directories are looked at, each once, wherever they say that others are.
  package init(_ structure: TIFFStructure?) {
    self.init()
    guard let structure, let main = structure.directory(at: structure.firstDirectory) else {
      return
    }
    func inner(_ tag: UInt16) -> TIFFStructure.Directory? {
      structure.number(main.entries[tag]).flatMap { structure.directory(at: $0) }
    }
    camera = Self.camera(
      make: structure.text(main.entries[Tag.make]), model: structure.text(main.entries[Tag.model]))
    if let photo = inner(TIFFStructure.Tag.exif)?.entries {
      lens = structure.text(photo[Tag.lensModel])
      exposureTime =
        structure.ratio(photo[Tag.exposureTime])
        ?? structure.ratio(photo[Tag.shutterSpeed]).map { Self.powerOfTwo(-$0) }
      aperture =
        structure.ratio(photo[Tag.aperture])
        ?? structure.ratio(photo[Tag.apertureValue]).map { Self.powerOfTwo($0 / 2) }
      sensitivity = structure.number(photo[Tag.sensitivity])
      focalLength = structure.ratio(photo[Tag.focalLength])
      // sRGB; the other number says only that it is something else.
      if structure.number(photo[Tag.colorSpace]) == 1 { profile = "sRGB" }
    }
    place = inner(Tag.position).flatMap { Self.place(in: $0.entries, structure) }
    self = checked
  }

  private static func place(
    in entries: [UInt16: TIFFStructure.Entry], _ structure: TIFFStructure
  ) -> Place? {
    // Without its letter a number may be on either side.
    guard let north = structure.text(entries[1]), let east = structure.text(entries[3]),
      ["N", "S"].contains(north), ["E", "W"].contains(east),
      let latitude = Place.degrees(
        structure.ratios(entries[2], count: 3), isNegative: north == "S"),
      let longitude = Place.degrees(
        structure.ratios(entries[4], count: 3), isNegative: east == "W")
    else { return nil }
    return Place(latitude: latitude, longitude: longitude)
  }

  private static func powerOfTwo(_ exponent: Double) -> Double {
    // Numbers of which nothing sensible comes.
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
    static let colorSpace: UInt16 = 0xa001
    static let lensModel: UInt16 = 0xa434
  }
}

extension TIFFStructure {
  private static let exifHead = Array("Exif\0\0".utf8)

  /// The structure of an EXIF block, with or without "Exif" and two zeros at its start.
  package init?(exif block: [UInt8]) {
    let start = block.starts(with: Self.exifHead) ? Self.exifHead.count : 0
    self.init(ByteSource(block), at: start)
  }

  /// The text of a field; nil where it is said to be longer than the file.
  fileprivate func text(_ entry: Entry?) -> String? {
    guard let entry, entry.type == 2, isInside(entry),
      let bytes = bytes(of: entry, atMost: 4 * PhotoMetadata.longestText)
    else { return nil }
    return PhotoMetadata.text(bytes)
  }

  /// The first ratio of a field; nil where its denominator is 0.
  fileprivate func ratio(_ entry: Entry?) -> Double? { ratios(entry, count: 1).first }

  /// So many ratios; empty where there are fewer, or where a denominator is 0.
  fileprivate func ratios(_ entry: Entry?, count: Int) -> [Double] {
    guard let entry, entry.type == 5 || entry.type == 10, entry.count >= count else { return [] }
    let parts = numbers(
      Entry(type: 4, count: 2 * count, place: entry.place), atMost: 2 * count)
    guard parts.count == 2 * count else { return [] }
    let values = entry.type == 5 ? parts : parts.map { Int(Int32(truncatingIfNeeded: $0)) }
    let ratios = (0..<count).compactMap { place -> Double? in
      let denominator = values[2 * place + 1]
      return denominator == 0 ? nil : Double(values[2 * place]) / Double(denominator)
    }
    return ratios.count == count ? ratios : []
  }
}
