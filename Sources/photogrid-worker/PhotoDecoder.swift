import CLinux
import Geometry
import ImageFormats
import Photos
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
  ///
  /// Other programs, which share the cache, do not know of sidecars: it has the orientation in the
  /// file, as `info` does before the photo is turned.
  var thumbnail: (size: ThumbnailSize, bitmap: Bitmap)?
  /// How the photo was turned after it was decoded.
  var turn = Orientation.upright
}

/// Decodes photos that were opened for a request, each by the decoder for its format.
struct PhotoDecoder {
  private let jpeg = JPEGDecoder()
  private let frames = FrameDecoder()
  /// The resources that decoding may take for the present request.
  var allowance = DecodeProtocol.Request.Allowance()

  /// A picture of a photo that needed no decoding of the whole photo.
  struct Preview {
    var info: PhotoInfo
    /// A picture of at most the size that was requested.
    var picture: Bitmap
    /// Whether decoding the photo would give the same picture.
    var isFinal: Bool
  }

  func describe(_ photo: DeliveredFile) throws(FailureReason) -> PhotoInfo {
    let info = try describeFile(photo)
    return info.turned(turn(of: photo, info))
  }

  /// The facts of a photo, with the orientation in its file.
  func describeFile(_ photo: DeliveredFile) throws(FailureReason) -> PhotoInfo {
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
      try Self.useOtherDecoder(for: &file, after: error)
      guard var info = try? VipsDecoder.describe(file) else { throw error }
      info.isIncomplete = !error.isUnsupported
      return info
    }
  }

  /// Decodes a whole photo, scaled for a frame and turned upright, and a thumbnail if one can be
  /// stored.
  func decode(_ photo: DeliveredFile, _ frame: DecodeTarget) throws(FailureReason) -> DecodedPhoto {
    let turn = try turn(of: photo)
    return try decode(
      photo, frame.turned(turn), needsThumbnail: photo.delivery.acceptsThumbnail
    ).turned(turn)
  }

  private func decode(
    _ photo: DeliveredFile, _ frame: DecodeTarget, needsThumbnail: Bool
  ) throws(FailureReason) -> DecodedPhoto {
    var frame = frame
    (frame.needsThumbnail, frame.memory) = (needsThumbnail, allowance.memory)
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
      try Self.useOtherDecoder(for: &file, after: error)
      guard var decoded = try? VipsDecoder.decode(file, frame), !decoded.picture.isBlank else {
        throw error
      }
      decoded.info.isIncomplete = !error.isUnsupported
      return decoded
    }
  }

  /// Has ImageMagick load a file that the loader for its format has failed to load.
  ///
  /// - Throws: The failure if ImageMagick knows no more about the format.
  private static func useOtherDecoder(
    for file: inout PhotoFile, after failure: FailureReason
  ) throws(FailureReason) {
    guard case .decoder = failure, VipsLoader.hasMagickFallback(file.format),
      process_is_filtered() == 1
    else { throw failure }
    file.isLoadedByMagick = true
  }

  /// The cached thumbnail of a photo, or else the preview embedded in its file, scaled for a frame.
  ///
  /// - Returns: Nil if the photo has neither.
  func preview(_ photo: DeliveredFile, _ frame: DecodeTarget) throws(FailureReason) -> Preview? {
    if let reason = photo.delivery.knownFailure { throw reason }
    if let found = try thumbnail(photo, frame) { return found }
    let turn = try turn(of: photo)
    return try embeddedPreview(photo, frame.turned(turn)).map {
      Preview(info: $0.info, picture: $0.picture, isFinal: false).turned(turn)
    }
  }

  /// The preview embedded in a photo's file, scaled for a frame and turned upright.
  ///
  /// It may show the photo before it was edited, and may be smaller than the frame needs.
  ///
  /// - Returns: Nil if the file has no preview, or none that shows the photo.
  private func embeddedPreview(
    _ photo: DeliveredFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> (info: PhotoInfo, picture: Bitmap)? {
    let file = try PhotoFile(photo)
    try Self.checkHeader(of: file)
    return switch file.format {
    case .jpeg: try jpeg.preview(file, frame)
    case .raw: try jpeg.preview(raw: file, frame)
    case .tiff: try embeddedPreview(tiff: file, frame)
    case .heic, .avif: try VipsDecoder.preview(file, frame)
    default: nil
    }
  }

  private func embeddedPreview(
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
    let turn = try turn(of: photo)
    guard turn != .upright else { return try decodeFile(photo, region) }
    let info = try describeFile(photo)
    let sides = (width: Int(info.size.width), height: Int(info.size.height))
    let turned = turn.turned(width: sides.width, height: sides.height)
    guard region.isInside(width: turned.width, height: turned.height) else {
      throw .decoder("no such region")
    }
    let (covered, picture) = try decodeFile(photo, region.turned(turn.inverse, in: turned))
    return (covered.turned(turn, in: sides), picture.turned(turn))
  }

  /// Decodes a region of a photo, with the orientation in its file.
  private func decodeFile(
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
      try Self.useOtherDecoder(for: &file, after: error)
      return try VipsDecoder.decode(file, region)
    }
  }

  /// Decodes frames of a video, scaled for a frame on the screen and turned upright.
  func decode(
    _ range: FrameRange, of photo: DeliveredFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> (PhotoInfo, FrameRun) {
    let turn = try turn(of: photo)
    var (info, run) = try frames.decode(range, of: photo, frame.turned(turn))
    for index in run.frames.indices {
      run.frames[index].bitmap = run.frames[index].bitmap.turned(turn)
    }
    return (info.turned(turn), run)
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

// MARK: - Thumbnails that were opened with the photo

extension PhotoDecoder {
  private func thumbnail(
    _ photo: DeliveredFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> Preview? {
    let stamp = try photo.stamp()
    var best: Preview?
    lazy var isReadOtherwise = Self.isReadOtherwise(photo)
    for file in photo.thumbnailFiles {
      if file.hasEarlierRules, isReadOtherwise { continue }
      // Only smaller thumbnails follow one that is no larger than the best so far.
      if let best, file.width <= best.picture.width { break }
      var recorded = file.info(of: stamp)
      // A thumbnail outlives a change of the sidecar, but not the date that was read from it.
      if !file.hasDate(of: stamp, hasSidecar: photo.delivery.hasSidecar) { recorded = nil }
      let info = if let recorded { recorded } else { try describeFile(photo) }
      let size = (width: Int(info.size.width), height: Int(info.size.height))
      // A thumbnail of another aspect ratio was cropped or turned by another program.
      guard file.width <= size.width, file.height <= size.height,
        PreviewFit.hasShape(of: size, (file.width, file.height)), let bitmap = file.bitmap
      else { continue }
      let turn = turn(of: photo, info)
      let target = frame.turned(turn).targets(for: info.size).picture
      let isFinal = file.width >= target.width && file.height >= target.height
      let picture = bitmap.reduced(
        to: (min(target.width, bitmap.width), min(target.height, bitmap.height)))
      best = Preview(info: info, picture: picture, isFinal: isFinal).turned(turn)
      if isFinal { break }
    }
    return best
  }

  /// Returns whether a photo's picture or colors may differ by the present rules from those by earlier
  /// ones, which knew neither inks in JPEGs that are scaled down, nor colors that are described without
  /// a profile, nor primary pictures.
  private static func isReadOtherwise(_ photo: DeliveredFile) -> Bool {
    guard let file = try? PhotoFile(photo) else { return false }
    let source = MetadataReader.source(of: file)
    switch file.format {
    case .jpeg: return (try? JPEGDecoder.head(of: file)).map(JPEGDecoder.isReadOtherwise) ?? false
    case .raw: return ExifDirectories(TIFFReader(source))?.isAdobeRGB ?? false
    case .png: return PNGColors.description(in: source) != nil
    case .heic, .avif:
      let described = HEIFColors.description(in: source)
      return described.map { !$0.isSRGB } ?? false || !HEIFItems.isPrimaryFirst(in: source)
    case .tiff, .psd, .pnm: return true
    default: return false
    }
  }

  /// Returns the thumbnail to store after a photo was decoded; nil for none.
  func storage(
    of decoded: DecodedPhoto, _ photo: DeliveredFile, replacing: Bool = false
  ) -> StorageRequest? {
    // An incomplete file may still be being copied.
    guard let (size, bitmap) = decoded.thumbnail, !decoded.info.isIncomplete else { return nil }
    return .thumbnail(
      number: photo.delivery.number, decoded.info.turned(decoded.turn.inverse), bitmap, size,
      replacing: replacing)
  }

  /// Returns the failure to store, if its cause is in the photo's bytes; nil otherwise.
  func storage(of reason: FailureReason, _ photo: DeliveredFile) -> StorageRequest? {
    switch reason {
    case .notAnImage, .isVideo, .soundOnly, .truncated, .tooLarge, .tooManyFrames: break
    // A failing disk or a lack of memory can cause the same errors.
    case .decoder(let message):
      guard !message.containsText("memory"), photo.isReadable else { return nil }
    case .noPermission, .vanished, .isFolder, .isNamedPipe, .isSocket, .isDevice, .emptyFile,
      .fileTooLong, .needsMemory, .needsFFmpeg, .unreadable:
      return nil
    }
    return photo.delivery.acceptsThumbnail ? .failure(number: photo.delivery.number, reason) : nil
  }

  /// Decodes a photo for a thumbnail of one size.
  ///
  /// - Returns: What has to be stored, and the facts with the hash of the picture.
  func decodeThumbnail(
    _ photo: DeliveredFile, _ size: ThumbnailSize
  ) throws(FailureReason) -> (StorageRequest, PhotoInfo) {
    let side = Double(size.side)
    let frame = DecodeTarget(size: PixelSize(width: side, height: side), mode: .fit)
    // The thumbnail of a smaller photo has a smaller size, but belongs into this size's folder.
    let turn = try turn(of: photo)
    var decoded = try decode(photo, frame, needsThumbnail: true).turned(turn)
    decoded.thumbnail?.size = size
    guard let storage = storage(of: decoded, photo, replacing: true) else { throw .truncated }
    return (storage, decoded.info.hashed(decoded.picture))
  }
}

extension PhotoInfo {
  /// These facts with the hash of the photo's picture; without one if the file is incomplete.
  func hashed(_ picture: Bitmap) -> PhotoInfo {
    var info = self
    info.hash = DifferenceHash(picture)
    return info
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
