/// The colors of a HEIC's or AVIF's primary picture, as the file describes them besides an ICC
/// profile.
package enum HEIFColors {
  /// Reads the code points in the primary picture's property `colr` (ISO/IEC 23008-12, 6.5.5); nil if
  /// it has none, or none that are known.
  package static func description(in file: ByteSource) -> ColorDescription? {
    let boxes = ISOBoxes(file: file)
    for property in HEIFItems(boxes)?.primaryProperties ?? [] where property.type == "colr" {
      guard let code = file.bytes(at: property.contents.lowerBound, count: 11),
        property.contents.count >= 11, code.starts(with: "nclx".utf8)
      else { continue }
      // Range and matrix are those of the coded picture, which its decoder applies.
      return ColorDescription(
        codedPrimaries: Int(code[4]) << 8 | Int(code[5]),
        transfer: Int(code[6]) << 8 | Int(code[7]))
    }
    return nil
  }
}

/// The pictures in a HEIC or AVIF and their properties (ISO/IEC 23008-12, 9.3; 14496-12, 8.11).
package struct HEIFItems {
  private let file: ByteSource
  private let primary: Int
  /// The first picture that is not hidden, as parts of others are; nil if none is listed.
  private let firstPicture: Int?
  /// All properties, which items refer to by their numbers from 1 on.
  private let properties: [ISOBoxes.Box]
  /// Which items have which properties.
  private let associations: [Range<Int>]

  /// The longest table of associations that is read, in bytes.
  private static let maxTableLength = 1 << 20

  /// Finds the boxes; nil in a file without a primary picture.
  init?(_ boxes: ISOBoxes) {
    file = boxes.file
    guard let meta = boxes.boxes(0..<file.count).first(where: { $0.type == "meta" })?.contents,
      meta.count > 4
    else { return nil }
    let inside = boxes.boxes((meta.lowerBound + 4)..<meta.upperBound)
    guard let number = inside.first(where: { $0.type == "pitm" })?.contents,
      let version = file.bytes(at: number.lowerBound, count: 1)?.first,
      let primary = file.bigEndian(at: number.lowerBound + 4, bytes: version == 0 ? 2 : 4),
      let table = inside.first(where: { $0.type == "iprp" })?.contents
    else { return nil }
    self.primary = primary
    firstPicture = inside.first { $0.type == "iinf" }.flatMap {
      Self.firstPicture(in: $0.contents, boxes)
    }
    let parts = boxes.boxes(table)
    properties = parts.first { $0.type == "ipco" }.map { boxes.boxes($0.contents) } ?? []
    associations = parts.filter { $0.type == "ipma" }.map(\.contents)
  }

  /// Whether a file's primary picture is the first one; true if it does not say which is.
  package static func isPrimaryFirst(in file: ByteSource) -> Bool {
    guard let items = HEIFItems(ISOBoxes(file: file)), let first = items.firstPicture else {
      return true
    }
    return first == items.primary
  }

  private static func firstPicture(in list: Range<Int>, _ boxes: ISOBoxes) -> Int? {
    let file = boxes.file
    guard let version = file.bytes(at: list.lowerBound, count: 1)?.first else { return nil }
    let start = min(list.lowerBound + (version == 0 ? 6 : 8), list.upperBound)
    for entry in boxes.boxes(start..<list.upperBound) where entry.type == "infe" {
      guard let head = file.bytes(at: entry.contents.lowerBound, count: 4), head[0] >= 2 else {
        continue
      }
      let width = head[0] == 2 ? 2 : 4
      guard head[3] & 1 == 0,
        let type = file.bytes(at: entry.contents.lowerBound + 6 + width, count: 4),
        ["hvc1", "av01", "grid", "iovl", "iden", "jpeg", "avc1"].contains(
          String(decoding: type, as: UTF8.self))
      else { continue }
      return file.bigEndian(at: entry.contents.lowerBound + 4, bytes: width)
    }
    return nil
  }

  /// The properties of the primary picture.
  var primaryProperties: [ISOBoxes.Box] {
    associations.flatMap { numbers(in: $0) }.compactMap {
      properties.indices.contains($0 - 1) ? properties[$0 - 1] : nil
    }
  }

  /// The numbers of the primary picture's properties in a table.
  private func numbers(in table: Range<Int>) -> [Int] {
    guard
      let bytes = file.bytes(at: table.lowerBound, atMost: min(table.count, Self.maxTableLength)),
      bytes.count >= 8
    else { return [] }
    func number(_ at: Int, _ width: Int) -> Int {
      bytes[at..<(at + width)].reduce(0) { $0 << 8 | Int($1) }
    }
    let (itemWidth, propertyWidth) = (bytes[0] == 0 ? 2 : 4, bytes[3] & 1 == 0 ? 1 : 2)
    var offset = 8
    for _ in 0..<number(4, 4) {
      guard offset + itemWidth < bytes.count else { break }
      let (item, count) = (number(offset, itemWidth), Int(bytes[offset + itemWidth]))
      let start = offset + itemWidth + 1
      offset = start + count * propertyWidth
      guard offset <= bytes.count else { break }
      guard item == primary else { continue }
      // The highest bit says whether a reader must know the property.
      return (0..<count).map {
        number(start + $0 * propertyWidth, propertyWidth) & (propertyWidth == 1 ? 0x7f : 0x7fff)
      }
    }
    return []
  }
}
