import PhotoGridCore

/// Canon's CR3 files, which consist of boxes (ISO/IEC 14496-12).
extension EmbeddedPreviews {
  /// The most boxes to read from one range.
  private static let maxBoxes = 64

  /// A box: its type, and the range of its contents in the file.
  private struct Box {
    var kind: [UInt8]
    var contents: Range<Int>
  }

  /// Adds the previews in the boxes of a file.
  mutating func addPreviews(inBoxesOf source: ByteSource) {
    for box in Self.boxes(in: 0..<source.count, source) {
      switch box.kind {
      case Array("moov".utf8): addPreviews(inMovie: box, source)
      case Array("uuid".utf8):
        // A UUID and eight bytes more come before the inner boxes.
        for inner in Self.boxes(in: box.contents.dropFirst(24), source)
        where inner.kind == Array("PRVW".utf8) {
          addPreview(in: inner, source)
        }
      default: break
      }
    }
  }

  private mutating func addPreviews(inMovie movie: Box, _ source: ByteSource) {
    for box in Self.boxes(in: movie.contents, source) {
      switch box.kind {
      case Array("uuid".utf8):
        for inner in Self.boxes(in: box.contents.dropFirst(16), source) {
          if inner.kind == Array("CMT1".utf8) { readOrientation(inner, source) }
          if inner.kind == Array("CMT2".utf8) { readTime(inner, source) }
          if inner.kind == Array("THMB".utf8) { addPreview(in: inner, source) }
        }
      case Array("trak".utf8): addPreview(ofTrack: box, source)
      default: break
      }
    }
  }

  private mutating func readOrientation(_ box: Box, _ source: ByteSource) {
    guard let reader = TIFFReader(source, at: box.contents.lowerBound),
      let directory = reader.directory(at: reader.firstDirectory),
      let number = reader.number(directory.entries[TIFFReader.Tag.orientation])
    else { return }
    orientation = Orientation(number: number)
  }

  private mutating func readTime(_ box: Box, _ source: ByteSource) {
    guard let reader = TIFFReader(source, at: box.contents.lowerBound),
      let directory = reader.directory(at: reader.firstDirectory)
    else { return }
    takenTime = reader.time(directory.entries[TIFFReader.Tag.takenTime])
  }

  /// Adds a JPEG that begins within the first 32 bytes of a box, after a few numbers.
  private mutating func addPreview(in box: Box, _ source: ByteSource) {
    guard let head = source.bytes(at: box.contents.lowerBound, atMost: 32),
      let start = head.indices.first(where: { head[$0...].starts(with: [0xff, 0xd8, 0xff]) })
    else { return }
    add(from: box.contents.lowerBound + start, count: box.contents.count - start)
  }

  /// Adds the first sample of a track; in one of a file's tracks, that is a JPEG of the photo.
  private mutating func addPreview(ofTrack track: Box, _ source: ByteSource) {
    var table = track
    for kind in ["mdia", "minf", "stbl"] {
      let inner = Self.boxes(in: table.contents, source).first { $0.kind == Array(kind.utf8) }
      guard let inner else { return }
      table = inner
    }
    var (offset, count): (Int?, Int?)
    for box in Self.boxes(in: table.contents, source) {
      let start = box.contents.lowerBound
      switch box.kind {
      case Array("co64".utf8): offset = source.bigEndian(at: start + 8, bytes: 8)
      case Array("stco".utf8): offset = source.bigEndian(at: start + 8, bytes: 4)
      case Array("stsz".utf8):
        // One size for all samples, or 0 and a list of sizes.
        let common = source.bigEndian(at: start + 4, bytes: 4)
        count = common == 0 ? source.bigEndian(at: start + 12, bytes: 4) : common
      default: break
      }
    }
    if let offset, let count { add(from: offset, count: count) }
  }

  /// Reads the boxes that follow each other in a range, up to the first invalid one.
  private static func boxes(in range: Range<Int>, _ source: ByteSource) -> [Box] {
    var boxes: [Box] = []
    var offset = range.lowerBound
    while boxes.count < maxBoxes, range.upperBound - offset >= 8,
      let head = source.bytes(at: offset, count: 8)
    {
      var length = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
      var headLength = 8
      if length == 1 {
        guard let long = source.bigEndian(at: offset + 8, bytes: 8) else { break }
        (length, headLength) = (long, 16)
      } else if length == 0 {
        length = range.upperBound - offset
      }
      guard length >= headLength, length <= range.upperBound - offset else { break }
      boxes.append(
        Box(kind: Array(head[4..<8]), contents: (offset + headLength)..<(offset + length)))
      offset += length
    }
    return boxes
  }
}
