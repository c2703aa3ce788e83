import PhotoGridCore

/// Canon's CR3, which is made of boxes (ISO/IEC 14496-12).
extension EmbeddedPictures {
  /// No level of the boxes has more that matter.
  private static let mostBoxes = 64

  /// A box's kind, and where its contents are.
  private struct Box {
    var kind: [UInt8]
    var contents: Range<Int>
  }

  mutating func addPictures(ofBoxesIn source: ByteSource) {
    for box in Self.boxes(in: 0..<source.count, source) {
      switch box.kind {
      case Array("moov".utf8): addPictures(ofMovie: box, source)
      case Array("uuid".utf8):
        // The identity of the box, and eight bytes more.
        for inner in Self.boxes(in: box.contents.dropFirst(24), source)
        where inner.kind == Array("PRVW".utf8) {
          addPicture(near: inner, source)
        }
      default: break
      }
    }
  }

  private mutating func addPictures(ofMovie movie: Box, _ source: ByteSource) {
    for box in Self.boxes(in: movie.contents, source) {
      switch box.kind {
      case Array("uuid".utf8):
        for inner in Self.boxes(in: box.contents.dropFirst(16), source) {
          if inner.kind == Array("CMT1".utf8) { readOrientation(inner, source) }
          if inner.kind == Array("CMT2".utf8) { readTime(inner, source) }
          if inner.kind == Array("THMB".utf8) { addPicture(near: inner, source) }
        }
      case Array("trak".utf8): addPicture(ofTrack: box, source)
      default: break
      }
    }
  }

  private mutating func readOrientation(_ box: Box, _ source: ByteSource) {
    guard let structure = TIFFStructure(source, at: box.contents.lowerBound),
      let directory = structure.directory(at: structure.firstDirectory),
      let number = structure.number(directory.entries[TIFFStructure.Tag.orientation])
    else { return }
    orientation = Orientation(number: number)
  }

  private mutating func readTime(_ box: Box, _ source: ByteSource) {
    guard let structure = TIFFStructure(source, at: box.contents.lowerBound),
      let directory = structure.directory(at: structure.firstDirectory)
    else { return }
    taken = structure.time(directory.entries[TIFFStructure.Tag.takenTime])
  }

  /// A picture that begins after a few numbers.
  private mutating func addPicture(near box: Box, _ source: ByteSource) {
    guard let head = source.bytes(at: box.contents.lowerBound, atMost: 32),
      let start = head.indices.first(where: { head[$0...].starts(with: [0xff, 0xd8, 0xff]) })
    else { return }
    add(from: box.contents.lowerBound + start, count: box.contents.count - start)
  }

  /// The first sample of a track: one track's is the whole picture as a JPEG.
  private mutating func addPicture(ofTrack track: Box, _ source: ByteSource) {
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
        // One size for all, or a list of them.
        let common = source.bigEndian(at: start + 4, bytes: 4)
        count = common == 0 ? source.bigEndian(at: start + 12, bytes: 4) : common
      default: break
      }
    }
    if let offset, let count { add(from: offset, count: count) }
  }

  /// The boxes that follow each other in a range, as far as they make sense.
  private static func boxes(in range: Range<Int>, _ source: ByteSource) -> [Box] {
    var boxes: [Box] = []
    var place = range.lowerBound
    while boxes.count < mostBoxes, range.upperBound - place >= 8,
      let head = source.bytes(at: place, count: 8)
    {
      var length = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
      var headLength = 8
      if length == 1 {
        guard let long = source.bigEndian(at: place + 8, bytes: 8) else { break }
        (length, headLength) = (long, 16)
      } else if length == 0 {
        length = range.upperBound - place
      }
      guard length >= headLength, length <= range.upperBound - place else { break }
      boxes.append(Box(kind: Array(head[4..<8]), contents: (place + headLength)..<(place + length)))
      place += length
    }
    return boxes
  }
}
