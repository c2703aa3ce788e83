import CLinux
import ImageFormats
import PhotoGridCore
import WorkerProtocol

struct DecodeTarget {
  var size: PixelSize
  var mode: ContentMode
  /// Whether a picture for the thumbnail cache is decoded too.
  var needsThumbnail = false
  /// How much memory decoding may take, in bytes, as far as headers announce it.
  var memory = Int.max

  /// The sizes in pixels to which a photo is decoded: for the picture, and for the smallest
  /// thumbnail that is not smaller than the picture.
  ///
  /// - Parameter photo: The size of the upright photo in pixels.
  /// - Returns: The sizes of the upright pictures; no thumbnail if none is needed or large enough.
  func targets(for photo: PixelSize) -> (
    picture: (width: Int, height: Int),
    thumbnail: (size: ThumbnailSize, target: (width: Int, height: Int))?
  ) {
    let picture = targetSize(of: photo, in: size, mode: mode)
    guard needsThumbnail, let size = ThumbnailSize(holding: picture) else { return (picture, nil) }
    let box = PixelSize(width: Double(size.side), height: Double(size.side))
    return (picture, (size, targetSize(of: photo, in: box, mode: .fit)))
  }
}

struct DecodedPhoto {
  var info: PhotoInfo
  var picture: Bitmap
  /// The picture for the thumbnail cache, if one was requested.
  var thumbnail: (size: ThumbnailSize, bitmap: Bitmap)?
}

/// Decodes photos that were opened for a request, each by the decoder for its format.
struct PhotoDecoder {
  private let jpeg = JPEGDecoder()
  private let animations = AnimationDecoder()
  private let films = FilmPlayer()
  /// What decoding may take for the present request.
  var allowance = DecodeProtocol.Request.Allowance()

  func describe(_ photo: DeliveredFile) throws(FailureReason) -> PhotoInfo {
    var file = try PhotoFile(photo)
    try Self.checkHeader(of: file)
    switch file.format {
    case .jpeg: return try jpeg.describe(file)
    case .raw: return try jpeg.describe(raw: file)
    case .film: return try FilmDecoder.describe(file)
    default: break
    }
    do throws(FailureReason) {
      return try VipsDecoder.describe(file)
    } catch {
      try useOtherDecoder(for: &file, after: error)
      guard var info = try? VipsDecoder.describe(file) else { throw error }
      info.isIncomplete = !error.isUnsupported
      return info
    }
  }

  /// Decodes a whole photo, scaled for a frame and turned upright.
  func decode(_ photo: DeliveredFile, _ frame: DecodeTarget) throws(FailureReason) -> DecodedPhoto {
    var file = try PhotoFile(photo)
    try Self.checkHeader(of: file)
    switch file.format {
    case .jpeg: return try jpeg.decode(file, frame)
    case .raw: return try jpeg.decode(raw: file, frame)
    case .film:
      var films = FilmDecoder()
      if let seconds = allowance.seconds { films.processorSeconds = seconds }
      return try films.decode(file, frame)
    default: break
    }
    do throws(FailureReason) {
      return try VipsDecoder.decode(file, frame)
    } catch {
      try useOtherDecoder(for: &file, after: error)
      guard var decoded = try? VipsDecoder.decode(file, frame), !decoded.picture.isBlank else {
        throw error
      }
      decoded.info.isIncomplete = !error.isUnsupported
      return decoded
    }
  }

  /// Has ImageMagick load a file that the loader for its format has failed to load.
  ///
  /// - Throws: `needsOtherDecoder` if that is possible and not allowed yet; the failure if
  ///   ImageMagick knows no more about the format.
  private func useOtherDecoder(
    for file: inout PhotoFile, after failure: FailureReason
  ) throws(FailureReason) {
    guard case .decoder = failure, VipsLoader.hasMagickFallback(file.format),
      process_is_filtered() == 1
    else { throw failure }
    guard allowance.includesOtherDecoder else { throw .needsOtherDecoder }
    file.isLoadedByMagick = true
  }

  /// The preview embedded in a photo's file, scaled for a frame and turned upright.
  ///
  /// It may show the photo before it was edited, and may be smaller than the frame needs.
  ///
  /// - Returns: Nil if the file has no preview, or none that shows the photo.
  func preview(
    _ photo: DeliveredFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> (info: PhotoInfo, picture: Bitmap)? {
    let file = try PhotoFile(photo)
    try Self.checkHeader(of: file)
    return switch file.format {
    case .jpeg: try jpeg.preview(file, frame)
    case .raw: try jpeg.preview(raw: file, frame)
    case .tiff: try preview(tiff: file, frame)
    case .heic, .avif: try VipsDecoder.preview(file, frame)
    default: nil
    }
  }

  private func preview(
    tiff file: borrowing PhotoFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> (info: PhotoInfo, picture: Bitmap)? {
    do throws(FailureReason) {
      return try jpeg.preview(file, of: try VipsDecoder.describe(file), frame)
    } catch {
      // Decoding the photo tells whether another decoder can.
      if case .decoder = error { return nil }
      throw error
    }
  }

  /// Decodes a region of a photo.
  ///
  /// - Returns: The region that the picture covers, which contains the requested one.
  func decode(
    _ photo: DeliveredFile, _ region: PhotoRegion
  ) throws(FailureReason) -> (PhotoRegion, Bitmap) {
    var file = try PhotoFile(photo)
    try Self.checkHeader(of: file)
    switch file.format {
    case .jpeg: return try jpeg.decode(file, region)
    case .raw: return try jpeg.decode(raw: file, region)
    case .film: throw .decoder("no such region")
    default: break
    }
    do throws(FailureReason) {
      return try VipsDecoder.decode(file, region)
    } catch {
      try useOtherDecoder(for: &file, after: error)
      return try VipsDecoder.decode(file, region)
    }
  }

  /// Decodes frames of an animated photo, scaled for a frame on the screen and turned upright.
  func decode(
    _ range: FrameRange, of photo: DeliveredFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> (PhotoInfo, FrameRun) {
    if let next = try films.decodeOpenFilm(range, of: photo, frame) { return next }
    let file = try PhotoFile(photo)
    try Self.checkHeader(of: file)
    if file.format != .gif, file.format != .webp, let film = try photo.film() {
      return try films.decode(range, of: photo, film, frame)
    }
    return try animations.decode(range, of: photo.name, file, frame)
  }

  /// Rejects a picture that is too large for a decoder, by the size in its header.
  static func checkHeader(of file: borrowing PhotoFile) throws(FailureReason) {
    guard let size = HeaderSize(of: file.format, firstBytes: file.firstBytes) else { return }
    try PixelLimits.check(
      width: size.width, height: size.height, format: file.format,
      needsWholePicture: size.needsWholePicture)
    try DeclaredLengths.check(MetadataReader.source(of: file), format: file.format, size: size)
  }
}

extension PhotoRegion {
  /// The most pixels of the picture of a region.
  private static let maxSamples = 64 << 20

  /// The region in the coordinates of the stored picture, before orientation.
  ///
  /// Its edges are multiples of the reduction, so it may extend beyond the right and bottom edges
  /// of the picture by less than that.
  ///
  /// - Throws: `FailureReason` if the region is outside of the photo, or too large.
  func stored(in info: PhotoInfo) throws(FailureReason) -> PhotoRegion {
    let (width, height) = (Int(info.size.width), Int(info.size.height))
    guard isInside(width: width, height: height) else { throw .decoder("no such region") }
    guard sampleSize.width <= 0xffff, sampleSize.height <= 0xffff,
      sampleSize.width * sampleSize.height <= Self.maxSamples,
      width * height <= PixelLimits.streamed
    else { throw .tooLarge(width: width, height: height) }
    let orientation = Orientation(number: info.orientation)
    var region = turned(orientation.inverse, in: (width, height))
    let (right, bottom) = (region.x + region.width, region.y + region.height)
    func down(_ position: Int) -> Int { position / reduction * reduction }
    func up(_ position: Int) -> Int { down(position + reduction - 1) }
    (region.x, region.y) = (down(region.x), down(region.y))
    (region.width, region.height) = (up(right) - region.x, up(bottom) - region.y)
    return region
  }
}

extension Bitmap {
  /// The picture scaled down to a size in pixels, each side at most the current one.
  func reduced(to target: (width: Int, height: Int)) -> Bitmap {
    guard target != (width, height) else { return self }
    return Bitmap(
      width: target.width, height: target.height,
      pixels: LanczosReduction.reduce(
        pixels, size: (width, height), to: target, orientation: .upright),
      isOpaque: isOpaque)
  }
}

extension PhotoInfo {
  /// The facts of a file and its picture, whose sides are given before orientation.
  init(
    _ file: borrowing PhotoFile, width: Int, height: Int, orientation: Orientation,
    taken: TakenTime?, isIncomplete: Bool, frameCount: Int = 1
  ) {
    let upright = orientation.turned(width: width, height: height)
    self.init(
      size: PixelSize(width: Double(upright.width), height: Double(upright.height)),
      orientation: orientation.number, format: file.format, stamp: file.stamp,
      taken: taken, isIncomplete: isIncomplete, frameCount: frameCount)
  }
}
