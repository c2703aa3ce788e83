import PhotoGridCore

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
