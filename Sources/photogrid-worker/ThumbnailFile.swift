import CPNG
import CZlib
import Geometry
import Glibc
import ImageFormats
import Photos
import WorkerProtocol

/// A PNG file of the thumbnail cache, which any program may have written.
struct ThumbnailFile {
  /// The text chunks by their keywords; of several with the same keyword, the first.
  private(set) var text: [String: [UInt8]] = [:]
  let width: Int
  let height: Int
  /// The time when the file was written.
  private let modified: timespec
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
    self.init(bytes, modified: status.st_mtim, maxSide: maxSide)
  }

  /// Parses the bytes of a file without its pixels; nil if it is not a thumbnail of up to
  /// `maxSide` pixels.
  init?(_ bytes: [UInt8], modified: timespec = timespec(), maxSide: Int) {
    guard var chunks = PNGChunks(bytes), let head = chunks.next(), head.isOf("IHDR"),
      head.contents.count == 13
    else { return nil }
    let at = head.contents.lowerBound
    width = bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
    height = bytes[(at + 4)..<(at + 8)].reduce(0) { $0 << 8 | Int($1) }
    guard (1...maxSide).contains(width), (1...maxSide).contains(height) else { return nil }
    self.bytes = bytes
    self.modified = modified
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
    let pixels = picture.isOpaque ? picture.pixels : Premultiplication.divided(picture)
    // An upper limit: zlib stores what it cannot compress.
    let capacity = pixels.count + pixels.count / 8 + picture.height + 1024
    let file = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = png_encode(
        pixels, UInt32(picture.width), UInt32(picture.height), picture.isOpaque ? 1 : 0,
        buffer.baseAddress, capacity)
    }
    // The text goes where other programs put it: after the header.
    guard file.count > 33 else { return nil }
    return file[..<33] + text.values.flatMap { textChunk($0.key, $0.value) } + file[33...]
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

/// The texts of a thumbnail about its photo: the keywords of the thumbnail standard, and facts that
/// the program reads from it later instead of the photo.
struct ThumbnailText {
  /// The keywords and texts, in the order in which they are written.
  private(set) var values: [(key: String, value: [UInt8])]

  /// Creates the text of a photo's thumbnail: the fields of the standard, and the facts of the
  /// photo, so that the photo itself need not be opened for them.
  init(_ photo: ThumbnailCache.Photo, _ info: PhotoInfo) {
    self.init(photo)
    set(Key.mediaType, Self.mediaType(of: info.format))
    set(Key.width, "\(Int(info.size.width))")
    set(Key.height, "\(Int(info.size.height))")
    set(Key.orientation, "\(info.orientation)")
    set(Key.frameCount, "\(info.frameCount)")
    if let length = info.length { set(Key.length, "\(length)") }
    if info.holdsFilm { set(Key.film, "inside") }
    if let taken = info.taken { set(Key.taken, taken.record) }
    if info.stamp.isSettled, info.stamp != photo.stamp {
      set(Key.sidecar, "\(info.stamp.identity)")
    }
  }

  /// Creates the text that records why a photo cannot be shown, as hexadecimal digits of
  /// `FailureReason.encoded`.
  init(_ photo: ThumbnailCache.Photo, _ failure: FailureReason) {
    self.init(photo)
    if failure == FilmDecoder.noPicture { values.append((Key.command, FilmDecoder.commandStamp)) }
    let digits = Array("0123456789abcdef".utf8)
    values.append(
      (Key.failure, failure.encoded.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }))
  }

  private init(_ photo: ThumbnailCache.Photo) {
    values = [(Key.uri, photo.uri)]
    set(Key.modified, "\(photo.stamp.seconds)")
    set(Key.byteCount, "\(photo.stamp.byteCount)")
    if photo.stamp.isSettled { set(Key.identity, "\(photo.stamp.identity)") }
    set(Key.software, "photogrid \(ProgramVersion.current)")
    set(Key.rules, Self.rules)
  }

  private mutating func set(_ key: String, _ value: String) {
    values.append((key, Array(value.utf8)))
  }

  /// The number of the rules by which pictures and colors are read from files; 1 was not written.
  static let rules = "2"

  /// The keywords of text chunks.
  enum Key {
    static let uri = "Thumb::URI"
    static let modified = "Thumb::MTime"
    static let byteCount = "Thumb::Size"
    static let mediaType = "Thumb::Mimetype"
    static let width = "Thumb::Image::Width"
    static let height = "Thumb::Image::Height"
    static let length = "Thumb::Movie::Length"
    static let software = "Software"
    // Keywords of this program.
    static let orientation = "X-Photogrid::Orientation"
    static let rules = "X-Photogrid::Rules"
    static let frameCount = "X-Photogrid::Frames"
    static let taken = "X-Photogrid::Taken"
    /// The identity of the photo's file: `FileStamp.identity`.
    static let identity = "X-Photogrid::Identity"
    /// That of the photo with its sidecar.
    static let sidecar = "X-Photogrid::Sidecar"
    static let film = "X-Photogrid::Film"
    static let failure = "X-Photogrid::Failure"
    static let command = "X-Photogrid::Command"
  }

  private static func mediaType(of format: ImageFormat) -> String {
    switch format {
    case .heic: "image/heif"
    case .raw: "image/x-dcraw"
    case .film: "video/x-film"
    case .svg: "image/svg+xml"
    case .ico: "image/vnd.microsoft.icon"
    case .psd: "image/vnd.adobe.photoshop"
    case .hdr: "image/vnd.radiance"
    case .pnm: "image/x-portable-anymap"
    case .ras: "image/x-sun-raster"
    case .xpm: "image/x-xpixmap"
    case .tga, .pcx, .dds, .exr, .xcf: "image/x-\(format.rawValue)"
    case .jpeg, .png, .gif, .webp, .tiff, .avif, .bmp, .jxl, .jp2, .fits:
      "image/\(format.rawValue)"
    }
  }

  /// Returns the format of a media type such as "image/jpeg"; nil if it is unknown.
  static func format(ofMediaType type: [UInt8]) -> ImageFormat? {
    ImageFormat.allCases.first { mediaType(of: $0).utf8.elementsEqual(type) }
  }
}

extension ThumbnailFile {
  /// Returns whether the file is a thumbnail of the photo's current contents.
  ///
  /// Other programs record no more than the time of modification, which programs that edit metadata
  /// set back: their thumbnails are valid unless the status of the photo has changed since.
  func isValid(for photo: ThumbnailCache.Photo) -> Bool {
    guard text[ThumbnailText.Key.uri] == photo.uri,
      text[ThumbnailText.Key.modified] == Array("\(photo.stamp.seconds)".utf8)
    else { return false }
    if let byteCount = text[ThumbnailText.Key.byteCount],
      byteCount != Array("\(photo.stamp.byteCount)".utf8)
    {
      return false
    }
    if let recorded = text[ThumbnailText.Key.taken], TakenTime(record: recorded) == nil {
      return false
    }
    guard let identity = text[ThumbnailText.Key.identity] else {
      return photo.wasUnchanged(at: modified)
    }
    return identity == Array("\(photo.stamp.identity)".utf8)
  }

  /// Returns the facts of the photo; nil if another program made the thumbnail.
  func info(of stamp: FileStamp) -> PhotoInfo? {
    guard let orientation = number(ThumbnailText.Key.orientation), (1...8).contains(orientation),
      let width = number(ThumbnailText.Key.width), (1...1_000_000).contains(width),
      let height = number(ThumbnailText.Key.height), (1...1_000_000).contains(height),
      let frameCount = number(ThumbnailText.Key.frameCount), (1...1_000_000).contains(frameCount),
      let format = text[ThumbnailText.Key.mediaType].flatMap(ThumbnailText.format)
    else { return nil }
    let taken = text[ThumbnailText.Key.taken].flatMap {
      TakenTime(record: $0)
    }
    var info = PhotoInfo(
      size: PixelSize(width: Double(width), height: Double(height)), orientation: orientation,
      format: format, stamp: stamp, taken: taken, frameCount: frameCount)
    if format == .film, let length = text[ThumbnailText.Key.length] {
      info.length = Double(String(decoding: length, as: UTF8.self)).flatMap {
        $0 > 0 && $0 < 1e7 ? $0 : nil
      }
    }
    info.holdsFilm = text[ThumbnailText.Key.film] != nil
    return info
  }

  /// Whether an earlier version of this program wrote the file, by other rules for pictures and colors.
  var hasEarlierRules: Bool {
    let isOwn = text[ThumbnailText.Key.orientation] != nil || text[ThumbnailText.Key.failure] != nil
    return isOwn && text[ThumbnailText.Key.rules] != Array(ThumbnailText.rules.utf8)
  }

  /// Returns whether the recorded date comes from the photo with its present sidecar, or from the photo
  /// alone if it has none.
  func hasDate(of stamp: FileStamp, hasSidecar: Bool) -> Bool {
    number(ThumbnailText.Key.sidecar) == (hasSidecar ? Int(stamp.identity) : nil)
  }

  /// The recorded reason that the photo cannot be shown; nil if none was recorded.
  var failure: FailureReason? {
    guard let digits = text[ThumbnailText.Key.failure], digits.count % 2 == 0 else { return nil }
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
    }
    return FailureReason(encoded: bytes)
  }

  private func number(_ key: String) -> Int? {
    text[key].flatMap { Int(String(decoding: $0, as: UTF8.self)) }
  }
}
