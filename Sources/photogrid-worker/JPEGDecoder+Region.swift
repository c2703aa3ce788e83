import CJPEGRegion
import ImageFormats
import PhotoGridCore
import WorkerProtocol

/// Regions of JPEGs: rows above a region are read but not computed, and rows below are not read.
extension JPEGDecoder {
  /// The most coefficients of a picture in several scans, which are all held in memory, in bytes:
  /// enough for 100 megapixels with 4:2:0 chroma.
  private static let mostCoefficientBytes = 320 << 20

  /// Decodes a region of the photo.
  ///
  /// - Returns: The region that the picture covers, and the picture.
  func decode(
    _ file: borrowing PhotoFile, _ region: PhotoRegion
  ) throws(FailureReason) -> (PhotoRegion, Bitmap) {
    let bytes = try file.contents()
    let header = try header(of: bytes)
    return try decode(bytes, header, describe(file, header, bytes), region)
  }

  /// Decodes a region of a JPEG file in memory, whose facts are known.
  ///
  /// - Returns: The region that the picture covers, and the picture.
  func decode(
    _ bytes: [UInt8], _ header: JPEGHeader, _ info: PhotoInfo, _ region: PhotoRegion
  ) throws(FailureReason) -> (PhotoRegion, Bitmap) {
    guard let scanStart = header.scanStart, scanStart < bytes.count else { throw .truncated }
    var stored = try region.stored(in: info)

    // The decoder scales down to an eighth at most; the rest is reduced afterwards.
    let shrink = min(stored.reduction, 8)
    let part = JPEGRegion(
      left: Int32(stored.x / shrink), top: Int32(stored.y / shrink),
      width: Int32(min(stored.width, Self.up(header.width, shrink) - stored.x) / shrink),
      height: Int32(min(stored.height, Self.up(header.height, shrink) - stored.y) / shrink),
      eighths: Int32(8 / shrink))
    (stored.width, stored.height) = (Int(part.width) * shrink, Int(part.height) * shrink)

    let orientation = Orientation(number: info.orientation)
    var pixels = try Self.pixels(of: part, bytes, isCMYK: header.components == 4)
    let size = (width: Int(part.width), height: Int(part.height))
    if size != stored.sampleSize || orientation != .upright {
      pixels = AreaReduction.reduce(
        pixels, size: size, to: stored.sampleSize, orientation: orientation)
    }
    let profile = header.profileParts.reduce(into: []) { $0 += bytes[$1] }
    convert(&pixels, header, profile)
    let covered = stored.turned(orientation, in: (header.width, header.height))
    let (width, height) = covered.sampleSize
    return (covered, Bitmap(width: width, height: height, pixels: pixels, isOpaque: true))
  }

  private static func up(_ side: Int, _ step: Int) -> Int { (side + step - 1) / step * step }

  private static func pixels(
    of part: JPEGRegion, _ bytes: [UInt8], isCMYK: Bool
  ) throws(FailureReason) -> [UInt8] {
    let byteCount = Int(part.width) * Int(part.height) * 4
    var words = [UInt8](repeating: 0, count: 200)
    var isDecoded = false
    let pixels = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      isDecoded = words.withUnsafeMutableBytes { words in
        jpeg_region_decode(
          bytes, bytes.count, part, isCMYK ? 1 : 0, mostCoefficientBytes, buffer.baseAddress,
          words.baseAddress?.assumingMemoryBound(to: CChar.self)) == 0
      }
      count = byteCount
    }
    guard isDecoded else { throw .decoder(message: words.prefix { $0 != 0 }) }
    return pixels
  }
}
