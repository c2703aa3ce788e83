import Photos

/// The boxes of a file in the ISO base media format, MP4 and HEIC among them (ISO/IEC 14496-12, 4.2).
struct ISOBoxes {
  typealias Box = (type: String, contents: Range<Int>)

  let file: ByteSource

  /// The most boxes that are read at one level.
  private static let maxBoxes = 1000

  /// The boxes in a range; the last one may be longer than the range.
  func boxes(_ range: Range<Int>) -> [Box] {
    var found: [Box] = []
    var offset = range.lowerBound
    while found.count < Self.maxBoxes, let box = box(at: offset, in: range) {
      found.append(box)
      offset = box.contents.upperBound
    }
    return found
  }

  /// Returns the box that begins at an offset in a range; nil if there is none.
  func box(at offset: Int, in range: Range<Int>) -> Box? {
    guard range.upperBound - offset >= 8, let head = file.bytes(at: offset, count: 8) else {
      return nil
    }
    var length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
    var start = offset + 8
    if length == 1 {
      guard let long = file.bigEndian(at: start, bytes: 8) else { return nil }
      length = long
      start += 8
    } else if length == 0 {
      length = range.upperBound - offset
    }
    guard length >= start - offset else { return nil }
    let end = length > range.upperBound - offset ? range.upperBound : offset + length
    return (String(decoding: head[4...], as: UTF8.self), start..<max(start, end))
  }
}

/// When a HEIC or AVIF says that its picture was created, in the property `crtt` (ISO/IEC 23008-12,
/// 6.5.29).
package enum HEIFDate {
  /// Reads the property, and converts it from UTC to this system's time zone; nil for a file without it.
  package static func time(in file: ByteSource) -> TakenTime? {
    let boxes = ISOBoxes(file: file)
    var range = 0..<file.count
    for type in ["meta", "iprp", "ipco", "crtt"] {
      guard let found = boxes.boxes(range).first(where: { $0.type == type })?.contents else {
        return nil
      }
      // Some begin with a version.
      let start = type == "meta" || type == "crtt" ? 4 : 0
      range = min(found.lowerBound + start, found.upperBound)..<found.upperBound
    }
    // Microseconds since 1904, in UTC.
    guard range.count >= 8, let time = file.bigEndian(at: range.lowerBound, bytes: 8) else {
      return nil
    }
    let seconds = time / 1_000_000 - FilmFacts.secondsBefore1970
    return seconds > FilmFacts.earliest ? TakenTime(localSeconds: Int64(seconds)) : nil
  }
}
