import CLittleCMS
import ImageFormats
import PhotoGridCore
import WorkerProtocol

/// Reads the metadata of photos: camera, exposure, place and profile.
struct MetadataReader {
  /// Reads the metadata of a photo; missing or damaged fields stay nil.
  func read(_ photo: DeliveredFile) throws(FailureReason) -> PhotoMetadata {
    let file = try PhotoFile(photo)
    try PhotoDecoder.checkHeader(of: file)
    switch file.format {
    case .jpeg:
      return try Self.read(jpeg: try JPEGDecoder.head(of: file))
    case .raw:
      return try Self.read(raw: file)
    default:
      return Self.metadata(of: file, try VipsDecoder.load(file))
    }
  }

  private static func read(jpeg bytes: [UInt8]) throws(FailureReason) -> PhotoMetadata {
    guard let header = JPEGHeader(bytes) else { throw .decoder("no image header") }
    return metadata(of: bytes, JPEGFacts(header, in: bytes))
  }

  /// Returns the metadata of a JPEG file from its facts and the bytes that they were read from.
  static func metadata(of bytes: [UInt8], _ facts: JPEGFacts) -> PhotoMetadata {
    let profile = facts.header.profileParts.reduce(into: []) { $0 += bytes[$1] }
    return adding(profile, to: facts.metadata)
  }

  /// Returns the metadata of a file whose first page or frame was loaded.
  static func metadata(of file: borrowing PhotoFile, _ image: Image) -> PhotoMetadata {
    let own =
      file.format == .tiff
      ? PhotoMetadata(TIFFReader(source(of: file))) : PhotoMetadata(exif: image.exif ?? [])
    return adding(image.profile, to: own)
  }

  /// Reads the metadata from a raw photo's own directories, or else from its largest picture.
  static func read(raw file: borrowing PhotoFile) throws(FailureReason) -> PhotoMetadata {
    let own = PhotoMetadata(TIFFReader(source(of: file)))
    guard own == PhotoMetadata(), let picture = file.embedded?.previews.last else { return own }
    let bytes = try PhotoFile.read(
      file.descriptor, count: picture.bytes.count, from: picture.bytes.lowerBound)
    return try read(jpeg: bytes)
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
    result.profile = name(of: profile) ?? "a profile without a name"
    return result
  }

  private static func name(of profile: [UInt8]) -> String? {
    let opened = profile.withUnsafeBytes {
      cmsOpenProfileFromMem($0.baseAddress, UInt32($0.count))
    }
    guard let opened else { return "a broken profile" }
    defer { cmsCloseProfile(opened) }
    var text = [CChar](repeating: 0, count: 512)
    let count = cmsGetProfileInfoASCII(
      opened, cmsInfoDescription, "en", "US", &text, UInt32(text.count))
    return PhotoMetadata.text(text.prefix(Int(count)).map { UInt8(bitPattern: $0) })
  }
}
