import Geometry
import Photos

/// The JPEG previews that a camera stored in a file, with the facts needed to show them.
///
/// A raw photo is shown by its largest preview.
package struct EmbeddedPreviews {
  /// The previews, each a whole JPEG file, smallest first.
  package private(set) var previews: [Preview] = []
  /// The orientation of the previews; nil if the file does not say, so that each preview's own EXIF
  /// is used.
  package internal(set) var orientation: Orientation?
  package internal(set) var takenTime: TakenTime?
  /// Whether the photo itself is raw data of a camera's sensor.
  package internal(set) var isRaw = false

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
        take(from: start, count: count)
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

  /// Takes a JPEG file if there is one at the offset, with a size and a lossy picture.
  mutating func take(from start: Int, count: Int) {
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

/// TIFF files, and raw photos in a format based on TIFF: CR2, NEF, ARW, DNG, ORF, RW2.
extension EmbeddedPreviews {
  /// The most directories to read from a file.
  private static let maxDirectories = 32

  mutating func addPreviews(of reader: TIFFReader) {
    var pending = [reader.firstDirectory]
    var visited: Set<Int> = []
    while let offset = pending.popLast(), visited.count < Self.maxDirectories {
      guard visited.insert(offset).inserted, let directory = reader.directory(at: offset)
      else { continue }
      if visited.count == 1 { readFacts(of: directory, reader) }
      addPreviews(of: directory, reader)
      let inner = reader.numbers(directory.entries[TIFFReader.Tag.subdirectories])
      // The chain of directories is read before nested ones, because it has the small previews.
      pending += inner.reversed()
      if let next = directory.next { pending.append(next) }
    }
  }

  /// Reads the first directory: the orientation, the time, whether the photo is raw, and the maker
  /// note's preview.
  private mutating func readFacts(
    of directory: TIFFReader.Directory, _ reader: TIFFReader
  ) {
    let entries = directory.entries
    if let number = reader.number(entries[TIFFReader.Tag.orientation]) {
      orientation = Orientation(number: number)
    }
    isRaw = entries[TIFFReader.Tag.dngVersion] != nil || reader.hasMakerHeader
    guard let offset = reader.number(entries[TIFFReader.Tag.exif]),
      let exif = reader.directory(at: offset)
    else { return }
    takenTime = reader.time(exif.entries[TIFFReader.Tag.takenTime])
    if let note = exif.entries[TIFFReader.Tag.makerNote] { addPreview(ofNote: note, reader) }
  }

  private mutating func addPreviews(
    of directory: TIFFReader.Directory, _ reader: TIFFReader
  ) {
    let entries = directory.entries
    // Color filter array, and linear raw.
    if [32803, 34892].contains(reader.number(entries[TIFFReader.Tag.photometry])) {
      isRaw = true
    }
    if let whole = entries[TIFFReader.Tag.panasonicJPEG], whole.type == 7 {
      take(from: whole.offset, count: whole.byteCount)
    }
    if let range = reader.jpegRange(of: directory) {
      take(from: range.lowerBound, count: range.count)
    }
    let offsets = reader.numbers(entries[TIFFReader.Tag.stripOffsets], atMost: 2)
    let counts = reader.numbers(entries[TIFFReader.Tag.stripByteCounts], atMost: 2)
    if [6, 7].contains(reader.number(entries[TIFFReader.Tag.compression])),
      offsets.count == 1, counts.count == 1
    {
      take(from: reader.sourceOffset(of: offsets[0]), count: counts[0])
    }
  }

  /// Adds the preview in the maker note, where Nikon (in older cameras) and Olympus store it.
  private mutating func addPreview(ofNote note: TIFFReader.Entry, _ reader: TIFFReader) {
    guard let name = reader.bytes(of: note, atMost: 16) else { return }
    if name.starts(with: Array("Nikon\0".utf8)),
      let inner = reader.reader(in: note, at: 10),
      let directory = inner.directory(at: inner.firstDirectory),
      let offset = inner.number(directory.entries[0x11]),
      let range = inner.directory(at: offset).flatMap(inner.jpegRange)
    {
      take(from: range.lowerBound, count: range.count)
    }
    let heads = [(Array("OLYMPUS\0".utf8), 8), (Array("OM SYSTEM\0\0\0".utf8), 12)]
    for (head, start) in heads where name.starts(with: head) {
      guard let inner = reader.reader(in: note, orderAt: start),
        let directory = inner.directory(at: inner.firstDirectory),
        // The directory of camera settings contains the preview's offset.
        let settings = inner.directory(directory.entries[0x2020]),
        let offset = inner.number(settings.entries[0x101]),
        let count = inner.number(settings.entries[0x102])
      else { return }
      take(from: inner.sourceOffset(of: offset), count: count)
    }
  }
}

/// Canon's CR3 files, which consist of boxes (ISO/IEC 14496-12).
extension EmbeddedPreviews {
  /// The most boxes to read from one range.
  private static let maxBoxes = 64

  private struct Box {
    var kind: [UInt8]
    var contents: Range<Int>
  }

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
    take(from: box.contents.lowerBound + start, count: box.contents.count - start)
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
    if let offset, let count { take(from: offset, count: count) }
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
