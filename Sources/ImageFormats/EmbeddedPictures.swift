import PhotoGridCore

/// The JPEG pictures that a camera put into a file beside the photo itself, and what else is needed
/// to show them.
///
/// A raw photo is shown by the largest of them; a TIFF has them as previews.
package struct EmbeddedPictures {
  /// Whole JPEG files inside of the file, the smallest first.
  package private(set) var pictures: [Picture] = []
  /// How the pictures are to be turned, where the file says so; otherwise they may say it
  /// themselves.
  package internal(set) var orientation: Orientation?
  /// When the photo was taken, where the file says so.
  package internal(set) var taken: TakenTime?
  /// Whether the photo itself is a sensor's data rather than a picture.
  package internal(set) var isRaw = false

  /// A JPEG file inside of another file.
  package struct Picture: Equatable, Sendable {
    package var bytes: Range<Int>
    /// As stored, in pixels.
    package var width: Int
    package var height: Int
  }

  /// No file has more; those of hostile ones are not all looked at.
  private static let most = 16
  /// A picture's size stands within so many of its first bytes, EXIF and profile before it.
  private static let headByteCount = 192 << 10

  private let source: ByteSource

  /// Looks for the pictures of a raw photo, or of a TIFF file; nil for anything else.
  ///
  /// Every offset is taken for a lie until there is a JPEG's head: a wrong one costs a picture.
  package init?(_ source: ByteSource) {
    self.source = source
    if let structure = TIFFStructure(source) {
      addPictures(of: structure)
      if source.bytes(at: 8, count: 2).map({ Array($0) == Array("CR".utf8) }) ?? false {
        isRaw = true
      }
    } else if source.bytes(at: 0, count: 16) == Array("FUJIFILMCCD-RAW ".utf8) {
      isRaw = true
      // Where the JPEG is, and its length, stand at fixed places.
      if let start = source.bigEndian(at: 84, bytes: 4),
        let count = source.bigEndian(at: 88, bytes: 4)
      {
        add(from: start, count: count)
      }
    } else if source.bytes(at: 4, count: 8) == Array("ftypcrx ".utf8) {
      isRaw = true
      addPictures(ofBoxesIn: source)
    } else {
      return nil
    }
    pictures.sort {
      ($0.width * $0.height, $0.bytes.count) < ($1.width * $1.height, $1.bytes.count)
    }
  }

  /// Adds what may be a JPEG file; whatever is none, or is cut, or has no lossy picture is not
  /// added.
  mutating func add(from start: Int, count: Int) {
    guard pictures.count < Self.most, count > 0, start > 0, start < source.count,
      let head = source.bytes(at: start, atMost: min(count, Self.headByteCount)),
      head.starts(with: [0xff, 0xd8, 0xff]), let header = JPEGHeader(head), !header.isLossless,
      header.width > 0, header.height > 0
    else { return }
    // A picture that is cut short is decoded as far as it goes.
    let end = start + min(count, source.count - start)
    guard !pictures.contains(where: { $0.bytes.lowerBound == start }) else { return }
    pictures.append(Picture(bytes: start..<end, width: header.width, height: header.height))
  }
}
