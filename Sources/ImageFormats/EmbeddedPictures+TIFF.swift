import PhotoGridCore

/// Raw photos that are made like TIFF files: CR2, NEF, ARW, DNG, ORF, RW2; and TIFF files.
extension EmbeddedPictures {
  /// No camera writes more directories than this.
  private static let mostDirectories = 32

  /// Walks all directories, those inside of others too, each once.
  mutating func addPictures(of structure: TIFFStructure) {
    var pending = [structure.firstDirectory]
    var visited: Set<Int> = []
    while let offset = pending.popLast(), visited.count < Self.mostDirectories {
      guard visited.insert(offset).inserted, let directory = structure.directory(at: offset)
      else { continue }
      if visited.count == 1 { readFacts(of: directory, structure) }
      addPictures(of: directory, structure)
      let inner = structure.numbers(directory.entries[TIFFStructure.Tag.subdirectories])
      // The chain first: that is where the small pictures are.
      pending += inner.reversed()
      if let next = directory.next { pending.append(next) }
    }
  }

  private mutating func readFacts(
    of directory: TIFFStructure.Directory, _ structure: TIFFStructure
  ) {
    let entries = directory.entries
    if let number = structure.number(entries[TIFFStructure.Tag.orientation]) {
      orientation = Orientation(number: number)
    }
    isRaw = entries[TIFFStructure.Tag.dngVersion] != nil || structure.isCameraOwn
    guard let place = structure.number(entries[TIFFStructure.Tag.exif]),
      let exif = structure.directory(at: place)
    else { return }
    taken = structure.time(exif.entries[TIFFStructure.Tag.takenTime])
    if let note = exif.entries[TIFFStructure.Tag.makerNote] { addPicture(ofNote: note, structure) }
  }

  private mutating func addPictures(
    of directory: TIFFStructure.Directory, _ structure: TIFFStructure
  ) {
    let entries = directory.entries
    // Colour filter array, and linear raw.
    if [32803, 34892].contains(structure.number(entries[TIFFStructure.Tag.photometry])) {
      isRaw = true
    }
    if let whole = entries[TIFFStructure.Tag.panasonicJPEG], whole.type == 7 {
      add(from: whole.place, count: whole.byteCount)
    }
    if let range = structure.jpegRange(of: directory) {
      add(from: range.lowerBound, count: range.count)
    }
    let offsets = structure.numbers(entries[TIFFStructure.Tag.stripOffsets], atMost: 2)
    let counts = structure.numbers(entries[TIFFStructure.Tag.stripByteCounts], atMost: 2)
    if [6, 7].contains(structure.number(entries[TIFFStructure.Tag.compression])),
      offsets.count == 1, counts.count == 1
    {
      add(from: structure.place(of: offsets[0]), count: counts[0])
    }
  }

  /// Two makers keep the preview in their note: Nikon, in older cameras, and Olympus.
  private mutating func addPicture(ofNote note: TIFFStructure.Entry, _ structure: TIFFStructure) {
    guard let name = structure.bytes(of: note, atMost: 16) else { return }
    if name.starts(with: Array("Nikon\0".utf8)),
      let inner = structure.structure(inside: note, at: 10),
      let directory = inner.directory(at: inner.firstDirectory),
      let place = inner.number(directory.entries[0x11]),
      let range = inner.directory(at: place).flatMap(inner.jpegRange)
    {
      add(from: range.lowerBound, count: range.count)
    }
    let heads = [(Array("OLYMPUS\0".utf8), 8), (Array("OM SYSTEM\0\0\0".utf8), 12)]
    for (head, start) in heads where name.starts(with: head) {
      guard let inner = structure.structure(inside: note, orderAt: start),
        let directory = inner.directory(at: inner.firstDirectory),
        // The settings of the camera, and in them where the preview is.
        let settings = inner.directory(directory.entries[0x2020]),
        let offset = inner.number(settings.entries[0x101]),
        let count = inner.number(settings.entries[0x102])
      else { return }
      add(from: inner.place(of: offset), count: count)
    }
  }
}
