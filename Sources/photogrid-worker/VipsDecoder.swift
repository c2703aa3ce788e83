import CVips
import Glibc
import ImageFormats
import PhotoGridCore
import WorkerProtocol

/// Decodes everything but JPEG by libvips, whose loader is named and never guessed.
enum VipsDecoder {
  /// Whether the library works; it is set up when the first photo needs it, which takes 30 ms.
  private static let isReady: Bool = {
    guard vips_init("photogrid-worker") == 0 else { return false }
    vips_block_untrusted_set(1)
    vips_concurrency_set(1)
    vips_cache_set_max(0)
    vips_vector_set_enabled(0)
    return true
  }()

  /// What the loader reads before any pixel.
  static func describe(_ file: borrowing PhotoFile) throws(FailureReason) -> PhotoInfo {
    let image = try load(file, VIPS_FAIL_ON_NONE)
    return try info(file, image)
  }

  /// The whole photo, scaled for a frame and turned upright.
  static func decode(
    _ file: borrowing PhotoFile, _ frame: Frame
  ) throws(FailureReason) -> (PhotoInfo, Bitmap) {
    do throws(FailureReason) {
      return try decode(file, frame, VIPS_FAIL_ON_ERROR)
    } catch {
      // The part of a picture that is there; the other loaders give all or nothing.
      switch error {
      case .decoder where [.png, .gif, .tiff].contains(file.format):
        guard let partial = try? decode(file, frame, VIPS_FAIL_ON_NONE), !partial.1.isBlank else {
          throw error
        }
        var (info, bitmap) = partial
        info.isIncomplete = true
        return (info, bitmap)
      default:
        throw error
      }
    }
  }

  private static func decode(
    _ file: borrowing PhotoFile, _ frame: Frame, _ failOn: VipsFailOn
  ) throws(FailureReason) -> (PhotoInfo, Bitmap) {
    var image = try load(file, failOn)
    let info = try info(file, image)
    let target = targetSize(of: info.size, in: frame.size, mode: frame.mode)
    let scale = Double(target.width) / max(1, info.size.width)
    if file.format == .webp, scale < 1 { image = try load(file, failOn, scale: scale) }
    var scaled = try image.then {
      photogrid_scale($0, $1, Int32(target.width), Int32(target.height))
    }
    scaled = try scaled.then(photogrid_to_srgb).then(photogrid_to_bytes)
    if scaled.bands > 4 { scaled = try scaled.then { photogrid_keep_bands($0, $1, 4) } }
    if scaled.bands == 3 { scaled = try scaled.then(photogrid_add_alpha) }
    return (info, try scaled.bitmap())
  }

  private static func load(
    _ file: borrowing PhotoFile, _ failOn: VipsFailOn, scale: Double = 1
  ) throws(FailureReason) -> Image {
    guard isReady else { throw .decoder("libvips does not start") }
    guard lseek(file.descriptor, 0, SEEK_SET) == 0,
      let source = vips_source_new_from_descriptor(file.descriptor)
    else { throw Image.complaint }
    defer { g_object_unref(source) }
    var loaded: UnsafeMutablePointer<VipsImage>?
    let result =
      switch file.format {
      case .png: photogrid_load_png(source, &loaded, failOn)
      case .gif: photogrid_load_gif(source, &loaded, failOn)
      case .webp: photogrid_load_webp(source, &loaded, failOn, scale)
      case .tiff: photogrid_load_tiff(source, &loaded, failOn)
      case .heic, .avif: photogrid_load_heif(source, &loaded, failOn)
      case .jpeg: Int32(-1)
      }
    guard result == 0, let loaded else { throw Image.complaint }
    return Image(loaded)
  }

  /// A PNG file that shows a picture.
  static func png(_ bitmap: Bitmap) throws(FailureReason) -> [UInt8] {
    guard isReady else { throw .decoder("libvips does not start") }
    var pixels = bitmap.pixels
    if !bitmap.isOpaque { Image.divide(&pixels) }
    let image = try Image(pixels: pixels, width: bitmap.width, height: bitmap.height)
    return try image.png()
  }

  private static func info(
    _ file: borrowing PhotoFile, _ image: Image
  ) throws(FailureReason) -> PhotoInfo {
    try PixelLimits.check(
      width: image.width, height: image.height, format: file.format,
      needsWholePicture: ![.png, .tiff].contains(file.format))
    return PhotoInfo(
      file, width: image.width, height: image.height, orientation: image.orientation,
      taken: image.exif.map { ExifFacts($0[...]).taken } ?? nil, isIncomplete: false)
  }
}

/// A reference to an image of libvips, which computes pixels only when they are asked for.
private final class Image {
  private let pointer: UnsafeMutablePointer<VipsImage>

  init(_ pointer: UnsafeMutablePointer<VipsImage>) { self.pointer = pointer }

  /// An image with a copy of pixels, of four bands of bytes.
  convenience init(pixels: [UInt8], width: Int, height: Int) throws(FailureReason) {
    let copy = pixels.withUnsafeBytes {
      vips_image_new_from_memory_copy(
        $0.baseAddress, $0.count, Int32(width), Int32(height), 4, VIPS_FORMAT_UCHAR)
    }
    guard let copy else { throw Self.complaint }
    copy.pointee.Type = VIPS_INTERPRETATION_sRGB
    self.init(copy)
  }

  deinit { g_object_unref(pointer) }

  var width: Int { Int(vips_image_get_width(pointer)) }
  var height: Int { Int(vips_image_get_height(pointer)) }
  var bands: Int { Int(vips_image_get_bands(pointer)) }

  /// Still to be applied; HEIF images arrive turned already.
  var orientation: Orientation { Orientation(number: Int(vips_image_get_orientation(pointer))) }

  /// The EXIF block as stored.
  var exif: [UInt8]? {
    guard vips_image_get_typeof(pointer, VIPS_META_EXIF_NAME) != 0 else { return nil }
    var bytes: UnsafeRawPointer?
    var count = 0
    guard vips_image_get_blob(pointer, VIPS_META_EXIF_NAME, &bytes, &count) == 0, let bytes else {
      return nil
    }
    return Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// The image after an operation, which keeps a reference of its own to this one.
  func then(
    _ operation: (
      UnsafeMutablePointer<VipsImage>, UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>
    ) -> Int32
  ) throws(FailureReason) -> Image {
    var result: UnsafeMutablePointer<VipsImage>?
    guard operation(pointer, &result) == 0, let result else { throw Self.complaint }
    return Image(result)
  }

  /// The pixels of an image of four bands of bytes.
  func bitmap() throws(FailureReason) -> Bitmap {
    var byteCount = 0
    guard let memory = vips_image_write_to_memory(pointer, &byteCount) else {
      throw Self.complaint
    }
    defer { g_free(memory) }
    let (width, height) = (width, height)
    guard bands == 4, byteCount == width * height * 4, byteCount > 0 else {
      throw .decoder("pixels of an unknown kind")
    }
    var pixels = Array(UnsafeRawBufferPointer(start: memory, count: byteCount))
    let isOpaque = Self.premultiply(&pixels)
    return Bitmap(width: width, height: height, pixels: pixels, isOpaque: isOpaque)
  }

  /// The bytes of a PNG file.
  func png() throws(FailureReason) -> [UInt8] {
    var memory: UnsafeMutableRawPointer?
    var byteCount = 0
    guard photogrid_save_png(pointer, &memory, &byteCount) == 0, let memory else {
      throw Self.complaint
    }
    defer { g_free(memory) }
    return Array(UnsafeRawBufferPointer(start: memory, count: byteCount))
  }

  /// Divides colours by their alpha again.
  static func divide(_ pixels: inout [UInt8]) {
    for place in stride(from: 0, to: pixels.count - 3, by: 4) {
      let alpha = Int(pixels[place + 3])
      guard alpha > 0, alpha < 255 else { continue }
      for channel in place..<(place + 3) {
        pixels[channel] = UInt8(min((Int(pixels[channel]) * 255 + alpha / 2) / alpha, 255))
      }
    }
  }

  /// Multiplies colours by their alpha.
  ///
  /// - Returns: whether every alpha is 255.
  private static func premultiply(_ pixels: inout [UInt8]) -> Bool {
    pixels.withUnsafeMutableBufferPointer { pixels in
      var isOpaque = true
      for place in stride(from: 0, to: pixels.count - 3, by: 4) {
        let alpha = Int(pixels[place + 3])
        if alpha == 255 { continue }
        isOpaque = false
        for channel in place..<(place + 3) {
          pixels[channel] = UInt8((Int(pixels[channel]) * alpha + 127) / 255)
        }
      }
      return isOpaque
    }
  }

  /// What the library complained of: its last line, since those before say what led to it.
  static var complaint: FailureReason {
    defer { vips_error_clear() }
    let lines = vips_error_buffer().map { String(cString: $0) }?.utf8.split(separator: 0x0a)
    // The PNG loader has words for its log alone.
    return .decoder(message: lines?.last.map(Array.init) ?? Array("broken file".utf8))
  }
}

extension Bitmap {
  /// Whether there is nothing but black or transparency: what a loader leaves where no data came.
  fileprivate var isBlank: Bool {
    pixels.withUnsafeBufferPointer { pixels in
      stride(from: 0, to: pixels.count - 3, by: 4).allSatisfy {
        pixels[$0] | pixels[$0 + 1] | pixels[$0 + 2] == 0
      }
    }
  }
}
