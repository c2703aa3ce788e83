import PhotoGridCore

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
