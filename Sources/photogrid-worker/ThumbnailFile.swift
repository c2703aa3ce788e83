import CPNG
import CZlib
import Glibc
import ImageFormats
import PhotoGridCore

/// A PNG file of the thumbnail cache, which any program may have written.
struct ThumbnailFile {
  /// The text chunks by their keywords; of several with the same keyword, the first.
  private(set) var text: [String: [UInt8]] = [:]
  let width: Int
  let height: Int
  private let bytes: [UInt8]

  /// The longest file that is read, in bytes: the largest thumbnail, uncompressed, with its text.
  private static let maxBytes = 1024 * 1024 * 4 + (64 << 10)
  /// The longest text that is decompressed, in bytes: a path with every byte escaped.
  private static let maxValueLength = 3 * Int(PATH_MAX) + 64

  static func open(_ path: [CChar]) -> Int32 {
    // A link would lead out of the folder, and a pipe would never end.
    Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
  }

  /// Reads a file without its pixels; nil if it is not a thumbnail of up to `maxSide` pixels.
  init?(path: [CChar], maxSide: Int) {
    let descriptor = Self.open(path)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    self.init(descriptor: descriptor, maxSide: maxSide)
  }

  /// Reads an open file without its pixels; nil if it is not a thumbnail of up to `maxSide`
  /// pixels.
  init?(descriptor: Int32, maxSide: Int) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (1...Self.maxBytes).contains(Int(status.st_size)),
      let bytes = try? PhotoFile.read(descriptor, count: Int(status.st_size), from: 0)
    else { return nil }
    self.init(bytes, maxSide: maxSide)
  }

  /// Parses the bytes of a file without its pixels; nil if it is not a thumbnail of up to
  /// `maxSide` pixels.
  init?(_ bytes: [UInt8], maxSide: Int) {
    guard var chunks = PNGChunks(bytes), let head = chunks.next(), head.isOf("IHDR"),
      head.contents.count == 13
    else { return nil }
    let at = head.contents.lowerBound
    width = bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
    height = bytes[(at + 4)..<(at + 8)].reduce(0) { $0 << 8 | Int($1) }
    guard (1...maxSide).contains(width), (1...maxSide).contains(height) else { return nil }
    self.bytes = bytes
    var isWhole = false
    while let chunk = chunks.next() {
      isWhole = chunk.isOf("IEND")
      guard let entry = PNGText(chunk, of: bytes), text[entry.key] == nil else { continue }
      text[entry.key] =
        entry.isCompressed ? Self.inflated(Array(entry.value)) : Array(entry.value)
    }
    // libpng allocates what a chunk declares, up to 2 GB, before it notices that the file ends.
    guard isWhole else { return nil }
  }

  private static func inflated(_ stream: [UInt8]) -> [UInt8]? {
    var length = uLongf(maxValueLength)
    var isWhole = false
    let bytes = [UInt8](unsafeUninitializedCapacity: maxValueLength) { buffer, count in
      isWhole = uncompress(buffer.baseAddress, &length, stream, uLong(stream.count)) == Z_OK
      count = isWhole ? Int(length) : 0
    }
    return isWhole ? bytes : nil
  }

  /// The decoded picture; nil if the file is damaged.
  var bitmap: Bitmap? {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    guard png_image_begin_read_from_memory(&image, bytes, bytes.count) != 0,
      Int(image.width) == width, Int(image.height) == height
    else { return nil }
    image.format = photogrid_png_rgba
    var isWhole = false
    var pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
      isWhole = png_image_finish_read(&image, nil, buffer.baseAddress, 0, nil) != 0
      count = isWhole ? width * height * 4 : 0
    }
    guard isWhole else { return nil }
    let isOpaque = Premultiplication.multiply(&pixels)
    return Bitmap(width: width, height: height, pixels: pixels, isOpaque: isOpaque)
  }

  /// Returns the bytes of a PNG file with a picture and its text; nil if there is no memory for it.
  static func encoded(_ picture: Bitmap, _ text: ThumbnailText) -> [UInt8]? {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(picture.width)
    image.height = png_uint_32(picture.height)
    image.format = picture.isOpaque ? photogrid_png_rgb : photogrid_png_rgba
    // This takes a third of the time, for a fifth more bytes.
    image.flags = photogrid_png_fast
    defer { png_image_free(&image) }
    let pixels = picture.isOpaque ? withoutAlpha(picture) : Premultiplication.divided(picture)
    // An upper limit of what zlib writes, so that one call is enough.
    var byteCount = pixels.count + pixels.count / 8 + picture.height + 1024
    let file = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      let isWritten = png_image_write_to_memory(
        &image, buffer.baseAddress, &byteCount, 0, pixels, 0, nil)
      count = isWritten != 0 ? byteCount : 0
    }
    // The text goes where other programs put it: after the header, which is 33 bytes long.
    guard file.count > 33 else { return nil }
    return file[..<33] + text.values.flatMap { textChunk($0.key, $0.value) } + file[33...]
  }

  private static func withoutAlpha(_ picture: Bitmap) -> [UInt8] {
    let count = picture.width * picture.height
    return [UInt8](unsafeUninitializedCapacity: count * 3) { colors, filled in
      picture.pixels.withUnsafeBufferPointer { pixels in
        for index in 0..<count {
          for channel in 0..<3 { colors[index * 3 + channel] = pixels[index * 4 + channel] }
        }
      }
      filled = count * 3
    }
  }

  private static func textChunk(_ key: String, _ value: [UInt8]) -> [UInt8] {
    func bigEndian(_ number: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    let contents = Array("tEXt".utf8) + Array(key.utf8) + [0] + value
    let sum = crc32(0, contents, uInt(contents.count))
    return bigEndian(contents.count - 4) + contents + bigEndian(Int(sum))
  }
}
