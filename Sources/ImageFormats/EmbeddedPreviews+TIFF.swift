import PhotoGridCore

/// TIFF files, and raw photos in a format based on TIFF: CR2, NEF, ARW, DNG, ORF, RW2.
extension EmbeddedPreviews {
  /// The most directories to read from a file.
  private static let maxDirectories = 32

  /// Adds the previews of all directories, nested ones included.
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
    guard let place = reader.number(entries[TIFFReader.Tag.exif]),
      let exif = reader.directory(at: place)
    else { return }
    takenTime = reader.time(exif.entries[TIFFReader.Tag.takenTime])
    if let note = exif.entries[TIFFReader.Tag.makerNote] { addPreview(ofNote: note, reader) }
  }

  private mutating func addPreviews(
    of directory: TIFFReader.Directory, _ reader: TIFFReader
  ) {
    let entries = directory.entries
    // Colour filter array, and linear raw.
    if [32803, 34892].contains(reader.number(entries[TIFFReader.Tag.photometry])) {
      isRaw = true
    }
    if let whole = entries[TIFFReader.Tag.panasonicJPEG], whole.type == 7 {
      add(from: whole.offset, count: whole.byteCount)
    }
    if let range = reader.jpegRange(of: directory) {
      add(from: range.lowerBound, count: range.count)
    }
    let offsets = reader.numbers(entries[TIFFReader.Tag.stripOffsets], atMost: 2)
    let counts = reader.numbers(entries[TIFFReader.Tag.stripByteCounts], atMost: 2)
    if [6, 7].contains(reader.number(entries[TIFFReader.Tag.compression])),
      offsets.count == 1, counts.count == 1
    {
      add(from: reader.sourceOffset(of: offsets[0]), count: counts[0])
    }
  }

  /// Adds the preview in the maker note, where Nikon (in older cameras) and Olympus store it.
  private mutating func addPreview(ofNote note: TIFFReader.Entry, _ reader: TIFFReader) {
    guard let name = reader.bytes(of: note, atMost: 16) else { return }
    if name.starts(with: Array("Nikon\0".utf8)),
      let inner = reader.reader(in: note, at: 10),
      let directory = inner.directory(at: inner.firstDirectory),
      let place = inner.number(directory.entries[0x11]),
      let range = inner.directory(at: place).flatMap(inner.jpegRange)
    {
      add(from: range.lowerBound, count: range.count)
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
      add(from: inner.sourceOffset(of: offset), count: count)
    }
  }
}
