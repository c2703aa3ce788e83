import PhotoGridCore
import CWebPDemux
import WorkerProtocol

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
