import ImageFormats
import PhotoGridCore
import WorkerProtocol

/// The wish of a `decode` request.
struct Frame {
  var size: PixelSize
  var mode: ContentMode
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
    case .png, .gif, .webp, .tiff, .heic, .avif: try VipsDecoder.describe(file)
    }
  }

  /// The whole photo, scaled for a frame and turned upright.
  func decode(
    _ path: [UInt8], _ frame: Frame
  ) throws(FailureReason) -> (PhotoInfo, Bitmap) {
    let file = try PhotoFile(path)
    try Self.checkHeader(of: file)
    return switch file.format {
    case .jpeg: try jpeg.decode(file, frame)
    case .png, .gif, .webp, .tiff, .heic, .avif: try VipsDecoder.decode(file, frame)
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
