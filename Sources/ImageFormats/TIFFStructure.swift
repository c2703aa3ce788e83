import PhotoGridCore
import WorkerProtocol

/// The directories of a TIFF file, of an EXIF block, or of a raw photo made like one (TIFF 6.0,
/// part 1), read where they point and never further than they may.
package struct TIFFStructure {
  private let source: ByteSource
  /// Where the header lies; all offsets count from here.
  private let base: Int
  private let isBigEndian: Bool
  /// Where the first directory lies.
  package let firstDirectory: Int
  /// Whether the header is one that only raw photos of some makers have.
  let isCameraOwn: Bool

  /// A directory has no more entries than this in any file that is looked at.
  private static let mostEntries = 1024

  /// The numbers after the byte order: TIFF, Olympus ("RO", "RS") and Panasonic ("U").
  private static let magics: Set<Int> = [42, 0x4f52, 0x5352, 0x55]

  /// A field of a directory, its values not read yet.
  package struct Entry: Equatable, Sendable {
    package var type: UInt16
    package var count: Int
    /// Where the values are, counted from the beginning of the source.
    package var place: Int

    /// In bytes; 0 for unknown types.
    package var byteCount: Int {
      let size = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4][Int(type < 14 ? type : 0)]
      return size * count
    }
  }

  /// The fields of a directory by their tags, and where the next directory is.
  package struct Directory {
    package var entries: [UInt16: Entry] = [:]
    /// An offset as in the file; nil at the end of the chain.
    package var next: Int?
  }

  /// A structure whose header is at an offset of the source; nil where there is none.
  package init?(_ source: ByteSource, at base: Int = 0) {
    guard let head = source.bytes(at: base, count: 8) else { return nil }
    switch (head[0], head[1]) {
    case (0x49, 0x49): isBigEndian = false
    case (0x4d, 0x4d): isBigEndian = true
    default: return nil
    }
    self.source = source
    self.base = base
    let magic = Self.number(head[2..<4], isBigEndian)
    guard Self.magics.contains(magic) else { return nil }
    isCameraOwn = magic != 42
    firstDirectory = Self.number(head[4..<8], isBigEndian)
  }

  /// The directory at an offset; nil where there is none.
  ///
  /// One that is cut has what is there of it.
  package func directory(at offset: Int) -> Directory? {
    guard offset > 0, let head = source.bytes(at: base + offset, count: 2) else { return nil }
    let count = Self.number(head[...], isBigEndian)
    guard (1...Self.mostEntries).contains(count),
      let bytes = source.bytes(at: base + offset + 2, atMost: count * 12 + 4)
    else { return nil }
    var directory = Directory()
    for start in stride(from: 0, to: count * 12, by: 12) where start + 12 <= bytes.count {
      let tag = UInt16(Self.number(bytes[start..<(start + 2)], isBigEndian))
      var entry = Entry(
        type: UInt16(Self.number(bytes[(start + 2)..<(start + 4)], isBigEndian)),
        count: Self.number(bytes[(start + 4)..<(start + 8)], isBigEndian),
        place: base + offset + 2 + start + 8)
      if entry.byteCount > 4 {
        entry.place = base + Self.number(bytes[(start + 8)..<(start + 12)], isBigEndian)
      }
      // The first of two counts, as in all readers.
      if directory.entries[tag] == nil { directory.entries[tag] = entry }
    }
    if bytes.count == count * 12 + 4 {
      let next = Self.number(bytes[(count * 12)...], isBigEndian)
      directory.next = next == 0 ? nil : next
    }
    return directory
  }

  /// The whole numbers of a field, at most so many; empty where they are of another kind or not
  /// there.
  package func numbers(_ entry: Entry?, atMost limit: Int = 64) -> [Int] {
    guard let entry else { return [] }
    let size: Int
    switch entry.type {
    case 1, 7: size = 1
    case 3: size = 2
    case 4, 13: size = 4
    default: return []
    }
    let count = min(entry.count, limit)
    guard let bytes = source.bytes(at: entry.place, count: count * size) else { return [] }
    return (0..<count).map {
      Self.number(bytes[($0 * size)..<($0 * size + size)], isBigEndian)
    }
  }

  /// The first whole number of a field.
  package func number(_ entry: Entry?) -> Int? { numbers(entry, atMost: 1).first }

  /// The first bytes of a field, at most so many; nil where they are not all there.
  func bytes(of entry: Entry, atMost limit: Int) -> [UInt8]? {
    source.bytes(at: entry.place, count: min(entry.byteCount, limit))
  }

  /// Whether the source is as long as a field says that it is.
  func isInside(_ entry: Entry) -> Bool {
    entry.byteCount > 0 && source.count - entry.byteCount >= entry.place
  }

  /// A field that is a time (Exif 2.3, 4.6.5).
  package func time(_ entry: Entry?) -> TakenTime? {
    guard let entry, entry.type == 2 else { return nil }
    return bytes(of: entry, atMost: 20).flatMap { TakenTime(exif: $0) }
  }

  /// Where the JPEG of a directory is, by the two fields that EXIF has for its thumbnail; as a place
  /// in the source, not looked at.
  package func jpegRange(of directory: Directory) -> Range<Int>? {
    guard let offset = number(directory.entries[Tag.jpegOffset]),
      let count = number(directory.entries[Tag.jpegByteCount])
    else { return nil }
    return (base + offset)..<(base + offset + count)
  }

  /// An offset of the file as a place in the source.
  func place(of offset: Int) -> Int { base + offset }

  private static func number(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) -> Int {
    isBigEndian
      ? bytes.reduce(0) { $0 << 8 | Int($1) } : bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// What makers of cameras put into the note of an EXIF block: directories again.
extension TIFFStructure {
  /// A structure with a header of its own, so many bytes into a field.
  func structure(inside entry: Entry, at start: Int) -> TIFFStructure? {
    TIFFStructure(source, at: entry.place + start)
  }

  /// A structure whose header is its order of bytes and two bytes more, so many bytes into a field;
  /// the directory comes next, and offsets count from the beginning of the field.
  func structure(inside entry: Entry, orderAt start: Int) -> TIFFStructure? {
    guard let order = source.bytes(at: entry.place + start, count: 2) else { return nil }
    switch (order[0], order[1]) {
    case (0x49, 0x49): break
    case (0x4d, 0x4d): break
    default: return nil
    }
    return TIFFStructure(
      source, base: entry.place, isBigEndian: order[0] == 0x4d, firstDirectory: start + 4)
  }

  private init(_ source: ByteSource, base: Int, isBigEndian: Bool, firstDirectory: Int) {
    self.source = source
    self.base = base
    self.isBigEndian = isBigEndian
    self.firstDirectory = firstDirectory
    isCameraOwn = true
  }

  /// Where the directory is that a field holds or points to.
  func directory(_ entry: Entry?) -> Directory? {
    guard let entry else { return nil }
    // Either an offset, or the directory's own bytes.
    if entry.byteCount > 4 { return directory(at: entry.place - base) }
    return number(entry).flatMap { directory(at: $0) }
  }
}

extension TIFFStructure {
  /// The tags that are looked at (TIFF 6.0, DNG 1.6, Exif 2.3, and those of some makers).
  package enum Tag {
    package static let compression: UInt16 = 0x103
    package static let photometry: UInt16 = 0x106
    package static let stripOffsets: UInt16 = 0x111
    package static let orientation: UInt16 = 0x112
    package static let stripByteCounts: UInt16 = 0x117
    package static let subdirectories: UInt16 = 0x14a
    package static let changedTime: UInt16 = 0x132
    package static let jpegOffset: UInt16 = 0x201
    package static let jpegByteCount: UInt16 = 0x202
    package static let exif: UInt16 = 0x8769
    package static let makerNote: UInt16 = 0x927c
    package static let takenTime: UInt16 = 0x9003
    package static let dngVersion: UInt16 = 0xc612
    /// Panasonic's whole JPEG.
    package static let panasonicJPEG: UInt16 = 0x2e
  }
}
