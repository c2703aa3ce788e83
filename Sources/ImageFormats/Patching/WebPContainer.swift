import Geometry

/// A WebP, still or animated, whose metadata is in chunks (WebP container specification).
///
/// A file in the simple format, which has no metadata, becomes one in the extended format.
package struct WebPContainer: PhotoContainer {
  private let file: ByteSource
  /// The end of the last chunk; other bytes may follow.
  private let end: Int
  /// The contents of the chunk of the extended format.
  private var head: Range<Int>?
  private var exif: Range<Int>?
  private var packet: Range<Int>?
  /// The head of a file in the extended format: no flags but transparency, and the size.
  private var newHead: [UInt8]?

  /// The flags of the extended format that say that there are chunks of metadata.
  private static let (exifFlag, xmpFlag): (UInt8, UInt8) = (0x08, 0x04)
  private static let alphaFlag: UInt8 = 0x10
  private static let maxChunks = 100_000

  package init(_ file: ByteSource) throws(ContainerFault) {
    self.file = file
    guard let riff = file.bytes(at: 0, count: 12), riff.starts(with: "RIFF".utf8),
      riff[8...].elementsEqual("WEBP".utf8)
    else { throw .format }
    end = 8 + Self.number(riff[4..<8])
    guard end <= file.count else { throw .damaged }
    var offset = 12
    for _ in 0..<Self.maxChunks {
      guard offset + 8 <= end, let head = file.bytes(at: offset, count: 8) else { break }
      let length = Self.number(head[4...])
      guard length <= end - offset - 8 else { throw .damaged }
      record(head[..<4], (offset + 8)..<(offset + 8 + length), isFirst: offset == 12)
      offset += 8 + length + length & 1
    }
    // The last chunk may lack its padding.
    guard offset >= end, head != nil || newHead != nil else { throw .damaged }
  }

  private mutating func record(_ type: ArraySlice<UInt8>, _ contents: Range<Int>, isFirst: Bool) {
    switch String(decoding: type, as: UTF8.self) {
    case "VP8X" where isFirst && contents.count >= 10: head = contents
    case "VP8L" where isFirst:
      // A signature, two sides less one in 14 bits each, and whether there is transparency.
      guard let bytes = file.bytes(at: contents.lowerBound, atMost: min(5, contents.count)),
        bytes.count == 5, bytes[0] == 0x2f
      else { return }
      let bits = Self.number(bytes[1...])
      newHead = Self.head(
        bits & 0x3fff, bits >> 14 & 0x3fff, bits >> 28 & 1 == 1 ? Self.alphaFlag : 0)
    case "VP8 " where isFirst:
      // A frame's head and start code, then two sides in 14 bits each.
      guard let bytes = file.bytes(at: contents.lowerBound, atMost: min(10, contents.count)),
        bytes.count == 10, bytes[3..<6].elementsEqual([0x9d, 0x01, 0x2a])
      else { return }
      let (width, height) = (
        Self.number(bytes[6..<8]) & 0x3fff, Self.number(bytes[8...]) & 0x3fff
      )
      guard width > 0, height > 0 else { return }
      newHead = Self.head(width - 1, height - 1, 0)
    case "EXIF" where exif == nil: exif = contents
    case "XMP ": packet = contents
    default: break
    }
  }

  package var xmp: StoredXMP? {
    get throws(ContainerFault) {
      guard let packet else { return nil }
      guard packet.count <= StoredXMP.maxCount else { throw .large }
      guard let bytes = file.bytes(at: packet.lowerBound, count: packet.count) else {
        throw .damaged
      }
      return StoredXMP(packet: bytes, range: packet)
    }
  }

  package func patch(xmp new: [UInt8]) throws(ContainerFault) -> FilePatch {
    guard let packet else {
      guard let new = XMPPadding.padded(new) else { throw .large }
      return try patch([.init(end..<end, chunk("XMP ", new))], flag: Self.xmpFlag)
    }
    if let new = XMPPadding.fitted(new, to: packet.count) {
      return try patch([.init(packet, new)], flag: Self.xmpFlag)
    }
    guard packet.count <= StoredXMP.maxCount, let new = XMPPadding.padded(new) else { throw .large }
    return try patch([.init(packet, new)], of: packet, flag: Self.xmpFlag)
  }

  package var orientation: Orientation? {
    exif.flatMap { TIFFEdit.orientation(inBlock: $0, of: file) }
  }

  package func patch(_ orientation: Orientation) throws(ContainerFault) -> FilePatch {
    guard let exif else {
      // EXIF comes before XMP.
      let place = packet.map { $0.lowerBound - 8 } ?? end
      return try patch(
        [.init(place..<place, chunk("EXIF", TIFFEdit.block(orientation), at: place))],
        flag: Self.exifFlag)
    }
    let change = try TIFFEdit.patch(orientation, inBlock: exif, of: file)
    return try patch(change.replacements, of: exif, flag: Self.exifFlag)
  }

  /// Returns a patch with what follows from a change of a chunk's contents: its length and padding.
  private func patch(
    _ replacements: [FilePatch.Replacement], of contents: Range<Int>, flag: UInt8
  ) throws(ContainerFault) -> FilePatch {
    let growth = FilePatch(replacements)?.growth ?? 0
    let (start, count) = (contents.lowerBound - 4, contents.count + growth)
    guard growth != 0 else { return try patch(replacements, flag: flag) }
    let padding = contents.upperBound..<min(contents.upperBound + contents.count & 1, end)
    return try patch(
      replacements + [
        .init(start..<(start + 4), [UInt8](littleEndian: count, count: 4)),
        .init(padding, [UInt8](repeating: 0, count: count & 1)),
      ], flag: flag)
  }

  /// Returns a patch with what follows from any change: the flag in the head, which a file in the
  /// simple format gets, and the length of the file.
  private func patch(
    _ replacements: [FilePatch.Replacement], flag: UInt8
  ) throws(ContainerFault) -> FilePatch {
    var all = replacements
    if let head {
      guard let flags = file.bytes(at: head.lowerBound, count: 1) else { throw .damaged }
      all.append(.init(head.lowerBound..<(head.lowerBound + 1), [flags[0] | flag]))
    } else if var newHead {
      newHead[0] |= flag
      all.append(.init(12..<12, Array("VP8X".utf8) + [UInt8](littleEndian: 10, count: 4) + newHead))
    }
    let length = end - 8 + (FilePatch(all)?.growth ?? 0)
    // The longest file, in the specification.
    guard length <= 0xffff_fff6 else { throw .large }
    all.append(.init(4..<8, [UInt8](littleEndian: length, count: 4)))
    guard let patch = FilePatch(all)?.trimmed(in: file) else { throw .damaged }
    return patch
  }

  /// Returns a chunk that is inserted at a place, by default at the end.
  private func chunk(_ type: String, _ contents: [UInt8], at place: Int? = nil) -> [UInt8] {
    // The last chunk may lack its padding.
    let before = [UInt8](repeating: 0, count: place == nil || place == end ? end & 1 : 0)
    return before + Array(type.utf8) + [UInt8](littleEndian: contents.count, count: 4) + contents
      + [UInt8](repeating: 0, count: contents.count & 1)
  }

  private static func head(_ right: Int, _ bottom: Int, _ flags: UInt8) -> [UInt8] {
    [flags, 0, 0, 0] + [UInt8](littleEndian: right, count: 3)
      + [UInt8](littleEndian: bottom, count: 3)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

extension [UInt8] {
  /// Creates the lowest bytes of a number, the lowest first.
  init(littleEndian number: Int, count: Int) {
    self = (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
