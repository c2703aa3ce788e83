import CTurboJPEG
import Glibc

/// JPEG files drawn for a test, by the reference encoder.
package enum JPEGFile {
  /// The resolution of the colors relative to the brightness.
  package enum Sampling: Int32, CaseIterable, Sendable {
    case whole, half, quarter, gray, upright, eighth

    /// The value as libjpeg-turbo names it.
    package var constant: TJSAMP { TJSAMP(UInt32(rawValue)) }
  }

  /// A file of the given size in pixels.
  ///
  /// A progressive one has several scans; colors are 0xRRGGBB at a column and a row.
  package static func of(
    _ width: Int, _ height: Int, sampling: Sampling = .whole, quality: Int32 = 95,
    isProgressive: Bool = false, color: (Int, Int) -> UInt32
  ) -> [UInt8] {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let color = color(x, y)
        pixels += [UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255)]
      }
    }
    let handle = tjInitCompress()
    defer { tjDestroy(handle) }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let code = tjCompress2(
      handle, pixels, Int32(width), 0, Int32(height), TJPF_RGB.rawValue, &bytes, &count,
      sampling.rawValue, quality, isProgressive ? TJFLAG_PROGRESSIVE : 0)
    defer { tjFree(bytes) }
    precondition(code == 0, "no JPEG of \(width)x\(height)")
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  /// A file in one color.
  package static func flat(_ width: Int, _ height: Int, _ color: UInt32) -> [UInt8] {
    of(width, height) { _, _ in color }
  }

  /// The RGBA pixels of a file that the reference decoder decodes at an eighth of its size.
  package static func eighth(_ file: [UInt8]) -> [UInt8]? {
    let handle = tjInitDecompress()
    defer { tjDestroy(handle) }
    var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard
      tjDecompressHeader3(
        handle, file, UInt(file.count), &width, &height, &sampling, &space) == 0
    else { return nil }
    (width, height) = ((width + 7) / 8, (height + 7) / 8)
    var pixels = [UInt8](repeating: 0, count: Int(width * height * 4))
    let code = tjDecompress2(
      handle, file, UInt(file.count), &pixels, width, 0, height, TJPF_RGBA.rawValue, 0)
    return code == 0 ? pixels : nil
  }
}
