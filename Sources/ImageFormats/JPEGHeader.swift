import Glibc

/// What stands in a JPEG file before its first scan (ITU-T T.81, annex B).
package struct JPEGHeader: Equatable, Sendable {
  /// As stored, before orientation, in pixels.
  package var width: Int
  package var height: Int
  /// 1 is gray, 3 colour, 4 CMYK or YCCK.
  package var components: Int
  package var isProgressive: Bool
  /// Whether it is a sensor's data rather than a picture that JPEG decoders show.
  package var isLossless: Bool
  /// Where the first EXIF segment's contents are, "Exif" and two zeros included.
  package var exif: Range<Int>?
  /// Where the parts of the ICC profile are, in the order of their numbers; empty if there is none
  /// or a part is missing.
  package var profileParts: [Range<Int>] = []
  /// Where the first scan's compressed data begins; nil if the file ends before.
  package var scanStart: Int?

  /// Walks the segments of a file; nil where no frame header is found.
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
  private static let profileName = Array("ICC_PROFILE\0".utf8)

  /// The profile's parts in order, if each number from 1 to the count is there (ICC.1, annex B.4).
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

/// The marker segments of a JPEG file, one after the other, without the scans' data between them.
package struct JPEGSegments {
  private let file: [UInt8]
  private var place = 2
  /// Where the end of the image is marked, once the walk has come there.
  package private(set) var endOfImage: Int?

  /// The segments of a file that begins with SOI.
  package init(_ file: [UInt8]) { self.file = file }

  /// A marker, and where its contents are, without the two bytes of length.
  package struct Segment: Equatable, Sendable {
    package var marker: UInt8
    package var contents: Range<Int>
  }

  /// The next segment that is all there; nil at the end of the image or of the file.
  ///
  /// Bytes that are not in a segment are skipped, as libjpeg does.
  package mutating func next() -> Segment? {
    while let found = nextMarker() {
      place = found
      let marker = file[place + 1]
      place += 2
      switch marker {
      // TEM, RST and SOI stand alone.
      case 0x01, 0xd0...0xd8:
        continue
      case 0xd9:
        endOfImage = found
        place = file.count
        return nil
      default:
        guard place + 2 <= file.count else { return nil }
        // A length below its own two bytes is wrong; libjpeg takes it for an empty segment too.
        let length = max(2, Int(file[place]) << 8 | Int(file[place + 1]))
        guard place + length <= file.count else { return nil }
        defer { place += length }
        return Segment(marker: marker, contents: (place + 2)..<(place + length))
      }
    }
    return nil
  }

  /// The next byte of 255 that is followed by a marker's number.
  private func nextMarker() -> Int? {
    file.withUnsafeBytes { bytes in
      var place = place
      while place + 1 < bytes.count {
        guard let base = bytes.baseAddress,
          let found = memchr(base + place, 0xff, bytes.count - 1 - place)
        else { return nil }
        place = base.distance(to: UnsafeRawPointer(found))
        let number = bytes[place + 1]
        if number != 0xff, number != 0 { return place }
        place += 1
      }
      return nil
    }
  }
}
