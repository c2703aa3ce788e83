import CZlib
import Geometry

/// A PNG, whose metadata is in chunks (PNG specification, 5.3; XMP specification, part 3, 1.1.5).
package struct PNGContainer: PhotoContainer {
  private let file: ByteSource
  /// The contents of the last chunk with a packet.
  private var text: Range<Int>?
  /// The type of that chunk: `iTXt`, or what some programs write in its place.
  private var textType: [UInt8] = []
  /// The contents of the EXIF chunk.
  private var exif: Range<Int>?
  /// Where new chunks go: before the picture, at the first chunk `IDAT`.
  private let place: Int

  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  private static let key = Array("XML:com.adobe.xmp\0".utf8)
  private static let textTypes = ["iTXt", "tEXt", "zTXt"].map { Array($0.utf8) }
  /// Libraries divide pictures into chunks of 8 kB.
  private static let maxChunks = 200_000
  /// The longest chunk that is changed, in bytes.
  private static let maxContents = StoredXMP.maxCount

  package init(_ file: ByteSource) throws(ContainerFault) {
    self.file = file
    guard file.bytes(at: 0, count: 8) == Self.signature else { throw .format }
    var offset = 8
    var picture: Int?
    for _ in 0..<Self.maxChunks {
      guard let head = file.bytes(at: offset, count: 8) else { throw .damaged }
      let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= file.count - offset - 12 else { throw .damaged }
      let contents = (offset + 8)..<(offset + 8 + length)
      let type = Array(head[4...])
      if picture == nil, type == Array("IDAT".utf8) { picture = offset }
      if exif == nil, type == Array("eXIf".utf8) { exif = contents }
      if Self.textTypes.contains(type), length >= Self.key.count,
        file.bytes(at: contents.lowerBound, count: Self.key.count) == Self.key
      {
        (text, textType) = (contents, type)
      }
      offset = contents.upperBound + 4
      guard type == Array("IEND".utf8) else { continue }
      guard let picture else { throw .damaged }
      place = picture
      return
    }
    throw .damaged
  }

  package var xmp: StoredXMP? {
    get throws(ContainerFault) {
      guard let text else { return nil }
      let (stored, value) = try stored(text)
      let range = (text.lowerBound + value.startIndex)..<(text.lowerBound + value.endIndex)
      guard stored.isCompressed else { return StoredXMP(packet: Array(value), range: range) }
      guard let packet = Self.inflated(Array(value)) else { throw .damaged }
      return StoredXMP(packet: packet, range: range)
    }
  }

  /// Returns the text in a chunk, and its value with the indices of the chunk's contents.
  private func stored(
    _ contents: Range<Int>
  ) throws(ContainerFault) -> (PNGText, value: ArraySlice<UInt8>) {
    let bytes = try bytes(contents)
    let chunk = PNGChunks.Chunk(type: textType, contents: 0..<bytes.count)
    guard let text = PNGText(chunk, of: bytes) else { throw .damaged }
    return (text, text.value)
  }

  private func bytes(_ contents: Range<Int>) throws(ContainerFault) -> [UInt8] {
    guard contents.count <= Self.maxContents else { throw .large }
    guard let bytes = file.bytes(at: contents.lowerBound, count: contents.count) else {
      throw .damaged
    }
    return bytes
  }

  private static func inflated(_ stream: [UInt8]) -> [UInt8]? {
    // No byte of a stream becomes more than 1032.
    var count = uLong(min(StoredXMP.maxCount, stream.count * 1032))
    var isWhole = false
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
      isWhole = uncompress(buffer.baseAddress, &count, stream, uLong(stream.count)) == Z_OK
      filled = isWhole ? Int(count) : 0
    }
    return isWhole ? bytes : nil
  }

  package func patch(xmp packet: [UInt8]) throws(ContainerFault) -> FilePatch {
    guard let text else {
      return try patch([.init(place..<place, Self.chunk(try Self.contents(packet)))])
    }
    let (stored, value) = try stored(text)
    if !stored.isCompressed, textType == Self.textTypes[0],
      let new = XMPPadding.fitted(packet, to: value.count)
    {
      let start = text.lowerBound + value.startIndex
      return try patch(
        [.init(start..<text.upperBound, new)], of: text, textType,
        try bytes(text)[..<value.startIndex] + new)
    }
    let chunk = (text.lowerBound - 8)..<(text.upperBound + 4)
    return try patch([.init(chunk, Self.chunk(try Self.contents(packet)))])
  }

  /// Returns the contents of a chunk with a packet: key, not compressed, in no language.
  private static func contents(_ packet: [UInt8]) throws(ContainerFault) -> [UInt8] {
    guard let packet = XMPPadding.padded(packet), packet.count < maxContents else { throw .large }
    return key + [0, 0, 0, 0] + packet
  }

  package var orientation: Orientation? {
    exif.flatMap { TIFFEdit.orientation(inBlock: $0, of: file) }
  }

  package func patch(_ orientation: Orientation) throws(ContainerFault) -> FilePatch {
    guard let exif else {
      let chunk = Self.chunk(TIFFEdit.block(orientation), type: "eXIf")
      return try patch([.init(place..<place, chunk)])
    }
    let change = try TIFFEdit.patch(orientation, inBlock: exif, of: file)
    guard let new = change.moved(by: -exif.lowerBound).applied(to: try bytes(exif)) else {
      throw .damaged
    }
    return try patch(change.replacements, of: exif, Array("eXIf".utf8), new[...])
  }

  /// Returns a patch with what follows from a change of a chunk: its length and checksum.
  private func patch(
    _ replacements: [FilePatch.Replacement], of contents: Range<Int>, _ type: [UInt8],
    _ new: ArraySlice<UInt8>
  ) throws(ContainerFault) -> FilePatch {
    let (start, end) = (contents.lowerBound - 8, contents.upperBound)
    return try patch(
      replacements + [
        .init(start..<(start + 4), Self.number(new.count)),
        .init(end..<(end + 4), Self.checksum(type + new)),
      ])
  }

  private func patch(_ replacements: [FilePatch.Replacement]) throws(ContainerFault) -> FilePatch {
    guard let patch = FilePatch(replacements)?.trimmed(in: file) else { throw .damaged }
    return patch
  }

  private static func chunk(_ contents: [UInt8], type: String = "iTXt") -> [UInt8] {
    let named = Array(type.utf8) + contents
    return number(contents.count) + named + checksum(named)
  }

  private static func checksum(_ named: [UInt8]) -> [UInt8] {
    number(Int(crc32(0, named, uInt(named.count))))
  }

  private static func number(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
