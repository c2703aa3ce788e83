import Photos

/// Reads the directories of a TIFF file, an EXIF block, or a raw photo based on TIFF (TIFF 6.0,
/// part 1).
package struct TIFFReader {
  private let source: ByteSource
  private let base: Int
  let isBigEndian: Bool
  /// The offset of the first directory, from the header.
  package let firstDirectory: Int
  /// Whether the header is not TIFF's own, but a camera maker's, in a raw photo or a maker note.
  let hasMakerHeader: Bool

  /// The most entries of a valid directory.
  private static let maxEntries = 1024

  /// The numbers after the byte order: TIFF, Olympus ("RO", "RS") and Panasonic ("U").
  private static let magics = [42, 0x4f52, 0x5352, 0x55]

  /// A field of a directory, without its values.
  package struct Entry: Equatable, Sendable {
    /// The type of its values, by TIFF 6.0, section 2: 3 is a 16-bit number.
    package var type: UInt16
    /// The number of its values.
    package var count: Int
    /// The offset of its values in the source.
    package var offset: Int

    /// The length of its values in bytes; 0 for unknown types.
    package var byteCount: Int {
      Self.sizes[Int(type < 14 ? type : isText ? 2 : 0)] * count
    }

    /// Whether the values are text: in ASCII, or UTF-8 (Exif 3.0, 4.6.2).
    var isText: Bool { type == 2 || type == 129 }

    /// The lengths of values in bytes, by their types.
    private static let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
  }

  package struct Directory {
    /// Its fields by their tags.
    package var entries = Entries()
    /// The offset of the next directory, from the header; nil at the end of the chain.
    package var next: Int?
  }

  /// The fields of a directory.
  ///
  /// Few of them are looked up, so finding one after the other is faster than a dictionary.
  package struct Entries {
    private var fields: [(tag: UInt16, entry: Entry)] = []

    /// The first field with a tag, as in all readers; nil if there is none.
    package subscript(tag: UInt16) -> Entry? { fields.first { $0.tag == tag }?.entry }

    mutating func reserve(_ count: Int) { fields.reserveCapacity(count) }

    mutating func append(_ entry: Entry, tag: UInt16) { fields.append((tag, entry)) }
  }

  package init?(_ source: ByteSource, at base: Int = 0) {
    guard let head = source.bytes(at: base, count: 8) else { return nil }
    switch (head[0], head[1]) {
    case (0x49, 0x49): isBigEndian = false
    case (0x4d, 0x4d): isBigEndian = true
    default: return nil
    }
    self.source = source
    self.base = base
    let magic = Self.number(head, at: 2, 2, isBigEndian)
    guard Self.magics.contains(magic) else { return nil }
    hasMakerHeader = magic != 42
    firstDirectory = Self.number(head, at: 4, 4, isBigEndian)
  }

  /// Reads the directory at an offset from the header; nil if there is none.
  ///
  /// If the directory is truncated, the result has the entries that are complete.
  package func directory(at offset: Int) -> Directory? {
    guard offset > 0, let head = source.bytes(at: base + offset, count: 2) else { return nil }
    let count = Self.number(head, at: 0, 2, isBigEndian)
    guard (1...Self.maxEntries).contains(count),
      let bytes = source.bytes(at: base + offset + 2, atMost: count * 12 + 4)
    else { return nil }
    var directory = Directory()
    directory.entries.reserve(min(count, bytes.count / 12))
    for start in stride(from: 0, to: count * 12, by: 12) where start + 12 <= bytes.count {
      var entry = Entry(
        type: UInt16(Self.number(bytes, at: start + 2, 2, isBigEndian)),
        count: Self.number(bytes, at: start + 4, 4, isBigEndian),
        offset: base + offset + 2 + start + 8)
      if entry.byteCount > 4 {
        entry.offset = base + Self.number(bytes, at: start + 8, 4, isBigEndian)
      }
      directory.entries.append(entry, tag: UInt16(Self.number(bytes, at: start, 2, isBigEndian)))
    }
    if bytes.count == count * 12 + 4 {
      let next = Self.number(bytes, at: count * 12, 4, isBigEndian)
      directory.next = next == 0 ? nil : next
    }
    return directory
  }

  /// Returns the integers of a field, at most `limit`, as numbers without a sign; empty if there are
  /// none, or the source ends before the last of them.
  package func numbers(_ entry: Entry?, atMost limit: Int = 64) -> [Int] {
    guard let entry, let size = Self.integerSize(ofType: entry.type) else { return [] }
    let count = min(entry.count, limit)
    guard let bytes = source.bytes(at: entry.offset, count: count * size) else { return [] }
    return (0..<count).map {
      Self.number(bytes, at: $0 * size, size, isBigEndian)
    }
  }

  /// Returns the first integer of a field; nil if there is none.
  package func number(_ entry: Entry?) -> Int? {
    guard let entry, entry.count > 0, let size = Self.integerSize(ofType: entry.type),
      let bytes = source.bytes(at: entry.offset, count: size)
    else { return nil }
    return Self.number(bytes, at: 0, size, isBigEndian)
  }

  /// Returns the length of an integer of a type in bytes; nil for other types.
  private static func integerSize(ofType type: UInt16) -> Int? {
    switch type {
    case 1, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 13: 4
    default: nil
    }
  }

  func bytes(of entry: Entry, atMost limit: Int) -> [UInt8]? {
    source.bytes(at: entry.offset, count: min(entry.byteCount, limit))
  }

  /// Whether the source contains all values of a field.
  func contains(_ entry: Entry) -> Bool {
    entry.byteCount > 0 && source.count - entry.byteCount >= entry.offset
  }

  package func time(_ entry: Entry?) -> TakenTime? {
    guard let entry, entry.isText else { return nil }
    return bytes(of: entry, atMost: 40).flatMap { TakenTime(exif: $0) }
  }

  /// Returns the characters of a short field of text; empty if it is not one.
  func characters(_ entry: Entry?) -> [UInt8] {
    guard let entry, entry.isText else { return [] }
    return bytes(of: entry, atMost: 16) ?? []
  }

  /// Returns the bytes of a field, at most `limit`; nil if it has none of them, or is truncated.
  package func contents(_ entry: Entry?, atMost limit: Int) -> [UInt8]? {
    guard let entry, entry.byteCount > 0, entry.byteCount <= limit else { return nil }
    return bytes(of: entry, atMost: limit)
  }

  /// Returns the range in the source of the JPEG that a directory's thumbnail fields describe; nil
  /// without these fields.
  ///
  /// The range may lie outside of the source.
  func jpegRange(of directory: Directory) -> Range<Int>? {
    guard let offset = number(directory.entries[Tag.jpegOffset]),
      let count = number(directory.entries[Tag.jpegByteCount])
    else { return nil }
    return (base + offset)..<(base + offset + count)
  }

  /// Converts an offset from the header to one in the source.
  func sourceOffset(of offset: Int) -> Int { base + offset }

  /// Returns the number in `count` bytes of an array, which has all of them.
  private static func number(
    _ bytes: [UInt8], at start: Int, _ count: Int, _ isBigEndian: Bool
  ) -> Int {
    var number = 0
    for index in 0..<count {
      number = number << 8 | Int(bytes[isBigEndian ? start + index : start + count - 1 - index])
    }
    return number
  }
}

/// Maker notes in EXIF blocks, which contain directories of their own.
extension TIFFReader {
  /// Creates a reader for a header `start` bytes into a field.
  func reader(in entry: Entry, at start: Int) -> TIFFReader? {
    TIFFReader(source, at: entry.offset + start)
  }

  /// Creates a reader for a header of byte order and two more bytes, `start` bytes into a field.
  ///
  /// The directory follows the header, and offsets are relative to the field's beginning.
  func reader(in entry: Entry, orderAt start: Int) -> TIFFReader? {
    guard let order = source.bytes(at: entry.offset + start, count: 2) else { return nil }
    switch (order[0], order[1]) {
    case (0x49, 0x49): break
    case (0x4d, 0x4d): break
    default: return nil
    }
    return TIFFReader(
      source, base: entry.offset, isBigEndian: order[0] == 0x4d, firstDirectory: start + 4)
  }

  private init(_ source: ByteSource, base: Int, isBigEndian: Bool, firstDirectory: Int) {
    self.source = source
    self.base = base
    self.isBigEndian = isBigEndian
    self.firstDirectory = firstDirectory
    hasMakerHeader = true
  }

  func directory(_ entry: Entry?) -> Directory? {
    guard let entry else { return nil }
    // A longer field is the directory itself, a field of four bytes its offset.
    if entry.byteCount > 4 { return directory(at: entry.offset - base) }
    return number(entry).flatMap { directory(at: $0) }
  }
}

extension TIFFReader {
  /// The tags that are read (TIFF 6.0, DNG 1.6, Exif 2.3, and those of some makers).
  package enum Tag {
    /// The compression of the picture: 6 and 7 are JPEG.
    static let compression: UInt16 = 0x103
    /// The meaning of pixel values: 32803 and 34892 are sensor data.
    static let photometry: UInt16 = 0x106
    static let stripOffsets: UInt16 = 0x111
    /// The kind of numbers: 2 is signed, 3 floating-point.
    static let sampleFormat: UInt16 = 0x153
    package static let orientation: UInt16 = 0x112
    static let stripByteCounts: UInt16 = 0x117
    static let subdirectories: UInt16 = 0x14a
    /// When the file was changed.
    package static let changedTime: UInt16 = 0x132
    static let jpegOffset: UInt16 = 0x201
    static let jpegByteCount: UInt16 = 0x202
    package static let exif: UInt16 = 0x8769
    /// Data in a format of the camera's maker.
    static let makerNote: UInt16 = 0x927c
    package static let takenTime: UInt16 = 0x9003
    static let colorSpace: UInt16 = 0xa001
    /// The directory that says by which rules the file was written.
    static let interoperability: UInt16 = 0xa005
    // When it was scanned, the fractions of seconds, and offsets from UTC.
    static let digitizedTime: UInt16 = 0x9004
    static let (takenFraction, takenOffset): (UInt16, UInt16) = (0x9291, 0x9011)
    static let (digitizedFraction, digitizedOffset): (UInt16, UInt16) = (0x9292, 0x9012)
    static let (changedFraction, changedOffset): (UInt16, UInt16) = (0x9290, 0x9010)
    /// An XMP packet, and the records of the IPTC.
    package static let (xmp, iptc): (UInt16, UInt16) = (0x2bc, 0x83bb)
    /// The version of DNG, which only DNG files have.
    static let dngVersion: UInt16 = 0xc612
    /// A whole JPEG of Panasonic's.
    static let panasonicJPEG: UInt16 = 0x2e
  }
}
