import PhotoGridCore

/// The JPEG previews that a camera stored in a file, with the facts needed to show them.
///
/// A raw photo is shown by its largest preview.
package struct EmbeddedPreviews {
  /// The previews, each a whole JPEG file, smallest first.
  package private(set) var previews: [Preview] = []
  /// The orientation of the previews; nil if the file does not say, so that each preview's own EXIF
  /// is used.
  package internal(set) var orientation: Orientation?
  /// When the photo was taken; nil if the file does not say.
  package internal(set) var takenTime: TakenTime?
  /// Whether the photo itself is raw data of a camera's sensor.
  package internal(set) var isRaw = false

  /// A JPEG file within another file.
  package struct Preview: Equatable, Sendable {
    /// The range of its bytes in the other file.
    package var bytes: Range<Int>
    /// Its width as stored, in pixels.
    package var width: Int
    /// Its height as stored, in pixels.
    package var height: Int
  }

  /// The most previews to find in a file.
  private static let maxCount = 16
  /// The number of bytes of a preview to read for its size, which follows EXIF and profile.
  private static let headByteCount = 192 << 10

  private let source: ByteSource

  /// Finds the previews of a raw photo or a TIFF file; nil for any other file.
  ///
  /// An offset is ignored unless a JPEG's header is there, so a wrong offset only means that a
  /// preview is missing.
  package init?(_ source: ByteSource) {
    self.source = source
    if let reader = TIFFReader(source) {
      addPreviews(of: reader)
      if source.bytes(at: 8, count: 2).map({ Array($0) == Array("CR".utf8) }) ?? false {
        isRaw = true
      }
    } else if source.bytes(at: 0, count: 16) == Array("FUJIFILMCCD-RAW ".utf8) {
      isRaw = true
      // The header has the JPEG's offset and length in fixed places.
      if let start = source.bigEndian(at: 84, bytes: 4),
        let count = source.bigEndian(at: 88, bytes: 4)
      {
        add(from: start, count: count)
      }
    } else if source.bytes(at: 4, count: 8) == Array("ftypcrx ".utf8) {
      isRaw = true
      addPreviews(inBoxesOf: source)
    } else {
      return nil
    }
    previews.sort {
      ($0.width * $0.height, $0.bytes.count) < ($1.width * $1.height, $1.bytes.count)
    }
  }

  /// Adds a JPEG file if there is one at the offset, with a size and a lossy picture.
  mutating func add(from start: Int, count: Int) {
    guard previews.count < Self.maxCount, count > 0, start > 0, start < source.count,
      let head = source.bytes(at: start, atMost: min(count, Self.headByteCount)),
      head.starts(with: [0xff, 0xd8, 0xff]), let header = JPEGHeader(head), !header.isLossless,
      header.width > 0, header.height > 0
    else { return }
    // A truncated preview is decoded as far as it goes.
    let end = start + min(count, source.count - start)
    guard !previews.contains(where: { $0.bytes.lowerBound == start }) else { return }
    previews.append(Preview(bytes: start..<end, width: header.width, height: header.height))
  }
}
