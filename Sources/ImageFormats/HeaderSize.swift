import Photos

/// The size of a picture, parsed from the first bytes of its file.
///
/// It is needed only for formats whose decoders allocate memory before they read the picture: a GIF
/// of 43 bytes can make a decoder allocate 17 GB.
package struct HeaderSize: Equatable, Sendable {
  package var width: Int
  package var height: Int
  /// Whether the decoder needs memory for the whole picture, instead of decoding row by row.
  package var needsWholePicture: Bool

  /// Creates the size of a picture that is decoded as a whole.
  init(whole width: Int, _ height: Int) {
    self.width = width
    self.height = height
    needsWholePicture = true
  }

  /// The number of a file's first bytes that `init(of:firstBytes:)` needs.
  package static let examinedByteCount = 4096

  /// Parses the size of a picture.
  ///
  /// Nil if the bytes do not contain it, and for JPEG, TIFF, HEIF and raw photos, whose decoders
  /// report the size before they allocate.
  package init?(of format: ImageFormat, firstBytes: [UInt8]) {
    switch format {
    case .png: self.init(png: firstBytes)
    case .gif: self.init(gif: firstBytes)
    case .webp: self.init(webp: firstBytes)
    case .bmp, .tga, .psd, .pcx, .dds, .xcf, .ras: self.init(magick: format, firstBytes)
    case .jpeg, .tiff, .heic, .avif, .raw, .jxl, .jp2, .svg, .exr, .fits, .ico, .pnm, .hdr, .xpm,
      .film:
      return nil
    }
  }

  private init?(png bytes: [UInt8]) {
    guard bytes.count >= 29 else { return nil }
    width = bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
    height = bytes[20..<24].reduce(0) { $0 << 8 | Int($1) }
    needsWholePicture = bytes[28] != 0
  }

  /// Parses the logical screen of a GIF, and the first frame, which may be larger.
  private init?(gif bytes: [UInt8]) {
    guard bytes.count >= 13 else { return nil }
    func word(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
    (width, height) = (word(6), word(8))
    needsWholePicture = true
    var offset = 13
    if bytes[10] & 0x80 != 0 { offset += 3 << (Int(bytes[10] & 7) + 1) }
    // Extensions: a label, then sub-blocks up to an empty one.
    while offset + 1 < bytes.count, bytes[offset] == 0x21 {
      offset += 2
      while offset < bytes.count, bytes[offset] != 0 { offset += Int(bytes[offset]) + 1 }
      offset += 1
    }
    if offset + 9 <= bytes.count, bytes[offset] == 0x2c {
      width = max(width, word(offset + 1) + word(offset + 5))
      height = max(height, word(offset + 3) + word(offset + 7))
    }
  }

  /// Parses the first chunk of a WebP: VP8X, VP8L or VP8 (WebP container specification).
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

/// The limits of the pictures that are decoded.
package enum PixelLimits {
  /// The most pixels of a picture that is decoded row by row.
  package static let streamed = 400_000_000
  /// The most bytes, at four per pixel, of a picture that a decoder holds in memory as a whole.
  package static let wholeBytes = 768 << 20
  /// The most pixels of a JPEG at the size at which it is decoded.
  private static let scaledJPEG = 64_000_000
  /// The most pixels of a JPEG of which a quarter of the size is decoded where an eighth would just
  /// suffice; for a larger one that would take too long.
  private static let finelyScaledJPEG = 8_000_000
  /// The fewest pixels of a picture that is larger than most tiles, such as a pane of a comparison, and
  /// the most pixels of a JPEG that is decoded half again as large as such a picture.
  private static let (pane, sharplyScaledJPEG) = (80_000, 4_000_000)
  /// The longest side of a GIF, in pixels.
  private static let sideOfGIF = 16_384

  /// Checks the size, in pixels, of a picture in a format other than JPEG.
  ///
  /// - Throws: `FailureReason.tooLarge` if it is above the limits.
  package static func check(
    width: Int, height: Int, format: ImageFormat, needsWholePicture: Bool
  ) throws(FailureReason) {
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    let limit = needsWholePicture ? wholeBytes / 4 : streamed
    let isLongGIF = format == .gif && max(width, height) > sideOfGIF
    guard !overflow, pixels <= limit, !isLongGIF else {
      throw .tooLarge(width: width, height: height)
    }
  }

  /// The most pixels of an animated photo's frames together: 8,000 frames of 1920 by 1080.
  package static let allFrames = 16 << 30

  /// Checks the total size of an animated photo's frames, in pixels.
  ///
  /// - Throws: `FailureReason.tooManyFrames` if it is above the limit.
  package static func check(
    width: Int, height: Int, frameCount: Int
  ) throws(FailureReason) {
    let (pixels, overflow) = (width * height).multipliedReportingOverflow(by: frameCount)
    guard frameCount == 1 || !overflow && pixels <= allFrames else {
      throw .tooManyFrames(frameCount, width: width, height: height)
    }
  }

  /// Returns the scale at which to decode a JPEG, in eighths: large enough for the target if the
  /// limits allow it.
  ///
  /// Only 1, 2, 4 and 8 are used if the limits allow them, because libjpeg-turbo has vector code
  /// only for these. (46 photos: 5, 6 and 7 eighths take 1.44, 1.62 and 2.06 s, 8 takes 1.31 s; 3
  /// takes 1.09 s, 4 takes 1.02 s.)
  ///
  /// The target is in pixels, as stored, before orientation.
  ///
  /// An eighth consists of mean colors, whose aliases show in line drawings unless they are scaled
  /// down further. (Lines three pixels wide, compared with the whole picture scaled by Lanczos's
  /// window: 29 dB from 1.2 times the target, 34 from 1.5 times, 38 from 1.9 times; a quarter of the
  /// size has 43 dB. Photos have 46 dB from the target's size.)
  ///
  /// For a pane of a comparison, in which details are looked for, the scale is half again as large as
  /// needed, and never an eighth: photos in two panes then have 51 dB (at least 45) instead of 46 (37),
  /// in eight panes 47 instead of 45.
  ///
  /// - Returns: From 1 to 8.
  /// - Throws: `FailureReason.tooLarge` if even an eighth is above the limits.
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
    let isFine = header.width * header.height <= finelyScaledJPEG
    func suffices(_ eighths: Int, halves: Int) -> Bool {
      2 * scaled(header.width, eighths) >= halves * target.width
        && 2 * scaled(header.height, eighths) >= halves * target.height
    }
    var sufficient = [1, 2, 4].first { suffices($0, halves: $0 == 1 && isFine ? 3 : 2) } ?? 8
    if target.width * target.height >= pane,
      let sharp = [2, 4, 8].first(where: { $0 >= sufficient && suffices($0, halves: 3) }),
      pixels(sharp) <= sharplyScaledJPEG
    {
      sufficient = sharp
    }
    return (1...sufficient).last { pixels($0) <= scaledJPEG } ?? 1
  }
}

extension HeaderSize {
  /// Parses the size in the header of one of the formats that are always decoded as a whole; nil if
  /// the header is truncated or a side is not positive.
  init?(magick format: ImageFormat, _ bytes: [UInt8]) {
    guard bytes.count >= 26 else { return nil }
    func word(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
    func long(_ at: Int) -> Int { word(at) | word(at + 2) << 16 }
    func bigLong(_ at: Int) -> Int { bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } }
    switch format {
    case .bmp where long(14) == 12: self.init(whole: word(18), word(20))
    // A negative height means rows from top to bottom.
    case .bmp: self.init(whole: long(18), abs(Int(Int32(truncatingIfNeeded: long(22)))))
    case .tga: self.init(whole: word(12), word(14))
    case .psd: self.init(whole: bigLong(18), bigLong(14))
    case .pcx: self.init(whole: word(8) - word(4) + 1, word(10) - word(6) + 1)
    case .dds: self.init(whole: long(16), long(12))
    case .ras: self.init(whole: bigLong(4), bigLong(8))
    case .xcf: self.init(whole: bigLong(14), bigLong(18))
    default: return nil
    }
    guard width > 0, height > 0 else { return nil }
  }
}
