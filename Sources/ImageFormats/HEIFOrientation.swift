import Geometry

/// The orientation of the picture in a HEIC or AVIF: its properties `irot` and `imir`, in the order in
/// which they are to be applied (ISO/IEC 23008-12, 6.5.10 and 6.5.12).
package enum HEIFOrientation {
  /// Reads the properties of the primary picture; upright without any, or in a damaged file.
  package static func read(_ file: ByteSource) -> Orientation {
    let boxes = ISOBoxes(file: file)
    guard let meta = boxes.contents(of: "meta", in: 0..<file.count, skipping: 4),
      let primary = primaryItem(boxes, meta),
      let properties = boxes.contents(of: "iprp", in: meta),
      let list = boxes.contents(of: "ipco", in: properties)
    else { return .upright }
    let all = boxes.boxes(list)
    var orientation = Orientation.upright
    for table in boxes.boxes(properties) where table.type == "ipma" {
      for index in indices(of: primary, in: table.contents, file) where all.indices ~= index - 1 {
        orientation = orientation.followed(by: turn(all[index - 1], file))
      }
    }
    return orientation
  }

  private static func primaryItem(_ boxes: ISOBoxes, _ meta: Range<Int>) -> Int? {
    guard let item = boxes.contents(of: "pitm", in: meta),
      let version = boxes.file.bigEndian(at: item.lowerBound, bytes: 1)
    else { return nil }
    return boxes.file.bigEndian(at: item.lowerBound + 4, bytes: version == 0 ? 2 : 4)
  }

  private static func turn(_ property: ISOBoxes.Box, _ file: ByteSource) -> Orientation {
    guard let value = file.bigEndian(at: property.contents.lowerBound, bytes: 1) else {
      return .upright
    }
    switch property.type {
    // Quarter turns counterclockwise.
    case "irot": return Orientation(number: [1, 8, 3, 6][value & 3])
    // Top and bottom change places, or left and right.
    case "imir": return value & 1 == 0 ? .flipped : .mirrored
    default: return .upright
    }
  }

  /// The most pictures whose properties a table may list before the primary one.
  private static let maxItems = 10_000

  /// Returns the numbers of an item's properties, from 1 on; none if the table does not list it.
  private static func indices(
    of item: Int, in table: Range<Int>, _ file: ByteSource
  ) -> [Int] {
    guard let head = file.bigEndian(at: table.lowerBound, bytes: 4),
      let count = file.bigEndian(at: table.lowerBound + 4, bytes: 4)
    else { return [] }
    let idWidth = head >> 24 == 0 ? 2 : 4
    let indexWidth = head & 1 == 0 ? 1 : 2
    var offset = table.lowerBound + 8
    for _ in 0..<min(count, maxItems) {
      guard offset < table.upperBound, let id = file.bigEndian(at: offset, bytes: idWidth),
        let length = file.bigEndian(at: offset + idWidth, bytes: 1)
      else { return [] }
      offset += idWidth + 1
      if id == item {
        // The first bit says whether a reader must know the property.
        let mask = indexWidth == 1 ? 0x7f : 0x7fff
        return (0..<length).compactMap {
          file.bigEndian(at: offset + $0 * indexWidth, bytes: indexWidth).map { $0 & mask }
        }
      }
      offset += length * indexWidth
    }
    return []
  }
}

extension ISOBoxes {
  /// Returns the range of the first box of a type, without some bytes at its beginning; nil if there is
  /// none.
  func contents(of type: String, in range: Range<Int>, skipping count: Int = 0) -> Range<Int>? {
    guard let found = boxes(range).first(where: { $0.type == type })?.contents else { return nil }
    return min(found.lowerBound + count, found.upperBound)..<found.upperBound
  }
}
