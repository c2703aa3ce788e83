import CLinux
import CVips
import CWebPDemux
import Glibc
import ImageFormats
import Photos
import WorkerProtocol

/// A decoder that returns the frames of an animated photo one after another.
protocol FrameSource: AnyObject {
  /// The number of times that the animation plays; nil for endlessly.
  var loopCount: Int? { get }

  /// Decodes the next frame, composed over the frames before it.
  ///
  /// - Returns: The frame before orientation, and its duration in the file, in milliseconds.
  func next() throws(FailureReason) -> (image: Image, milliseconds: Int)
}

/// Decodes animated photos in runs of frames.
///
/// A frame may depend on all frames before it. The photo therefore stays open at the end of the
/// last run, and each frame is decoded only once if the next run starts there.
final class AnimationDecoder {
  private var open: OpenAnimation?

  /// An animated photo, open at a frame.
  private struct OpenAnimation {
    var path: [UInt8]
    var info: PhotoInfo
    var source: any FrameSource
    /// The index of the next frame of the source.
    var next: Int
  }

  /// The time in seconds after which a run ends, so that requests for photos do not wait long.
  private static let maxTime = 0.08

  /// Decodes the first frames of a range, as many as a run has room and time for.
  ///
  /// A photo that is still open is recognized by its path.
  ///
  /// - Returns: The facts of the photo, and at least one frame unless the first cannot be decoded.
  /// - Throws: `FailureReason` if the photo cannot be opened, or is not an animation.
  func decode(
    _ range: FrameRange, of path: [UInt8], _ file: borrowing PhotoFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> (PhotoInfo, FrameRun) {
    let start = Self.now
    var animation = try animation(path, file, at: range.start)
    open = nil
    let target = targetSize(of: animation.info.size, in: frame.size, mode: frame.mode)
    let room = max(1, FrameRun.byteLimit / (target.width * target.height * 4))
    let count = min(range.count, animation.info.frameCount - range.start, room)
    var run = FrameRun(
      start: range.start, loopCount: animation.source.loopCount, frames: [], endsEarly: false)
    while run.frames.count < count, run.frames.isEmpty || Self.now - start < Self.maxTime {
      guard let (image, milliseconds) = try? animation.source.next(),
        let bitmap = try? VipsDecoder.bitmap(of: image, target)
      else {
        run.endsEarly = true
        return (animation.info, run)
      }
      animation.next += 1
      run.frames.append(
        FrameRun.Frame(milliseconds: FrameRun.duration(requested: milliseconds), bitmap: bitmap))
    }
    if animation.next < animation.info.frameCount { open = animation }
    return (animation.info, run)
  }

  /// Returns the photo open at a frame: still open from the last run, or opened now.
  private func animation(
    _ path: [UInt8], _ file: borrowing PhotoFile, at frame: Int
  ) throws(FailureReason) -> OpenAnimation {
    if let open, open.path == path, open.next == frame, open.info.stamp.matches(file.stamp) {
      return open
    }
    let header = try VipsDecoder.load(file)
    let info = try VipsDecoder.info(file, header)
    guard header.width * header.height <= FrameRun.maxPixels else {
      throw .tooLarge(width: header.width, height: header.height)
    }
    guard frame < info.frameCount else { throw .truncated }
    let source: any FrameSource =
      switch file.format {
      case .gif: try GIFFrames(file, header, from: frame, of: info.frameCount)
      case .webp: try WebPFrames(file, header, from: frame)
      default: throw .notAnImage
      }
    return OpenAnimation(path: path, info: info, source: source, next: frame)
  }

  /// Seconds on the monotonic clock.
  private static var now: Double { Double(monotonic_nanoseconds()) / 1e9 }
}

/// The frames of a GIF, composed by libvips.
///
/// libvips presents them as one tall image, in which the frames are below each other and each row
/// is decoded when it is read. The image can be read only once, from top to bottom, so a single
/// `VipsRegion` is used for all frames: if a new operation read each of them, rows between them
/// would be lost.
final class GIFFrames: FrameSource {
  let loopCount: Int?
  private let header: Image
  private let pages: Image
  private let region: UnsafeMutablePointer<VipsRegion>
  private let delays: [Int]
  /// The index of the first frame in `pages`.
  private let first: Int
  /// The index of the frame that `next()` returns.
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

  func next() throws(FailureReason) -> (image: Image, milliseconds: Int) {
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
final class WebPFrames: FrameSource {
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

  func next() throws(FailureReason) -> (image: Image, milliseconds: Int) {
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
