import PhotoGridCore

/// The size that a file's first bytes announce, before any decoder sees it.
///
/// Only for formats whose decoders allocate by the header: a GIF of 43 bytes can ask for 17 GB.
package struct HeaderSize: Equatable, Sendable {
  package var width: Int
  package var height: Int
  /// Whether the decoder holds the whole picture at once instead of row after row.
  package var needsWholePicture: Bool

  /// A size whose picture is decoded as a whole.
  init(whole width: Int, _ height: Int) {
    self.width = width
    self.height = height
    needsWholePicture = true
  }

  /// How many of a file's first bytes are looked at.
  package static let examinedByteCount = 4096

  /// Reads the size out of the first bytes; nil where they do not tell, and for JPEG, TIFF,
  /// HEIF and raw photos, whose decoders tell without allocating.
  package init?(of format: ImageFormat, firstBytes: [UInt8]) {
    switch format {
    case .png: self.init(png: firstBytes)
    case .gif: self.init(gif: firstBytes)
    case .webp: self.init(webp: firstBytes)
    case .bmp, .tga, .psd, .pcx, .dds, .qoi: self.init(magick: format, firstBytes)
    case .jpeg, .tiff, .heic, .avif, .raw, .jxl, .jp2, .svg, .exr, .fits, .ico, .pnm, .hdr:
      return nil
    }
  }

  /// IHDR is always first (PNG specification, 5.6).
  private init?(png bytes: [UInt8]) {
    guard bytes.count >= 29 else { return nil }
    width = bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
    height = bytes[20..<24].reduce(0) { $0 << 8 | Int($1) }
    needsWholePicture = bytes[28] != 0
  }

  /// The logical screen, or the first frame where that reaches further.
  private init?(gif bytes: [UInt8]) {
    guard bytes.count >= 13 else { return nil }
    func word(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
    (width, height) = (word(6), word(8))
    needsWholePicture = true
    var place = 13
    if bytes[10] & 0x80 != 0 { place += 3 << (Int(bytes[10] & 7) + 1) }
    // Extensions: a label, then sub-blocks up to one of no length.
    while place + 1 < bytes.count, bytes[place] == 0x21 {
      place += 2
      while place < bytes.count, bytes[place] != 0 { place += Int(bytes[place]) + 1 }
      place += 1
    }
    if place + 9 <= bytes.count, bytes[place] == 0x2c {
      width = max(width, word(place + 1) + word(place + 5))
      height = max(height, word(place + 3) + word(place + 7))
    }
  }

  /// VP8X, VP8L or VP8, whichever chunk is first (WebP container specification).
  private init?(webp bytes: [UInt8]) {
    guard bytes.count >= 30 else { return nil }
    needsWholePicture = true
    switch Array(bytes[12..<16]) {
    case Array("VP8X".utf8):
      func triple(_ at: Int) -> Int {
        Int(bytes[at]) | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2]) << 16
      }
      (width, height) = (triple(24) + 1, triple(27) + 1)
    case Array("VP8L".utf8):
      let bits = bytes[21..<25].reversed().reduce(0) { $0 << 8 | Int($1) }
      (width, height) = (bits & 0x3fff + 1, bits >> 14 & 0x3fff + 1)
    case Array("VP8 ".utf8):
      width = (Int(bytes[26]) | Int(bytes[27]) << 8) & 0x3fff
      height = (Int(bytes[28]) | Int(bytes[29]) << 8) & 0x3fff
    default:
      return nil
    }
  }
}

/// How large pictures may be; larger ones are refused by their header.
package enum PixelLimits {
  /// Pixels of a picture that is decoded row after row.
  package static let streamed = 400_000_000
  /// Bytes, at four a pixel, of a picture that a decoder holds as a whole.
  package static let wholeBytes = 768 << 20
  /// Pixels of a JPEG as scaled while decoding.
  package static let scaledJPEG = 64_000_000
  /// The longest side of a GIF.
  package static let sideOfGIF = 16_384

  /// Refuses a picture of another format than JPEG that is too large to be decoded.
  package static func check(
    width: Int, height: Int, format: ImageFormat, needsWholePicture: Bool
  ) throws(FailureReason) {
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    let most = needsWholePicture ? wholeBytes / 4 : streamed
    let isLongGIF = format == .gif && max(width, height) > sideOfGIF
    guard !overflow, pixels <= most, !isLongGIF else {
      throw .tooLarge(width: width, height: height)
    }
  }

  /// Pixels of all frames of an animated photo together: eight thousand of 1920 by 1080.
  package static let allFrames = 16 << 30

  /// Refuses an animated photo whose frames are a bomb together.
  package static func check(
    width: Int, height: Int, frameCount: Int
  ) throws(FailureReason) {
    let (pixels, overflow) = (width * height).multipliedReportingOverflow(by: frameCount)
    guard frameCount == 1 || !overflow && pixels <= allFrames else {
      throw .tooManyFrames(frameCount, width: width, height: height)
    }
  }

  /// How many eighths of its size a JPEG is decoded at, so that it is not below the target and
  /// within the limits.
  ///
  /// Only 1, 2, 4 and 8 are used where the limit allows them: libjpeg-turbo has vector code for
  /// these alone. (46 photos: 5, 6 and 7 eighths take 1.44, 1.62 and 2.06 s, 8 takes 1.31 s; 3 takes
  /// 1.09 s, 4 takes 1.02 s.)
  ///
  /// The target is the size wanted as stored, before orientation.
  package static func eighths(
    of header: JPEGHeader, target: (width: Int, height: Int)
  ) throws(FailureReason) -> Int {
    func scaled(_ side: Int, _ eighths: Int) -> Int { (side * eighths + 7) / 8 }
    func pixels(_ eighths: Int) -> Int {
      scaled(header.width, eighths) * scaled(header.height, eighths)
    }
    guard pixels(1) <= scaledJPEG,
      !header.isProgressive || header.width * header.height <= wholeBytes / 4
    else { throw .tooLarge(width: header.width, height: header.height) }
    let sufficient =
      [1, 2, 4].first {
        scaled(header.width, $0) >= target.width && scaled(header.height, $0) >= target.height
      } ?? 8
    return (1...sufficient).last { pixels($0) <= scaledJPEG } ?? 1
  }
}
