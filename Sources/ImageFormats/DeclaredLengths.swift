import Photos

/// Checks of the sizes that a file's header declares against the file's length.
///
/// Decoders allocate memory for the declared size before they notice that the data is missing: a
/// PNG of 57 bytes can cost a gigabyte.
package enum DeclaredLengths {
  /// The most pixels that a compressed byte of a GIF can stand for: a code has at least three bits,
  /// and no string of its table is longer than 4096.
  private static let pixelsPerByteOfGIF = 3 * 4096
  private static let smallPicture = 24_000_000
  /// The most chunks that are checked before a PNG's picture.
  private static let maxChunks = 4096

  /// Checks that a file is long enough for what its header declares.
  ///
  /// - Throws: `FailureReason.truncated` if it is not.
  package static func check(
    _ file: ByteSource, format: ImageFormat, size: HeaderSize
  ) throws(FailureReason) {
    switch format {
    case .png: try checkChunks(of: file)
    case .gif:
      let (pixels, isTooMany) = size.width.multipliedReportingOverflow(by: size.height)
      guard !isTooMany, pixels <= max(smallPicture, file.count * pixelsPerByteOfGIF) else {
        throw .truncated
      }
    default: break
    }
  }

  /// Checks the chunks before a PNG's picture.
  ///
  /// A truncated picture is accepted, because a part of it can be shown.
  private static func checkChunks(of file: ByteSource) throws(FailureReason) {
    var offset = 8
    for _ in 0..<maxChunks {
      guard let head = file.bytes(at: offset, count: 8), !head[4...].elementsEqual("IDAT".utf8)
      else { return }
      let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= file.count - offset - 8 else { throw .truncated }
      offset += 12 + length
    }
  }
}

/// Computes the least length of an uncompressed picture's file, to detect truncated files: decoders
/// fill in missing rows silently.
package enum UncompressedLength {
  /// Returns the least number of bytes of a complete file; nil for compressed pictures and other
  /// formats.
  package static func ofFile(_ format: ImageFormat, _ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 34, let size = HeaderSize(of: format, firstBytes: bytes) else {
      return nil
    }
    func word(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
    func long(_ at: Int) -> Int { word(at) | word(at + 2) << 16 }
    let (pixels, isTooMany) = size.width.multipliedReportingOverflow(by: size.height)
    guard !isTooMany, pixels < 1 << 40 else { return nil }
    switch format {
    case .bmp:
      guard long(14) >= 40, long(30) == 0 else { return nil }
      // Rows begin at multiples of four bytes; the padding of the last one may be missing.
      let row = (size.width * word(28) + 31) / 32 * 4
      return long(10) + row * (size.height - 1) + (size.width * word(28) + 7) / 8
    case .tga:
      guard (1...3).contains(Int(bytes[2])) else { return nil }
      let colors = bytes[1] == 1 ? word(5) * ((Int(bytes[7]) + 7) / 8) : 0
      return 18 + Int(bytes[0]) + colors + pixels * ((Int(bytes[16]) + 7) / 8)
    default: return nil
    }
  }
}
