import Photos

/// The facts in the IPTC records of a photo (IPTC-NAA Information Interchange Model, 4.2).
package struct IPTCFacts: Equatable, Sendable {
  package private(set) var taken: TakenTime?
  package private(set) var title: [UInt8]?
  package private(set) var caption: [UInt8]?
  package private(set) var keywords: [[UInt8]] = []

  package init() {}

  package init(_ records: ArraySlice<UInt8>) {
    var (date, time): ([UInt8], [UInt8]) = ([], [])
    var rest = records
    while rest.count >= 5, rest.removeFirst() == 0x1c {
      let tag = (rest.removeFirst(), rest.removeFirst())
      let count = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
      // Larger ones, which have a longer length, are pictures.
      guard count < 0x8000, count <= rest.count else { break }
      let value = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      switch tag {
      case (2, 5): title = title ?? value
      case (2, 25): keywords.append(value)
      case (2, 55): date = value
      case (2, 60): time = value
      case (2, 120): caption = caption ?? value
      default: break
      }
    }
    // The record 1:90 that says UTF-8 is missing where it would be right, and is there where it is not.
    title = title.map(MetadataText.undeclared)
    caption = caption.map(MetadataText.undeclared)
    keywords = keywords.map(MetadataText.undeclared)
    taken = Self.time(date, time)
    taken?.source = .iptc
  }

  /// Reads "20190704" and "101112+0200"; a day, or a month and a day, that is not known is zero.
  private static func time(_ date: [UInt8], _ time: [UInt8]) -> TakenTime? {
    guard date.count == 8, date.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return TakenTime(iso8601: date)
    }
    var text = date[..<4] + [0x2d] + date[4..<6] + [0x2d] + date[6...]
    // There is no time of a day that is not known.
    if time.count >= 6, !date[6...].elementsEqual("00".utf8) {
      text += [0x54] + time[..<2] + [0x3a] + time[2..<4] + [0x3a] + time[4...]
    }
    return TakenTime(iso8601: Array(text))
  }

  /// Returns the range of the records in the contents of Photoshop's segment of a JPEG, after
  /// "Photoshop 3.0" and a zero; nil if there are none.
  static func range(inResources resources: ArraySlice<UInt8>) -> Range<Int>? {
    var start = resources.startIndex
    while resources.endIndex - start >= 12,
      resources[start..<(start + 4)].elementsEqual("8BIM".utf8)
    {
      let id = Int(resources[start + 4]) << 8 | Int(resources[start + 5])
      // A name with its length in front, padded to an even number of bytes.
      let name = start + 6 + (Int(resources[start + 6]) + 2) / 2 * 2
      guard resources.endIndex - name >= 4 else { return nil }
      let count = resources[name..<(name + 4)].reduce(0) { $0 << 8 | Int($1) }
      let first = name + 4
      guard count <= resources.endIndex - first else { return nil }
      if id == 0x0404 { return first..<(first + count) }
      start = first + (count + 1) / 2 * 2
      guard start <= resources.endIndex else { return nil }
    }
    return nil
  }
}
