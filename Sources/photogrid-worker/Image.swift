import CVips
import Geometry
import ImageFormats
import Photos
import WorkerProtocol

final class Image {
  let pointer: UnsafeMutablePointer<VipsImage>

  init(_ pointer: UnsafeMutablePointer<VipsImage>) { self.pointer = pointer }

  /// Creates an image with a copy of pixels: RGBA, 8 bits, rows top to bottom, no padding.
  convenience init(pixels: [UInt8], width: Int, height: Int) throws(FailureReason) {
    let copy = pixels.withUnsafeBytes {
      vips_image_new_from_memory_copy(
        $0.baseAddress, $0.count, Int32(width), Int32(height), 4, VIPS_FORMAT_UCHAR)
    }
    guard let copy else { throw Self.lastError }
    copy.pointee.Type = VIPS_INTERPRETATION_sRGB
    self.init(copy)
  }

  deinit { g_object_unref(pointer) }

  var width: Int { Int(vips_image_get_width(pointer)) }
  var height: Int { Int(vips_image_get_height(pointer)) }
  var bands: Int { Int(vips_image_get_bands(pointer)) }

  /// The orientation that is still to be applied; HEIF images are upright already.
  var orientation: Orientation { Orientation(number: Int(vips_image_get_orientation(pointer))) }

  var exif: [UInt8]? { blob(VIPS_META_EXIF_NAME) }

  /// The color profile, embedded or made for what the file says.
  var profile: [UInt8]? {
    get { blob(VIPS_META_ICC_NAME) }
    set {
      guard let newValue, !newValue.isEmpty else {
        vips_image_remove(pointer, VIPS_META_ICC_NAME)
        return
      }
      newValue.withUnsafeBytes {
        vips_image_set_blob_copy(pointer, VIPS_META_ICC_NAME, $0.baseAddress, $0.count)
      }
    }
  }

  /// Whether the numbers of its pixels have 16 bits.
  var isDeep: Bool { pointer.pointee.BandFmt == VIPS_FORMAT_USHORT }

  /// The XMP packet, at most as many bytes of it as are read.
  var xmp: [UInt8]? {
    // Items of a HEIC or AVIF file are only numbered.
    let names = [VIPS_META_XMP_NAME] + (0..<8).map { "heif-mime-\($0)" }
    return names.lazy.compactMap { self.blob($0, atMost: XMPFacts.maxBytes) }.first
  }

  var iptc: [UInt8]? { blob(VIPS_META_IPTC_NAME, atMost: 256 << 10) }

  private func blob(_ name: String, atMost limit: Int = .max) -> [UInt8]? {
    guard vips_image_get_typeof(pointer, name) != 0 else { return nil }
    var bytes: UnsafeRawPointer?
    var count = 0
    guard vips_image_get_blob(pointer, name, &bytes, &count) == 0, let bytes else { return nil }
    return Array(UnsafeRawBufferPointer(start: bytes, count: min(count, limit)))
  }

  /// Returns the number in a metadata field; nil if there is no such field.
  func number(_ name: String) -> Int? {
    var value: Int32 = 0
    guard vips_image_get_typeof(pointer, name) != 0, vips_image_get_int(pointer, name, &value) == 0
    else { return nil }
    return Int(value)
  }

  func numbers(_ name: String) -> [Int] {
    var values: UnsafeMutablePointer<Int32>?
    var count: Int32 = 0
    guard vips_image_get_typeof(pointer, name) != 0,
      vips_image_get_array_int(pointer, name, &values, &count) == 0
    else { return [] }
    return UnsafeBufferPointer(start: values, count: Int(count)).map(Int.init)
  }

  /// Returns an image with a copy of pixels: 8 bits a band, rows top to bottom, no padding.
  ///
  /// The image gets the orientation and the color profile of `header`.
  static func of(
    _ pixels: UnsafeRawBufferPointer, width: Int, height: Int, bands: Int, like header: Image
  ) throws(FailureReason) -> Image {
    let made = photogrid_image_of_pixels(
      pixels.baseAddress, pixels.count, Int32(width), Int32(height), Int32(bands))
    guard let made else { throw lastError }
    let image = Image(made)
    vips_image_set_int(made, VIPS_META_ORIENTATION, Int32(header.orientation.number))
    image.profile = header.profile
    return image
  }

  /// Returns the result of an operation, which keeps its own reference to this image.
  func then(
    _ operation: (
      UnsafeMutablePointer<VipsImage>, UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>
    ) -> Int32
  ) throws(FailureReason) -> Image {
    var result: UnsafeMutablePointer<VipsImage>?
    guard operation(pointer, &result) == 0, let result else { throw Self.lastError }
    return Image(result)
  }

  /// Returns the image in sRGB if it has 16 bits and a profile, and at the size, in upright pixels, to
  /// which it will be scaled, if that is smaller; the image itself otherwise.
  ///
  /// libvips 8.14 scales and converts images with 8 bits, which are too few for linear light and for
  /// high dynamic range. Converting before scaling would take ten times as long as either.
  func convertedFromDeepColors(
    _ target: (width: Int, height: Int)
  ) throws(FailureReason) -> Image {
    guard isDeep, vips_image_get_typeof(pointer, VIPS_META_ICC_NAME) != 0 else { return self }
    let (width, height) = orientation.turned(width: target.width, height: target.height)
    let scaled = try self.then { photogrid_scale_numbers_to($0, $1, Int32(width), Int32(height)) }
    let converted = try scaled.then(photogrid_convert_to_srgb)
    vips_image_remove(converted.pointer, VIPS_META_ICC_NAME)
    return converted
  }

  /// Computes the pixels of an image with four bands of bytes, and premultiplies them.
  func bitmap() throws(FailureReason) -> Bitmap {
    var byteCount = 0
    guard let memory = vips_image_write_to_memory(pointer, &byteCount) else {
      throw Self.lastError
    }
    defer { g_free(memory) }
    let (width, height) = (width, height)
    guard bands == 4, byteCount == width * height * 4, byteCount > 0 else {
      throw .decoder("unknown pixel format")
    }
    var pixels = Array(UnsafeRawBufferPointer(start: memory, count: byteCount))
    let isOpaque = Premultiplication.multiply(&pixels)
    return Bitmap(width: width, height: height, pixels: pixels, isOpaque: isOpaque)
  }

  /// Encodes the image as a PNG file.
  func png() throws(FailureReason) -> [UInt8] {
    var memory: UnsafeMutableRawPointer?
    var byteCount = 0
    guard photogrid_save_png(pointer, &memory, &byteCount) == 0, let memory else {
      throw Self.lastError
    }
    defer { g_free(memory) }
    return Array(UnsafeRawBufferPointer(start: memory, count: byteCount))
  }

  /// The last error of libvips, which is cleared.
  ///
  /// The message is the last line of the error buffer, since the earlier lines only lead to it.
  static var lastError: FailureReason {
    defer { vips_error_clear() }
    let lines = vips_error_buffer().map { String(cString: $0) }?.utf8.split(separator: 0x0a)
    // The PNG loader writes some messages only to its log.
    return .decoder(message: lines?.last.map(Array.init) ?? Array("broken file".utf8))
  }
}
