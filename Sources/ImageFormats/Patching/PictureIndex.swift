/// The index of other pictures in a JPEG, such as gain maps and previews, which come after the first
/// one (CIPA DC-007, 5.2).
///
/// It has a TIFF header, from which the offsets of the pictures count.
struct PictureIndex {
  private let base: Int
  private let entries: [Entry]
  private let isBigEndian: Bool

  private struct Entry {
    /// Where its size and, four bytes after it, its offset are in the file.
    var place: Int
    /// The number of bytes of the picture.
    var size: Int
    /// The distance from the header; 0 for the first picture.
    var offset: Int
  }

  private static let entriesTag: UInt16 = 0xb002
  /// Attribute, size, offset, and two numbers of other pictures.
  private static let entryLength = 16
  private static let maxEntries = 1024

  /// Parses the index of a file; `range` begins with its header.
  init(_ file: ByteSource, _ range: Range<Int>) throws(ContainerFault) {
    base = range.lowerBound
    guard let reader = TIFFReader(file, at: base),
      let field = reader.directory(at: reader.firstDirectory)?.entries[Self.entriesTag],
      field.byteCount >= Self.entryLength, field.byteCount <= Self.maxEntries * Self.entryLength,
      field.offset + field.byteCount <= range.upperBound
    else { throw .damaged }
    isBigEndian = reader.isBigEndian
    entries = (0..<(field.byteCount / Self.entryLength)).map { number in
      let place = field.offset + number * Self.entryLength + 4
      let numbers = reader.numbers(TIFFReader.Entry(type: 4, count: 2, offset: place))
      return Entry(place: place, size: numbers.first ?? 0, offset: numbers.last ?? 0)
    }
  }

  /// Returns what is to be replaced if the bytes from `place` on, in the first picture, move by
  /// `growth`.
  func replacements(growth: Int, at place: Int) throws(ContainerFault) -> [FilePatch.Replacement] {
    var replacements: [FilePatch.Replacement] = []
    for entry in entries {
      if entry.offset == 0 {
        // Unknown sizes, and pictures that are not there, are 0.
        guard entry.size > 0 else { continue }
        replacements.append(try number(entry.size + growth, at: entry.place))
      } else if base < place, base + entry.offset >= place {
        replacements.append(try number(entry.offset + growth, at: entry.place + 4))
      }
    }
    return replacements
  }

  private func number(_ value: Int, at place: Int) throws(ContainerFault) -> FilePatch.Replacement {
    guard let value = UInt32(exactly: value) else { throw .large }
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    return .init(place..<(place + 4), isBigEndian ? bytes : bytes.reversed())
  }
}
