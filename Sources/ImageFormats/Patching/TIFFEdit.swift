import Geometry

/// Changes fields in the first directory of a TIFF structure: a TIFF, BigTIFF, or EXIF block (TIFF 6.0,
/// section 2; BigTIFF).
///
/// Nothing moves: what needs more room is added at the end.
struct TIFFEdit {
  private let source: ByteSource
  private let isBigEndian: Bool
  /// Whether offsets have eight bytes.
  private let isBig: Bool
  /// Where the first entry is.
  private let start: Int
  /// The entries, and the offset of the next directory.
  private let bytes: [UInt8]
  private let count: Int

  private static let maxEntries = 4096
  private static let orientationTag = TIFFReader.Tag.orientation
  private static let (byteType, shortType): (Int, Int) = (1, 3)
  /// The bytes of a value, by type; the last three are BigTIFF's.
  private static let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]
  /// The types of whole numbers.
  private static let integers: Set<Int> = [1, 3, 4, 6, 8, 9, 13, 16, 17]

  private var offsetWidth: Int { isBig ? 8 : 4 }
  private var countWidth: Int { isBig ? 8 : 2 }
  private var entryLength: Int { isBig ? 20 : 12 }
  /// Where the header has the offset of the first directory.
  private var pointer: Int { isBig ? 8 : 4 }

  /// Parses the header and the first directory of a structure, which begins with its header.
  init(_ source: ByteSource) throws(ContainerFault) {
    self.source = source
    guard let head = source.bytes(at: 0, count: 8) else { throw .damaged }
    switch (head[0], head[1]) {
    case (0x49, 0x49): isBigEndian = false
    case (0x4d, 0x4d): isBigEndian = true
    default: throw .damaged
    }
    switch Self.number(head[2..<4], isBigEndian) {
    case 42: isBig = false
    case 43 where Self.number(head[4..<6], isBigEndian) == 8: isBig = true
    default: throw .damaged
    }
    let (width, countWidth) = isBig ? (8, 8) : (4, 2)
    guard let field = source.bytes(at: isBig ? 8 : 4, count: width),
      let offset = Self.number(field[...], isBigEndian), offset >= (isBig ? 16 : 8),
      let counted = source.bytes(at: offset, count: countWidth),
      let count = Self.number(counted[...], isBigEndian), (1...Self.maxEntries).contains(count)
    else { throw .damaged }
    start = offset + countWidth
    self.count = count
    let length = count * (isBig ? 20 : 12)
    guard var bytes = source.bytes(at: start, atMost: length + width), bytes.count >= length else {
      throw .damaged
    }
    // Some blocks end without the offset of the next directory.
    bytes += [UInt8](repeating: 0, count: length + width - bytes.count)
    self.bytes = bytes
  }

  /// A field.
  private struct Entry {
    /// Where it is in `bytes`.
    var place: Int
    var type: Int
    /// The range of its values in the source; nil if there can be none.
    var values: Range<Int>?
  }

  /// Returns the first field with a tag; nil if there is none.
  private func entry(_ tag: UInt16) -> Entry? {
    let places = stride(from: 0, to: count * entryLength, by: entryLength)
    guard let place = places.first(where: { number(at: $0, 2) == Int(tag) }) else { return nil }
    let type = number(at: place + 2, 2) ?? 0
    var entry = Entry(place: place, type: type)
    guard let count = number(at: place + 4, offsetWidth), type < Self.sizes.count else {
      return entry
    }
    let (length, isTooLong) = count.multipliedReportingOverflow(by: Self.sizes[type])
    let inline = place + 4 + offsetWidth
    guard !isTooLong, length > 0,
      let offset = length <= offsetWidth ? start + inline : number(at: inline, offsetWidth),
      offset <= source.count, length <= source.count - offset
    else { return entry }
    entry.values = offset..<(offset + length)
    return entry
  }

  /// Returns a number in `bytes`.
  private func number(at place: Int, _ width: Int) -> Int? {
    Self.number(bytes[place..<(place + width)], isBigEndian)
  }

  /// Returns a number of up to eight bytes; nil if it is above `Int.max`.
  private static func number(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) -> Int? {
    func shifted(_ number: UInt64, _ byte: UInt8) -> UInt64 { number << 8 | UInt64(byte) }
    return Int(
      exactly: isBigEndian ? bytes.reduce(0, shifted) : bytes.reversed().reduce(0, shifted))
  }

  private func bytes(of number: Int, _ width: Int) -> [UInt8] {
    let little = [UInt8](littleEndian: number, count: width)
    return isBigEndian ? little.reversed() : little
  }
}

extension TIFFEdit {
  /// The orientation; nil without a field, or with a number that is none.
  var orientation: Orientation? {
    guard let entry = entry(Self.orientationTag), let values = entry.values,
      Self.integers.contains(entry.type),
      let bytes = source.bytes(at: values.lowerBound, count: Self.sizes[entry.type]),
      let number = Self.number(bytes[...], isBigEndian), (1...8).contains(number)
    else { return nil }
    return Orientation(number: number)
  }

  func patch(_ orientation: Orientation) throws(ContainerFault) -> FilePatch {
    if let entry = entry(Self.orientationTag), let values = entry.values,
      Self.integers.contains(entry.type)
    {
      let width = Self.sizes[entry.type]
      let place = values.lowerBound..<(values.lowerBound + width)
      return try overwriting(
        place, bytes(of: orientation.number, width), isInEntry: values.count <= offsetWidth)
    }
    return try patch(
      Self.orientationTag, type: Self.shortType, bytes(of: orientation.number, 2))
  }

  /// Returns a block with an orientation and nothing else.
  static func block(_ orientation: Orientation) -> [UInt8] {
    Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1] + [0x01, 0x12, 0, 3, 0, 0, 0, 1]
      + [0, UInt8(orientation.number), 0, 0] + [0, 0, 0, 0]
  }

  /// Whether the directory has a field.
  func has(_ tag: UInt16) -> Bool { entry(tag) != nil }

  /// The range of the XMP packet; nil if there is none.
  var xmp: Range<Int>? { entry(TIFFReader.Tag.xmp)?.values }

  func patch(xmp packet: [UInt8]) throws(ContainerFault) -> FilePatch {
    if let place = xmp, place.count > offsetWidth,
      let new = XMPPadding.fitted(packet, to: place.count)
    {
      return try overwriting(place, new)
    }
    guard let new = XMPPadding.padded(packet) else { throw .large }
    return try patch(TIFFReader.Tag.xmp, type: Self.byteType, new)
  }

  /// Returns the patch by which a field has other values, in place of any that it has.
  private func patch(
    _ tag: UInt16, type: Int, _ values: [UInt8]
  ) throws(ContainerFault) -> FilePatch {
    // Offsets are even.
    var added = [UInt8](repeating: 0, count: source.count & 1)
    var field = bytes(of: type, 2) + bytes(of: values.count / Self.sizes[type], offsetWidth)
    if values.count <= offsetWidth {
      field += values + [UInt8](repeating: 0, count: offsetWidth - values.count)
    } else {
      field += bytes(of: source.count + added.count, offsetWidth)
      added += values
    }
    var replacements: [FilePatch.Replacement] = []
    if let entry = entry(tag) {
      let place = start + entry.place + 2
      replacements.append(.init(place..<(place + field.count), field))
      if values.count <= offsetWidth { added = [] }
    } else {
      if (source.count + added.count) & 1 == 1 { added.append(0) }
      let place = source.count + added.count
      replacements.append(
        .init(pointer..<(pointer + offsetWidth), bytes(of: place, offsetWidth)))
      added += bytes(of: count + 1, countWidth) + adding(bytes(of: Int(tag), 2) + field, tag)
    }
    guard isBig || source.count + added.count <= Int(UInt32.max), count < Self.maxEntries else {
      throw .large
    }
    if !added.isEmpty { replacements.append(.init(source.count..<source.count, added)) }
    return try patch(replacements)
  }

  /// Returns the entries with another one, before the first with a higher tag.
  private func adding(_ entry: [UInt8], _ tag: UInt16) -> [UInt8] {
    let places = stride(from: 0, to: count * entryLength, by: entryLength)
    let place =
      places.first { (number(at: $0, 2) ?? 0) > Int(tag) } ?? count * entryLength
    return bytes[..<place] + entry + bytes[place...]
  }

  /// Returns a patch that overwrites values in their place, which is in their entry if they are short.
  ///
  /// In a hostile file the place of others may be in the header, or in the directory.
  private func overwriting(
    _ place: Range<Int>, _ values: [UInt8], isInEntry: Bool = false
  ) throws(ContainerFault) -> FilePatch {
    let directory = (start - countWidth)..<(start + bytes.count)
    guard isInEntry || place.lowerBound >= (isBig ? 16 : 8) && !place.overlaps(directory) else {
      throw .damaged
    }
    return try patch([.init(place, values)])
  }

  private func patch(
    _ replacements: [FilePatch.Replacement]
  ) throws(ContainerFault) -> FilePatch {
    guard let patch = FilePatch(replacements)?.trimmed(in: source) else { throw .damaged }
    return patch
  }
}

/// EXIF blocks in other files, with or without "Exif" and two zeros at their start.
extension TIFFEdit {
  private static let exifName = Array("Exif\0\0".utf8)

  /// Returns the orientation in a range of a file; nil if it does not say.
  static func orientation(inBlock range: Range<Int>, of file: ByteSource) -> Orientation? {
    try? TIFFEdit(file.part(structure(inBlock: range, of: file))).orientation
  }

  /// Returns the patch of a file that sets the orientation in a range of it, which may grow at its end.
  static func patch(
    _ orientation: Orientation, inBlock range: Range<Int>, of file: ByteSource
  ) throws(ContainerFault) -> FilePatch {
    let range = structure(inBlock: range, of: file)
    return try TIFFEdit(file.part(range)).patch(orientation).moved(by: range.lowerBound)
  }

  private static func structure(inBlock range: Range<Int>, of file: ByteSource) -> Range<Int> {
    let head = file.bytes(at: range.lowerBound, atMost: min(range.count, exifName.count))
    return head == exifName ? (range.lowerBound + exifName.count)..<range.upperBound : range
  }
}
