import CLittleCMS
import ImageFormats
import Photos
import WorkerProtocol

/// Reads the metadata of photos: camera, exposure, place and profile.
struct MetadataReader {
  func read(_ photo: DeliveredFile) throws(FailureReason) -> PhotoMetadata {
    let file = try PhotoFile(photo)
    try PhotoDecoder.checkHeader(of: file)
    var metadata =
      switch file.format {
      case .jpeg: try Self.read(jpeg: try JPEGDecoder.head(of: file), sidecar: file.sidecar)
      case .raw: try Self.read(raw: file)
      case .film: try FilmDecoder.describe(file).metadata ?? PhotoMetadata()
      default: Self.metadata(of: file, try VipsDecoder.load(file))
      }
    metadata.film = photo.delivery.film
    if let range = EmbeddedFilm.range(in: Self.source(of: file), format: file.format) {
      metadata.filmLength = try? FilmFacts(Self.source(of: file).part(range)).length
    }
    return metadata
  }

  private static func read(
    jpeg bytes: [UInt8], sidecar: XMPFacts
  ) throws(FailureReason) -> PhotoMetadata {
    guard let header = JPEGHeader(bytes) else { throw .decoder("no image header") }
    return metadata(of: bytes, JPEGFacts(header, in: bytes, sidecar: sidecar))
  }

  /// Returns the metadata of a JPEG file from its facts and the bytes that they were read from.
  static func metadata(of bytes: [UInt8], _ facts: JPEGFacts) -> PhotoMetadata {
    let profile = facts.header.profileParts.reduce(into: []) { $0 += bytes[$1] }
    return adding(profile, to: facts.metadata)
  }

  /// Returns the metadata of a file whose first page or frame was loaded.
  static func metadata(of file: borrowing PhotoFile, _ image: Image) -> PhotoMetadata {
    var own = PhotoMetadata(directories(of: file, image))
    own.words = written(file, image).words
    return adding(image.profile, to: own)
  }

  private static func directories(
    of file: borrowing PhotoFile, _ image: Image
  ) -> ExifDirectories? {
    ExifDirectories(
      file.format == .tiff ? TIFFReader(source(of: file)) : TIFFReader(exif: image.exif ?? []))
  }

  /// Reads the metadata from a raw photo's own directories, or else from its largest picture.
  static func read(raw file: borrowing PhotoFile) throws(FailureReason) -> PhotoMetadata {
    var own = PhotoMetadata(TIFFReader(source(of: file)))
    let words = written(raw: file).words
    if own == PhotoMetadata(), let picture = file.embedded?.previews.last {
      let bytes = try PhotoFile.read(
        file.descriptor, count: picture.bytes.count, from: picture.bytes.lowerBound)
      own = try read(jpeg: bytes, sidecar: file.sidecar)
    }
    own.words = words ?? own.words
    return own
  }

  /// Returns what a file besides EXIF, and its sidecar, say; its first page or frame was loaded.
  static func written(_ file: borrowing PhotoFile, _ image: Image) -> WrittenFacts {
    var written = WrittenFacts()
    written.sidecar = file.sidecar
    written.xmp = image.xmp.map { XMPFacts($0) } ?? XMPFacts()
    written.iptc = image.iptc.map { IPTCFacts($0[...]) } ?? IPTCFacts()
    written.exif = ExifWords(directories(of: file, image))
    if file.format == .png { written.text = PNGDate.time(in: source(of: file)) }
    if file.format == .heic || file.format == .avif {
      written.property = HEIFDate.time(in: source(of: file))
    }
    return written
  }

  /// Returns what the directories of a raw photo besides EXIF, and its sidecar, say.
  static func written(raw file: borrowing PhotoFile) -> WrittenFacts {
    var written = WrittenFacts()
    written.sidecar = file.sidecar
    guard let directories = ExifDirectories(TIFFReader(source(of: file))) else { return written }
    let (reader, entries) = (directories.reader, directories.main.entries)
    func contents(_ tag: UInt16) -> [UInt8]? {
      reader.contents(entries[tag], atMost: XMPFacts.maxBytes)
    }
    if let packet = contents(TIFFReader.Tag.xmp) { written.xmp = XMPFacts(packet) }
    if let records = contents(TIFFReader.Tag.iptc) { written.iptc = IPTCFacts(records[...]) }
    written.exif = ExifWords(directories)
    return written
  }

  /// Returns a source that reads ranges of a file's bytes on demand.
  static func source(of file: borrowing PhotoFile) -> ByteSource {
    let descriptor = file.descriptor
    return ByteSource(count: file.byteCount) { range in
      try? PhotoFile.read(descriptor, count: range.count, from: range.lowerBound)
    }
  }

  /// Returns metadata with the name of the embedded profile, which takes precedence over EXIF.
  private static func adding(_ profile: [UInt8]?, to metadata: PhotoMetadata) -> PhotoMetadata {
    guard let profile, !profile.isEmpty else { return metadata }
    var result = metadata
    result.profile = name(of: profile) ?? "an unnamed profile"
    return result
  }

  private static func name(of profile: [UInt8]) -> String? {
    let opened = profile.withUnsafeBytes {
      cmsOpenProfileFromMem($0.baseAddress, UInt32($0.count))
    }
    guard let opened else { return "a corrupt profile" }
    defer { cmsCloseProfile(opened) }
    var text = [CChar](repeating: 0, count: 512)
    let count = cmsGetProfileInfoASCII(
      opened, cmsInfoDescription, "en", "US", &text, UInt32(text.count))
    return PhotoMetadata.text(text.prefix(Int(count)).map { UInt8(bitPattern: $0) })
  }
}
