import ImageFormats
import PhotoGridCore
import WorkerProtocol

/// The wish of a `decode` request.
struct Frame {
  var size: PixelSize
  var mode: ContentMode
  /// Whether a picture for the thumbnail cache is wanted too.
  var keepsThumbnail = false

  /// The sizes to which a photo of the given size is decoded, upright: what is wanted, and the
  /// thumbnail that is just no smaller.
  func targets(for photo: PixelSize) -> (
    picture: (width: Int, height: Int),
    thumbnail: (size: ThumbnailSize, target: (width: Int, height: Int))?
  ) {
    let picture = targetSize(of: photo, in: size, mode: mode)
    guard keepsThumbnail, let size = ThumbnailSize(holding: picture) else { return (picture, nil) }
    let box = PixelSize(width: Double(size.side), height: Double(size.side))
    return (picture, (size, targetSize(of: photo, in: box, mode: .fit)))
  }
}

/// What came of decoding a photo.
struct DecodedPhoto {
  var info: PhotoInfo
  var picture: Bitmap
  /// A picture for the thumbnail cache, if one was wanted.
  var thumbnail: (size: ThumbnailSize, bitmap: Bitmap)?
}

/// Opens photos and hands each to the one decoder that its first bytes name.
struct PhotoDecoder {
  private let jpeg = JPEGDecoder()
  private let reels = ReelDecoder()

  /// What the head of a photo's file tells.
  func describe(_ path: [UInt8]) throws(FailureReason) -> PhotoInfo {
    let file = try PhotoFile(path)
    try Self.checkHeader(of: file)
    return switch file.format {
    case .jpeg: try jpeg.describe(file)
    case .raw: try jpeg.describe(raw: file)
    case .png, .gif, .webp, .tiff, .heic, .avif: try VipsDecoder.describe(file)
    }
  }

  /// The whole photo, scaled for a frame and turned upright.
  func decode(_ path: [UInt8], _ frame: Frame) throws(FailureReason) -> DecodedPhoto {
    let file = try PhotoFile(path)
    try Self.checkHeader(of: file)
    return switch file.format {
    case .jpeg: try jpeg.decode(file, frame)
    case .raw: try jpeg.decode(raw: file, frame)
    case .png, .gif, .webp, .tiff, .heic, .avif: try VipsDecoder.decode(file, frame)
    }
  }

  /// A picture that is in the file beside the photo, scaled for a frame and turned upright; nil
  /// where there is none, or none that shows the photo.
  ///
  /// It may show what the photo looked like before it was edited, and it is not larger than the
  /// frame asks for, often smaller.
  func preview(
    _ path: [UInt8], _ frame: Frame
  ) throws(FailureReason) -> (info: PhotoInfo, picture: Bitmap)? {
    let file = try PhotoFile(path)
    try Self.checkHeader(of: file)
    return switch file.format {
    case .jpeg: try jpeg.preview(file, frame)
    case .raw: try jpeg.preview(raw: file, frame)
    case .tiff: try jpeg.preview(file, of: try VipsDecoder.describe(file), frame)
    case .heic, .avif: try VipsDecoder.preview(file, frame)
    case .png, .gif, .webp: nil
    }
  }

  /// A part of the photo, and what of it the picture covers: at least what was asked for.
  func decode(
    _ path: [UInt8], _ region: PhotoRegion
  ) throws(FailureReason) -> (PhotoRegion, Bitmap) {
    let file = try PhotoFile(path)
    try Self.checkHeader(of: file)
    return switch file.format {
    case .jpeg: try jpeg.decode(file, region)
    case .raw: try jpeg.decode(raw: file, region)
    case .png, .gif, .webp, .tiff, .heic, .avif: try VipsDecoder.decode(file, region)
    }
  }

  /// Frames of an animated photo, scaled for a frame on the screen and turned upright.
  func decode(
    _ range: FrameRange, of path: [UInt8], _ frame: Frame
  ) throws(FailureReason) -> (PhotoInfo, FrameRun) {
    let file = try PhotoFile(path)
    try Self.checkHeader(of: file)
    return try reels.decode(range, of: path, file, frame)
  }

  /// Refuses a size that must not even reach the decoder.
  private static func checkHeader(of file: borrowing PhotoFile) throws(FailureReason) {
    guard let size = HeaderSize(of: file.format, firstBytes: file.firstBytes) else { return }
    try PixelLimits.check(
      width: size.width, height: size.height, format: file.format,
      needsWholePicture: size.needsWholePicture)
  }
}

extension PhotoRegion {
  /// The most samples that a picture of a part has.
  private static let mostSamples = 64 << 20

  /// This part as the file has it, on whole samples; it may reach beyond the picture's right and
  /// bottom edges by less than one.
  ///
  /// - Throws: Where it is no part of the photo, or too large.
  func stored(in info: PhotoInfo) throws(FailureReason) -> PhotoRegion {
    let (width, height) = (Int(info.size.width), Int(info.size.height))
    guard isInside(width: width, height: height) else { throw .decoder("no such part") }
    guard sampleSize.width <= 0xffff, sampleSize.height <= 0xffff,
      sampleSize.width * sampleSize.height <= Self.mostSamples,
      width * height <= PixelLimits.streamed
    else { throw .tooLarge(width: width, height: height) }
    let orientation = Orientation(number: info.orientation)
    var region = turned(orientation.inverse, in: (width, height))
    let (right, bottom) = (region.x + region.width, region.y + region.height)
    func down(_ place: Int) -> Int { place / reduction * reduction }
    func up(_ place: Int) -> Int { down(place + reduction - 1) }
    (region.x, region.y) = (down(region.x), down(region.y))
    (region.width, region.height) = (up(right) - region.x, up(bottom) - region.y)
    return region
  }
}

extension Bitmap {
  /// The picture scaled down, the sides no larger than they are.
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
  /// Facts of a file and of the picture in it, whose sides are given as stored.
  init(
    _ file: borrowing PhotoFile, width: Int, height: Int, orientation: Orientation,
    taken: TakenTime?, isIncomplete: Bool, frameCount: Int = 1
  ) {
    let upright = orientation.turned(width: width, height: height)
    self.init(
      size: PixelSize(width: Double(upright.width), height: Double(upright.height)),
      orientation: orientation.number, format: file.format.name, byteCount: file.byteCount,
      modified: file.modified, taken: taken?.iso8601, isIncomplete: isIncomplete,
      frameCount: frameCount)
  }
}
