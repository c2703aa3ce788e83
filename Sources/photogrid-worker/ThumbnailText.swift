import ImageFormats
import PhotoGridCore
import WorkerProtocol

struct ThumbnailText {
  /// The keywords and texts, in the order in which they are written.
  private(set) var values: [(key: String, value: [UInt8])]

  /// Creates the text of a photo's thumbnail: the fields of the standard, and the facts of the
  /// photo, so that the photo itself need not be opened for them.
  init(_ photo: ThumbnailCache.Photo, _ info: PhotoInfo) {
    self.init(photo)
    add(Key.mediaType, Self.mediaType(of: info.format))
    add(Key.width, "\(Int(info.size.width))")
    add(Key.height, "\(Int(info.size.height))")
    add(Key.orientation, "\(info.orientation)")
    add(Key.frameCount, "\(info.frameCount)")
    if let length = info.length { add(Key.length, "\(length)") }
    if info.holdsFilm { add(Key.film, "inside") }
    if let taken = info.taken { add(Key.taken, taken.description) }
    if info.stamp.isSettled, info.stamp != photo.stamp { add(Key.sidecar, "\(info.stamp.inode)") }
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
    add(Key.modified, "\(photo.stamp.seconds)")
    add(Key.byteCount, "\(photo.stamp.byteCount)")
    add(Key.software, "photogrid \(ProgramVersion.current)")
  }

  private mutating func add(_ key: String, _ value: String) {
    values.append((key, Array(value.utf8)))
  }

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
    static let frameCount = "X-Photogrid::Frames"
    static let taken = "X-Photogrid::Taken"
    /// The lower half of the photo's inode number, mixed with the stamp of its sidecar.
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
    case .jpeg, .png, .gif, .webp, .tiff, .avif, .bmp, .jxl, .jp2, .fits, .qoi:
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
  func isValid(for photo: ThumbnailCache.Photo) -> Bool {
    guard text[ThumbnailText.Key.uri] == photo.uri,
      text[ThumbnailText.Key.modified] == Array("\(photo.stamp.seconds)".utf8)
    else { return false }
    guard let byteCount = text[ThumbnailText.Key.byteCount] else { return true }
    return byteCount == Array("\(photo.stamp.byteCount)".utf8)
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
      TakenTime(description: Array($0))
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

  /// Returns whether the recorded date comes from the photo with its present sidecar, or from the photo
  /// alone if it has none.
  func hasDate(of stamp: FileStamp, hasSidecar: Bool) -> Bool {
    number(ThumbnailText.Key.sidecar) == (hasSidecar ? Int(stamp.inode) : nil)
  }

  /// The recorded reason that the photo cannot be shown; nil if there is none.
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
