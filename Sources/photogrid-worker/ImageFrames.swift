import CVips
import CWebPDemux
import Glibc
import ImageFormats
import Photos
import WorkerProtocol

/// The frames of an animated image.
protocol ImageFrames: FrameSource {
  /// Decodes the next frame, composed over the frames before it.
  ///
  /// - Returns: The frame before orientation, and its duration in the file, in milliseconds.
  func nextImage() throws(FailureReason) -> (image: Image, milliseconds: Int)
}

extension ImageFrames {
  func next(_ size: (width: Int, height: Int)) -> FrameRun.Frame? {
    guard let (image, milliseconds) = try? nextImage(),
      let bitmap = try? VipsDecoder.bitmap(of: image, size)
    else { return nil }
    return FrameRun.Frame(seconds: FrameRun.seconds(requested: milliseconds), bitmap: bitmap)
  }
}

extension FrameDecoder.OpenVideo {
  /// Opens an animated image at a frame.
  init(
    image file: borrowing PhotoFile, _ photo: DeliveredFile, _ frame: DecodeTarget, at start: Int
  ) throws(FailureReason) {
    let header = try VipsDecoder.load(file)
    let info = try VipsDecoder.info(file, header)
    guard header.width * header.height <= FrameRun.maxPixels else {
      throw .tooLarge(width: header.width, height: header.height)
    }
    guard start < info.frameCount else { throw .truncated }
    let source: any FrameSource =
      file.format == .gif
      ? try GIFFrames(file, header, from: start, of: info.frameCount)
      : try WebPFrames(file, header, from: start)
    self.init(
      path: photo.name, info: info, frameCount: info.frameCount,
      size: FrameDecoder.size(of: info, in: frame, isLive: false), source: source, next: start)
  }
}

/// The frames of a GIF, composed by libvips.
///
/// libvips presents them as one tall image, in which the frames are below each other and each row
/// is decoded when it is read. The image can be read only once, from top to bottom, so a single
/// `VipsRegion` is used for all frames: if a new operation read each of them, rows between them
/// would be lost.
final class GIFFrames: ImageFrames {
  let loopCount: Int?
  private let header: Image
  private let pages: Image
  private let region: UnsafeMutablePointer<VipsRegion>
  private let delays: [Int]
  /// The index of the first frame in `pages`.
  private let first: Int
  /// The index of the frame that `nextImage()` returns.
  private var upcoming: Int

  /// The greatest height of an image in libvips, in rows.
  private static let maxRows = Int(VIPS_MAX_COORD)

  /// Opens the frames of a file from an index on.
  ///
  /// - Throws: `FailureReason` if the frames together are too tall for libvips, or cannot be
  ///   opened.
  init(
    _ file: borrowing PhotoFile, _ header: Image, from first: Int, of count: Int
  ) throws(FailureReason) {
    guard header.height * count <= Self.maxRows else {
      throw .tooManyFrames(count, width: header.width, height: header.height)
    }
    self.header = header
    self.first = first
    upcoming = first
    delays = header.numbers("delay")
    loopCount = header.number("loop").flatMap { $0 > 0 ? $0 : nil }
    pages = try VipsDecoder.load(file, pages: first..<count)
    guard let region = vips_region_new(pages.pointer) else { throw Image.lastError }
    self.region = region
  }

  deinit { g_object_unref(region) }

  func nextImage() throws(FailureReason) -> (image: Image, milliseconds: Int) {
    let top = (upcoming - first) * header.height
    guard top + header.height <= pages.height else { throw .truncated }
    var byteCount = 0
    let pixels = vips_region_fetch(
      region, 0, Int32(top), Int32(header.width), Int32(header.height), &byteCount)
    guard let pixels else { throw Image.lastError }
    defer { g_free(pixels) }
    let image = try Image.of(
      UnsafeRawBufferPointer(start: pixels, count: byteCount), width: header.width,
      height: header.height, bands: pages.bands, like: header)
    defer { upcoming += 1 }
    return (image, delays.indices.contains(upcoming) ? delays[upcoming] : 0)
  }
}

/// The frames of a WebP, composed by libwebp itself.
///
/// libvips would decode all requested frames before it returns the first, and from the start of the
/// animation each time: 1.4 s for a hundred frames of 640 by 480 pixels.
final class WebPFrames: ImageFrames {
  let loopCount: Int?
  private let header: Image
  private let decoder: OpaquePointer
  /// The file in memory, from which the decoder reads.
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let width: Int
  private let height: Int
  /// The end of the last frame, in milliseconds from the start of the animation.
  private var time = 0

  /// The longest file that is held in memory, in bytes.
  private static let maxBytes = 256 << 20

  /// Opens the frames of a file from an index on.
  ///
  /// The header gives orientation and color profile; frames before `first` are decoded and dropped.
  ///
  /// - Throws: `FailureReason` if the file is too long or damaged.
  init(_ file: borrowing PhotoFile, _ header: Image, from first: Int) throws(FailureReason) {
    guard file.byteCount <= Self.maxBytes else { throw .fileTooLong }
    let contents = try file.contents()
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: contents.count)
    _ = bytes.initialize(from: contents)
    var data = WebPData(bytes: bytes.baseAddress, size: bytes.count)
    var options = WebPAnimDecoderOptions()
    var info = WebPAnimInfo()
    guard WebPAnimDecoderOptionsInit(&options) != 0 else {
      bytes.deallocate()
      throw .decoder("wrong libwebp version")
    }
    options.color_mode = MODE_RGBA
    guard let decoder = WebPAnimDecoderNew(&data, &options) else {
      bytes.deallocate()
      throw .decoder("corrupt animation")
    }
    WebPAnimDecoderGetInfo(decoder, &info)
    self.header = header
    self.bytes = bytes
    self.decoder = decoder
    width = Int(info.canvas_width)
    height = Int(info.canvas_height)
    loopCount = info.loop_count > 0 ? Int(info.loop_count) : nil
    for _ in 0..<first { _ = try nextPixels() }
  }

  deinit {
    WebPAnimDecoderDelete(decoder)
    bytes.deallocate()
  }

  func nextImage() throws(FailureReason) -> (image: Image, milliseconds: Int) {
    let shown = time
    let pixels = try nextPixels()
    let image = try Image.of(pixels, width: width, height: height, bands: 4, like: header)
    return (image, time - shown)
  }

  /// Returns the next frame in RGBA, 8 bits, not premultiplied; valid until the next call.
  private func nextPixels() throws(FailureReason) -> UnsafeRawBufferPointer {
    var pixels: UnsafeMutablePointer<UInt8>?
    var end: Int32 = 0
    guard WebPAnimDecoderGetNext(decoder, &pixels, &end) != 0, let pixels else {
      throw .decoder("corrupt frame")
    }
    time = Int(end)
    return UnsafeRawBufferPointer(start: pixels, count: width * height * 4)
  }
}
