import ImageFormats
import PhotoGridCore
import WorkerProtocol

/// Previews that are embedded in files.
extension JPEGDecoder {
  /// The numbers of bytes to read from the start of a file, the second if the first is too small:
  /// the facts and the EXIF thumbnail precede the photo itself.
  private static let headByteCounts = [64 << 10, 256 << 10]
  /// The most pixels of a preview with black bars, which is decoded as a whole to check them.
  private static let maxPixelsWithBars = 1 << 20

  /// Returns the EXIF thumbnail of a JPEG file, scaled for a frame; nil if it has none that shows
  /// the photo.
  func preview(
    _ file: borrowing PhotoFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> (info: PhotoInfo, picture: Bitmap)? {
    for count in Self.headByteCounts {
      let head = try PhotoFile.read(file.descriptor, count: count, from: 0)
      guard let header = JPEGHeader(head) else { continue }
      guard let exif = header.exif, let range = ExifThumbnail.range(in: head, exif: exif) else {
        return nil
      }
      let info = describe(file, header, head)
      let profile = header.profileParts.reduce(into: []) { $0 += head[$1] }
      let photo = (width: header.width, height: header.height)
      return fitted(Array(head[range]), to: photo, info, frame, profile).map { (info, $0) }
    }
    return nil
  }

  /// Returns the smallest picture embedded in a file that is as large as a frame needs, or else the
  /// largest; nil if there is none that shows the photo.
  func preview(
    _ file: borrowing PhotoFile, of info: PhotoInfo, _ frame: DecodeTarget
  ) throws(FailureReason) -> (info: PhotoInfo, picture: Bitmap)? {
    try preview(file, of: info, frame, among: file.embedded?.previews ?? [])
  }

  private func preview(
    _ file: borrowing PhotoFile, of info: PhotoInfo, _ frame: DecodeTarget,
    among pictures: some Sequence<EmbeddedPreviews.Preview>
  ) throws(FailureReason) -> (info: PhotoInfo, picture: Bitmap)? {
    let orientation = Orientation(number: info.orientation)
    let photo = orientation.turned(width: Int(info.size.width), height: Int(info.size.height))
    let target = frame.targets(for: info.size).picture
    let wanted = orientation.turned(width: target.width, height: target.height)
    let fitting = pictures.filter {
      PreviewFit.crop(of: ($0.width, $0.height), photo: photo) != nil
    }
    let chosen = fitting.first { $0.width >= wanted.width && $0.height >= wanted.height }
    guard let picture = chosen ?? fitting.last else { return nil }
    let bytes = try PhotoFile.read(
      file.descriptor, count: picture.bytes.count, from: picture.bytes.lowerBound)
    return fitted(bytes, to: photo, info, frame, []).map { (info, $0) }
  }

  /// Returns the picture of a JPEG file in memory, without black bars, scaled for a frame and
  /// turned upright; nil if it does not show the photo or is damaged.
  ///
  /// The sides of the photo are those before orientation.
  private func fitted(
    _ bytes: [UInt8], to photo: (width: Int, height: Int), _ info: PhotoInfo, _ frame: DecodeTarget,
    _ profile: [UInt8]
  ) -> Bitmap? {
    guard let header = JPEGHeader(bytes), !header.isLossless,
      let part = PreviewFit.crop(of: (header.width, header.height), photo: photo)
    else { return nil }
    let orientation = Orientation(number: info.orientation)
    let target = frame.targets(for: info.size).picture
    if part.width == header.width, part.height == header.height {
      let pictures = try? pictures(
        bytes, header, orientation, uprightSizes: [target], profile: profile)
      return pictures.flatMap { $0.isIncomplete ? nil : $0.bitmaps[0] }
    }
    let whole = (width: header.width, height: header.height)
    guard whole.width * whole.height <= Self.maxPixelsWithBars,
      let pictures = try? pictures(
        bytes, header, .upright, uprightSizes: [whole], profile: profile),
      !pictures.isIncomplete
    else { return nil }
    let pixels = pictures.bitmaps[0].pixels
    guard
      PreviewFit.areBarsBlack(around: part, of: pixels, width: whole.width, height: whole.height)
    else { return nil }
    let rows = (part.y..<(part.y + part.height)).flatMap { y in
      let start = (y * whole.width + part.x) * 4
      return pixels[start..<(start + part.width * 4)]
    }
    let wanted = orientation.turned(width: target.width, height: target.height)
    let size = (width: min(wanted.width, part.width), height: min(wanted.height, part.height))
    let upright = orientation.turned(width: size.width, height: size.height)
    return Bitmap(
      width: upright.width, height: upright.height,
      pixels: LanczosReduction.reduce(
        rows, size: (part.width, part.height), to: size, orientation: orientation),
      isOpaque: true)
  }
}

/// Raw photos, which are shown by the largest picture embedded in them.
extension JPEGDecoder {
  /// Returns the facts of a raw photo, from its largest picture and from the file around it.
  func describe(raw file: borrowing PhotoFile) throws(FailureReason) -> PhotoInfo {
    var info = try largestPicture(of: file).info
    info.metadata = (try? MetadataReader.read(raw: file)) ?? PhotoMetadata()
    return info
  }

  /// Decodes the largest picture, scaled for a frame and turned upright.
  func decode(
    raw file: borrowing PhotoFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> DecodedPhoto {
    let (bytes, header, info) = try largestPicture(of: file)
    return try decode(bytes, header, info, frame)
  }

  /// Decodes a region of the largest picture.
  ///
  /// - Returns: The region that the picture covers, and the picture.
  func decode(
    raw file: borrowing PhotoFile, _ region: PhotoRegion
  ) throws(FailureReason) -> (PhotoRegion, Bitmap) {
    let (bytes, header, info) = try largestPicture(of: file)
    return try decode(bytes, header, info, region)
  }

  /// Returns a preview that is smaller than the picture by which the photo is shown; nil if there
  /// is none.
  func preview(
    raw file: borrowing PhotoFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> (info: PhotoInfo, picture: Bitmap)? {
    guard let smaller = file.embedded?.previews.dropLast(), !smaller.isEmpty else { return nil }
    return try preview(file, of: try describe(raw: file), frame, among: smaller)
  }

  private func largestPicture(
    of file: borrowing PhotoFile
  ) throws(FailureReason) -> (bytes: [UInt8], header: JPEGHeader, info: PhotoInfo) {
    guard let embedded = file.embedded, let largest = embedded.previews.last else {
      throw .decoder("raw photo without a preview")
    }
    let bytes = try PhotoFile.read(
      file.descriptor, count: largest.bytes.count, from: largest.bytes.lowerBound)
    let (header, exif) = try facts(of: bytes)
    let info = PhotoInfo(
      file, width: header.width, height: header.height,
      orientation: embedded.orientation ?? exif.orientation,
      taken: MetadataReader.written(raw: file).taken(
        embedded.takenTime ?? exif.taken, latest: PhotoFile.latestDay), isIncomplete: false)
    return (bytes, header, info)
  }
}
