import Glibc

/// The header of a JPEG file: the segments before its first scan (ITU-T T.81, annex B).
package struct JPEGHeader: Equatable, Sendable {
  /// The width as stored, before orientation, in pixels.
  package var width: Int
  package var height: Int
  /// The number of components: 1 is gray, 3 color, 4 CMYK or YCCK.
  package var components: Int
  /// Whether the picture is stored in several scans of increasing detail.
  package var isProgressive: Bool
  package var isLossless: Bool
  /// The range of the first EXIF segment's contents, with "Exif" and two zeros at its start.
  package var exif: Range<Int>?
  /// The range of the last XMP packet, which counts, as exiftool reads them.
  package var xmp: Range<Int>?
  /// The range of the records of the IPTC.
  package var iptc: Range<Int>?
  /// The ranges of the ICC profile's parts in their order; empty if there is none or a part is
  /// missing.
  package var profileParts: [Range<Int>] = []
  /// The offset of the first scan's compressed data; nil if the file ends before.
  package var scanStart: Int?

  /// Parses the segments of a file up to the first scan; nil if there is no frame header.
  package init?(_ file: [UInt8]) {
    var frame: (width: Int, height: Int, components: Int, marker: UInt8)?
    var parts: [(number: UInt8, count: UInt8, bytes: Range<Int>)] = []
    var walk = JPEGSegments(file)
    while let segment = walk.next() {
      let contents = segment.contents
      switch segment.marker {
      case 0xc0...0xcf where ![0xc4, 0xc8, 0xcc].contains(segment.marker):
        guard frame == nil, contents.count >= 6 else { break }
        let at = contents.lowerBound
        frame = (
          width: Int(file[at + 3]) << 8 | Int(file[at + 4]),
          height: Int(file[at + 1]) << 8 | Int(file[at + 2]),
          components: Int(file[at + 5]), marker: segment.marker
        )
      case 0xe1 where exif == nil && file[contents].starts(with: Self.exifName):
        exif = contents
      case 0xe1 where file[contents].starts(with: Self.xmpName):
        xmp = (contents.lowerBound + Self.xmpName.count)..<contents.upperBound
      case 0xed where iptc == nil && file[contents].starts(with: Self.resourceName):
        iptc = IPTCFacts.range(
          inResources: file[contents].dropFirst(Self.resourceName.count))
      case 0xe2 where file[contents].starts(with: Self.profileName):
        let at = contents.lowerBound + Self.profileName.count
        guard at + 2 <= contents.upperBound else { break }
        parts.append((file[at], file[at + 1], (at + 2)..<contents.upperBound))
      case 0xda:
        scanStart = contents.upperBound
      default:
        break
      }
      if scanStart != nil { break }
    }
    guard let frame else { return nil }
    (width, height, components) = (frame.width, frame.height, frame.components)
    // SOF 2, 6, 10 and 14; SOF 3, 7, 11 and 15.
    isProgressive = frame.marker & 3 == 2
    isLossless = frame.marker & 3 == 3
    profileParts = Self.complete(parts)
  }

  private static let exifName = Array("Exif\0\0".utf8)
  private static let xmpName = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  private static let resourceName = Array("Photoshop 3.0\0".utf8)
  private static let profileName = Array("ICC_PROFILE\0".utf8)

  /// Returns the profile's parts in order if each number from 1 to the count occurs once, otherwise
  /// nothing (ICC.1, annex B.4).
  private static func complete(
    _ parts: [(number: UInt8, count: UInt8, bytes: Range<Int>)]
  ) -> [Range<Int>] {
    let ordered = parts.sorted { $0.number < $1.number }
    guard let count = ordered.first?.count, ordered.count == Int(count),
      ordered.enumerated().allSatisfy({ $1.count == count && Int($1.number) == $0 + 1 })
    else { return [] }
    return ordered.map(\.bytes)
  }
}

/// Iterates over the marker segments of a JPEG file, without the scans' data between them.
package struct JPEGSegments {
  private let file: [UInt8]
  private var offset = 2
  /// The offset of the EOI marker, once `next` has reached it.
  package private(set) var endOfImage: Int?

  /// Creates an iterator for a file that begins with the marker SOI.
  package init(_ file: [UInt8]) { self.file = file }

  package struct Segment: Equatable, Sendable {
    /// The marker's second byte, for example 0xda for SOS.
    package var marker: UInt8
    /// The range of its contents in the file, without the two bytes of length.
    package var contents: Range<Int>
  }

  /// Returns the next complete segment; nil at the end of the image or of the file.
  ///
  /// Bytes that are not in a segment are skipped, as libjpeg does.
  package mutating func next() -> Segment? {
    while let found = nextMarker() {
      offset = found
      let marker = file[offset + 1]
      offset += 2
      switch marker {
      // TEM, RST and SOI have no contents.
      case 0x01, 0xd0...0xd8:
        continue
      case 0xd9:
        endOfImage = found
        offset = file.count
        return nil
      default:
        guard offset + 2 <= file.count else { return nil }
        // A length below its own two bytes is invalid; libjpeg reads it as an empty segment too.
        let length = max(2, Int(file[offset]) << 8 | Int(file[offset + 1]))
        guard offset + length <= file.count else { return nil }
        defer { offset += length }
        return Segment(marker: marker, contents: (offset + 2)..<(offset + length))
      }
    }
    return nil
  }

  /// Returns the offset of the next marker, which is 0xff and a number; nil if there is none.
  private func nextMarker() -> Int? {
    file.withUnsafeBytes { bytes in
      var offset = offset
      while offset + 1 < bytes.count {
        guard let base = bytes.baseAddress,
          let found = memchr(base + offset, 0xff, bytes.count - 1 - offset)
        else { return nil }
        offset = base.distance(to: UnsafeRawPointer(found))
        let number = bytes[offset + 1]
        if number != 0xff, number != 0 { return offset }
        offset += 1
      }
      return nil
    }
  }
}

/// The frame header of a JPEG (ITU-T T.81, A.2 and B.2.2): baseline or progressive, gray or YCbCr,
/// 8 bits a sample.
struct JPEGFrame {
  let width: Int
  let height: Int
  /// Whether the coefficients are divided among several scans.
  let isProgressive: Bool
  /// The color components: brightness alone, or Y, Cb and Cr.
  private(set) var components: [Component] = []
  private(set) var columns = 0
  private(set) var rows = 0

  struct Component {
    /// Its identifier in scan headers.
    var number: UInt8
    /// The number of blocks in a row of an MCU.
    var across: Int
    /// The number of rows of blocks in an MCU.
    var down: Int
    var quantizationTable: UInt8
  }

  init?(_ contents: ArraySlice<UInt8>, isProgressive: Bool) {
    let bytes = Array(contents)
    guard bytes.count >= 6, bytes[0] == 8 else { return nil }
    self.isProgressive = isProgressive
    height = Int(bytes[1]) << 8 | Int(bytes[2])
    width = Int(bytes[3]) << 8 | Int(bytes[4])
    let count = Int(bytes[5])
    guard width > 0, height > 0, count == 1 || count == 3, bytes.count == 6 + 3 * count else {
      return nil
    }
    for start in stride(from: 6, to: bytes.count, by: 3) {
      let (across, down) = (Int(bytes[start + 1] >> 4), Int(bytes[start + 1] & 15))
      guard (1...4).contains(across), (1...4).contains(down) else { return nil }
      components.append(
        Component(
          number: bytes[start], across: across, down: down, quantizationTable: bytes[start + 2]))
    }
    // A single component is stored block by block, whatever its sampling factors.
    if count == 1 { (components[0].across, components[0].down) = (1, 1) }
    // Components of RGB are identified by their letters.
    guard components.map(\.number) != Array("RGB".utf8),
      components.allSatisfy({ across % $0.across == 0 && down % $0.down == 0 })
    else { return nil }
    columns = (width + 8 * across - 1) / (8 * across)
    rows = (height + 8 * down - 1) / (8 * down)
  }

  /// The largest number of blocks in a row of an MCU, over all components.
  var across: Int { components.map(\.across).max() ?? 1 }
  /// The largest number of rows of blocks in an MCU, over all components.
  var down: Int { components.map(\.down).max() ?? 1 }

  /// The number of all blocks, including the padding of the last MCUs.
  var blockCount: Int {
    components.reduce(0) { $0 + columns * $1.across * rows * $1.down }
  }

  /// A block of an MCU, with its index among all blocks.
  ///
  /// All blocks are numbered component by component, and row by row in each.
  struct Block {
    /// The index of the component.
    var component: Int
    /// The index of the block in the first MCU.
    var start: Int
    /// The distance to the index in the next MCU of the row.
    var columnStep: Int
    /// The distance to the index in the next row of MCUs.
    var rowStep: Int
  }

  /// An MCU, by its row and column.
  struct MCU {
    private var row: Int
    private var column: Int
    private let columns: Int

    /// Creates the MCU with a number, counted row by row.
    init(_ number: Int, in frame: JPEGFrame) {
      (row, column) = number.quotientAndRemainder(dividingBy: frame.columns)
      columns = frame.columns
    }

    /// Returns the index of one of its blocks among all blocks.
    @inline(__always)
    func index(of block: Block) -> Int {
      block.start &+ row &* block.rowStep &+ column &* block.columnStep
    }

    @inline(__always)
    mutating func advance() {
      column &+= 1
      if column == columns { (row, column) = (row &+ 1, 0) }
    }
  }

  /// The blocks of an MCU in the order in which they are stored.
  var blocks: [Block] {
    var blocks: [Block] = []
    var start = 0
    for (number, component) in components.enumerated() {
      let width = columns * component.across
      for y in 0..<component.down {
        for x in 0..<component.across {
          blocks.append(
            Block(
              component: number, start: start + y * width + x, columnStep: component.across,
              rowStep: width * component.down))
        }
      }
      start += width * component.down * rows
    }
    return blocks
  }
}

/// The header of a scan with all components of the frame (ITU-T T.81, B.2.3).
struct JPEGScan {
  /// The numbers of each component's Huffman tables for DC and AC coefficients.
  private(set) var codes: [(dc: UInt8, ac: UInt8)] = []
  /// The index of the first coefficient in the scan; 0 is the DC coefficient.
  let firstCoefficient: UInt8
  /// The index of the last coefficient in the scan.
  let lastCoefficient: UInt8
  /// The number of low bits that the previous scan left out; 0 in the first scan.
  let bitsBefore: UInt8
  /// The number of low bits that are left to later scans.
  let bitsAfter: UInt8

  /// Parses the contents of a scan header; nil if the scan lacks a component.
  init?(_ contents: ArraySlice<UInt8>, of frame: JPEGFrame) {
    let bytes = Array(contents)
    let count = frame.components.count
    guard bytes.count == 4 + 2 * count, Int(bytes[0]) == count else { return nil }
    for (index, component) in frame.components.enumerated() {
      guard bytes[1 + 2 * index] == component.number else { return nil }
      codes.append((bytes[2 + 2 * index] >> 4, bytes[2 + 2 * index] & 15))
    }
    firstCoefficient = bytes[1 + 2 * count]
    lastCoefficient = bytes[2 + 2 * count]
    bitsBefore = bytes[3 + 2 * count] >> 4
    bitsAfter = bytes[3 + 2 * count] & 15
  }
}
