import Photos

/// The film inside a motion photo, whose file begins with the picture.
///
/// Three kinds are known: Google's JPEGs, whose XMP tells where the film is ("Motion Photo format 1.0",
/// and "MicroVideo" before it); the box `mpvd` of a HEIC or AVIF; and Samsung's trailer.
package enum EmbeddedFilm {
  /// Returns the bytes of the film in a file: a whole MP4, which begins with the box `ftyp`; nil
  /// for a file without a film.
  package static func range(in file: ByteSource, format: ImageFormat) -> Range<Int>? {
    switch format {
    case .jpeg:
      for count in JPEGFacts.headLengths {
        guard let bytes = file.bytes(at: 0, atMost: count) else { return nil }
        guard let header = JPEGHeader(bytes), header.scanStart != nil || bytes.count < count else {
          continue
        }
        return range(in: file, JPEGFacts(header, in: bytes), bytes)
      }
      return nil
    case .heic, .avif:
      let box = ISOBoxes(file: file).boxes(0..<file.count).first { $0.type == "mpvd" }?.contents
      return checked(box, in: file) ?? checked(trailer(of: file), in: file)
    default: return nil
    }
  }

  /// Returns the bytes of the film in a JPEG, given its facts and the bytes that they were read from.
  ///
  /// The end of the file is read only if its head makes a film likely.
  package static func range(
    in file: ByteSource, _ facts: JPEGFacts, _ head: [UInt8]
  ) -> Range<Int>? {
    let words = facts.header.xmp.flatMap { MotionWords(head[$0]) }
    guard words?.isOff != true else { return nil }
    // By bytes, without a new text for each photo; 0x20 makes letters lowercase, and nothing else a letter.
    let isSamsung =
      facts.metadata.camera?.utf8.prefix(7).elementsEqual("samsung".utf8) { $0 | 0x20 == $1 }
      ?? false
    guard words != nil || isSamsung else { return nil }
    return checked(words?.range(inFileOf: file.count), in: file)
      ?? checked(trailer(of: file), in: file)
  }

  /// Returns a range if it is that of a film.
  private static func checked(_ range: Range<Int>?, in file: ByteSource) -> Range<Int>? {
    guard let range, range.lowerBound > 0, range.upperBound <= file.count,
      let first = file.bytes(
        at: range.lowerBound, count: min(range.count, ImageFormat.sniffedByteCount)),
      first.dropFirst(4).starts(with: "ftyp".utf8), ImageFormat(firstBytes: first) == .film
    else { return nil }
    return range
  }

  /// The most entries of a trailer that are read.
  private static let maxEntries = 64

  /// Returns the bytes of the block "MotionPhoto_Data" in Samsung's trailer.
  ///
  /// The file ends with a directory: `SEFH`, its version and number of entries, for each entry a type,
  /// the distance from the directory back to its block and the length of that, then the length of the
  /// directory and `SEFT`. A block has its type, the length of its name, the name, and the contents.
  private static func trailer(of file: ByteSource) -> Range<Int>? {
    guard let end = file.bytes(at: file.count - 8, count: 8), end[4...].elementsEqual("SEFT".utf8)
    else { return nil }
    let start = file.count - 8 - little(end[..<4])
    guard let head = file.bytes(at: start, count: 12), head.starts(with: "SEFH".utf8) else {
      return nil
    }
    for number in 0..<min(little(head[8...]), maxEntries) {
      guard let entry = file.bytes(at: start + 12 * (number + 1), count: 12) else { return nil }
      let (distance, length) = (little(entry[4..<8]), little(entry[8...]))
      let block = start - distance
      guard little(entry[2..<4]) == 0xa30, length <= distance,
        let name = file.bytes(at: block, count: 8).map({ little($0[4...]) }), name <= length - 8
      else { continue }
      return (block + 8 + name)..<(block + length)
    }
    return nil
  }

  private static func little(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// The properties in the XMP of a photo that describe a film in its file.
private struct MotionWords {
  /// Whether a program has switched the film off.
  private(set) var isOff = false
  /// The distance of the film's start from the end of the file, in bytes.
  private var distance: Int?
  /// The parts of the file in their order, the picture first.
  private var parts: [(semantic: [UInt8], length: Int, padding: Int)] = []

  private static let marks = ["MotionPhoto", "MicroVideo"].map { Array($0.utf8) }
  private static let maxParts = 64

  /// Reads a packet; nil if it says nothing about a film.
  ///
  /// Namespaces are not looked at: where the film is said to be, it is there or is not.
  init?(_ packet: ArraySlice<UInt8>) {
    let bytes = Array(packet)
    guard Self.marks.contains(where: bytes.hasPart) else { return nil }
    var scanner = XMLScanner(bytes)
    var element = ""
    while let token = scanner.next() {
      switch token.kind {
      case .start(let tag):
        element = Self.local(tag.name)
        if element == "Item", parts.count < Self.maxParts { parts.append(([], 0, 0)) }
        for attribute in tag.attributes {
          set(Self.local(attribute.name), bytes[attribute.value])
        }
      case .text: set(element, bytes[token.range])
      case .end: element = ""
      case .section, .comment, .instruction: break
      }
    }
  }

  private static func local(_ name: [UInt8]) -> String {
    String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self)
  }

  private mutating func set(_ property: String, _ text: ArraySlice<UInt8>) {
    let number = Int(String(decoding: text.prefix(20), as: UTF8.self))
    let last = parts.count - 1
    switch property {
    case "MotionPhoto", "MicroVideo": isOff = number == 0
    case "MicroVideoOffset": distance = number
    case "Semantic" where last >= 0: parts[last].semantic = Array(text)
    case "Length" where last >= 0: parts[last].length = number ?? 0
    case "Padding" where last >= 0: parts[last].padding = number ?? 0
    default: break
    }
  }

  /// Returns where the film is in a file of some bytes; the parts end with the file.
  func range(inFileOf count: Int) -> Range<Int>? {
    var end = count
    for part in parts.reversed() {
      guard (0...end).contains(part.length) else { return nil }
      let start = end - part.length
      if part.semantic == Self.marks[0] { return start..<end }
      guard (0...start).contains(part.padding) else { return nil }
      end = start - part.padding
    }
    guard let distance, (0...count).contains(distance) else { return nil }
    return (count - distance)..<count
  }
}
