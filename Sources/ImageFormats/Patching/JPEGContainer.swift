import Geometry

/// A JPEG, whose metadata is in segments before the first scan (ITU-T T.81, annex B; XMP specification,
/// part 3, 1.1.3).
package struct JPEGContainer: PhotoContainer {
  private let file: ByteSource
  /// The contents of the first EXIF segment, with "Exif" and two zeros at its start.
  private var exif: Range<Int>?
  /// Whether a longer EXIF block is continued in the next segment.
  private var isExifContinued = false
  /// The contents of the last segment with a main packet, without the name at its start.
  private var main: Range<Int>?
  /// The contents of the segments with parts of extended packets, without the name at their start.
  private var extensions: [Range<Int>] = []
  /// The contents of the index of other pictures in the file, without the name at its start.
  private var index: Range<Int>?
  /// Where a new EXIF segment goes: after the application segments 0, such as JFIF's.
  private var exifPlace = 2
  /// Where a new XMP segment goes: after those and EXIF.
  private var xmpPlace = 2

  private static let exifName = Array("Exif\0\0".utf8)
  private static let xmpName = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  private static let extensionName = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
  private static let indexName = Array("MPF\0".utf8)
  /// The most bytes in a segment, without the two bytes of length.
  private static let maxContents = 65_533
  /// The longest main packet (XMP specification, part 3, 1.1.3).
  private static let maxPacket = 65_502
  private static let maxSegments = 4096
  private static let maxExtended = 16 << 20

  package init(_ file: ByteSource) throws(ContainerFault) {
    self.file = file
    guard file.bytes(at: 0, count: 2) == [0xff, 0xd8] else { throw .format }
    var offset = 2
    var isFirst = true
    for _ in 0..<Self.maxSegments {
      // The head, and the longest name.
      guard let head = file.bytes(at: offset, atMost: 40), head.count >= 4, head[0] == 0xff else {
        throw .damaged
      }
      if head[1] == 0xff {
        // Markers may be preceded by fill bytes.
        offset += 1
        continue
      }
      if head[1] == 0xda { return }
      let length = Int(head[2]) << 8 | Int(head[3])
      guard head[1] >= 0xc0, !(0xd0...0xd9).contains(head[1]), length >= 2,
        length <= file.count - offset - 2
      else { throw .damaged }
      let contents = (offset + 4)..<(offset + 2 + length)
      record(head[1], contents, head[4...].prefix(contents.count), isFirst: &isFirst)
      offset = contents.upperBound
    }
    throw .damaged
  }

  /// Records a segment; `isFirst` is whether only application segments 0 came before.
  private mutating func record(
    _ marker: UInt8, _ contents: Range<Int>, _ name: ArraySlice<UInt8>, isFirst: inout Bool
  ) {
    func has(_ wanted: [UInt8]) -> Bool { name.starts(with: wanted) }
    if marker == 0xe0, isFirst {
      (exifPlace, xmpPlace) = (contents.upperBound, contents.upperBound)
      return
    }
    isFirst = false
    switch marker {
    case 0xe1 where has(Self.exifName):
      if exif == nil {
        exif = contents
        xmpPlace = contents.upperBound
      } else if contents.lowerBound == xmpPlace + 4 {
        // A part of a block that is too long for a segment has no header of its own.
        let isPart =
          name.dropFirst(6).prefix(2) != [0x49, 0x49]
          && name.dropFirst(6).prefix(2) != [0x4d, 0x4d]
        if isPart { isExifContinued = true }
        xmpPlace = contents.upperBound
      }
    case 0xe1 where has(Self.xmpName):
      main = (contents.lowerBound + Self.xmpName.count)..<contents.upperBound
    case 0xe1 where has(Self.extensionName):
      extensions.append((contents.lowerBound + Self.extensionName.count)..<contents.upperBound)
    case 0xe2 where has(Self.indexName) && index == nil:
      index = (contents.lowerBound + Self.indexName.count)..<contents.upperBound
    default: break
    }
  }
}

extension JPEGContainer {
  package var xmp: StoredXMP? {
    get throws(ContainerFault) {
      guard let main else { return nil }
      guard let packet = file.bytes(at: main.lowerBound, count: main.count) else { throw .damaged }
      return StoredXMP(packet: packet, range: main, extended: extended(of: packet))
    }
  }

  /// Returns the extended packet that a main one names; nil if there is none, or a part is missing.
  ///
  /// A part begins with the name, 32 digits, the length of the whole and its own offset in it.
  private func extended(of packet: [UInt8]) -> [UInt8]? {
    let mark = Array("HasExtendedXMP".utf8)
    guard !extensions.isEmpty,
      let place = packet.indices.first(where: { packet[$0...].starts(with: mark) })
    else { return nil }
    // It is an attribute or an element: the digits come after a quotation mark or a bracket.
    let name = packet[(place + mark.count)...].prefix(64)
      .drop { !$0.isHexadecimalDigit }.prefix(32)
    guard name.count == 32, name.allSatisfy(\.isHexadecimalDigit) else { return nil }
    var parts: [(offset: Int, bytes: Range<Int>)] = []
    var total: Int?
    for range in extensions {
      guard let head = file.bytes(at: range.lowerBound, count: 40), range.count >= 40,
        head[..<32].elementsEqual(name),
        let whole = file.bigEndian(at: range.lowerBound + 32, bytes: 4),
        let offset = file.bigEndian(at: range.lowerBound + 36, bytes: 4)
      else { continue }
      total = whole
      parts.append((offset, (range.lowerBound + 40)..<range.upperBound))
    }
    guard let total, total <= Self.maxExtended else { return nil }
    var joined: [UInt8] = []
    for part in parts.sorted(by: { $0.offset < $1.offset }) {
      guard part.offset == joined.count, part.bytes.count <= total - joined.count,
        let bytes = file.bytes(at: part.bytes.lowerBound, count: part.bytes.count)
      else { return nil }
      joined += bytes
    }
    return joined.count == total ? joined : nil
  }

  package func patch(xmp packet: [UInt8]) throws(ContainerFault) -> FilePatch {
    guard let main else {
      guard let new = XMPPadding.padded(packet, atMost: Self.maxPacket) else { throw .large }
      return try inserting(Self.segment(0xe1, Self.xmpName + new), at: xmpPlace)
    }
    if let new = XMPPadding.fitted(packet, to: main.count) {
      return try patch([.init(main, new)])
    }
    guard let new = XMPPadding.padded(packet, atMost: Self.maxPacket) else { throw .large }
    return try patch(
      [.init(main, new), lengthField(of: main, after: Self.xmpName, new.count)],
      growth: new.count - main.count, at: main.upperBound)
  }

  package var orientation: Orientation? {
    exif.flatMap { TIFFEdit.orientation(inBlock: $0, of: file) }
  }

  package func patch(_ orientation: Orientation) throws(ContainerFault) -> FilePatch {
    guard let exif else {
      return try inserting(
        Self.segment(0xe1, Self.exifName + TIFFEdit.block(orientation)), at: exifPlace)
    }
    let change = try TIFFEdit.patch(orientation, inBlock: exif, of: file)
    guard change.growth > 0 else { return change }
    let count = exif.count + change.growth
    guard count <= Self.maxContents, !isExifContinued else { throw .large }
    return try patch(
      change.replacements + [lengthField(of: exif, after: [], count)], growth: change.growth,
      at: exif.upperBound)
  }

  /// Returns a segment with its marker and length.
  private static func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
    [0xff, marker, UInt8((contents.count + 2) >> 8), UInt8((contents.count + 2) & 0xff)] + contents
  }

  /// Returns the new length of a segment that is to have `count` bytes after a name.
  private func lengthField(
    of contents: Range<Int>, after name: [UInt8], _ count: Int
  ) -> FilePatch.Replacement {
    let (start, length) = (contents.lowerBound - name.count - 2, name.count + count + 2)
    return .init(start..<(start + 2), [UInt8(length >> 8), UInt8(length & 0xff)])
  }

  private func inserting(_ segment: [UInt8], at place: Int) throws(ContainerFault) -> FilePatch {
    try patch([.init(place..<place, segment)], growth: segment.count, at: place)
  }
}

/// What refers to later bytes, and has to go on doing so.
extension JPEGContainer {
  /// Returns a patch, completed if the bytes from `place` on move by `growth`.
  private func patch(
    _ replacements: [FilePatch.Replacement], growth: Int = 0, at place: Int = 0
  ) throws(ContainerFault) -> FilePatch {
    var all = replacements
    if growth > 0 {
      guard !hasAbsoluteTrailer, !refersToPreview(behind: place) else { throw .immovable }
      if let index {
        all += try PictureIndex(file, index).replacements(growth: growth, at: place)
      }
    }
    guard let patch = FilePatch(all)?.trimmed(in: file) else { throw .damaged }
    return patch
  }

  /// Whether the file ends with a trailer of AXS, whose offsets count from the start of the file.
  private var hasAbsoluteTrailer: Bool {
    let mark = file.bytes(at: file.count - 12, count: 4) ?? []
    return mark == Array("AXS!".utf8) || mark == Array("AXS*".utf8)
  }

  /// Whether a number in the EXIF block leads to a JPEG behind a place, after which bytes move.
  ///
  /// Cameras refer from maker notes, in formats of their own, to previews after the picture. The
  /// offsets count from the block's header, the maker note, or the start of the file. Only the first
  /// of these move with the block if the place is before it.
  private func refersToPreview(behind place: Int) -> Bool {
    guard let exif, let bytes = file.bytes(at: exif.lowerBound, count: exif.count),
      let reader = TIFFReader(file, at: exif.lowerBound + Self.exifName.count)
    else { return false }
    var bases = [0]
    if place >= exif.upperBound {
      bases.append(exif.lowerBound + Self.exifName.count)
      if let note = ExifDirectories(reader)?.photo?.entries[TIFFReader.Tag.makerNote] {
        bases.append(note.offset)
      }
    }
    for start in stride(from: Self.exifName.count, to: bytes.count - 3, by: 2) {
      let word = bytes[start..<(start + 4)]
      let number =
        reader.isBigEndian
        ? word.reduce(0) { $0 << 8 | Int($1) } : word.reversed().reduce(0) { $0 << 8 | Int($1) }
      for base in bases where base + number >= max(place, exif.upperBound) {
        if file.bytes(at: base + number, count: 3) == [0xff, 0xd8, 0xff] { return true }
      }
    }
    return false
  }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x46).contains(self & 0xdf)
  }
}
