import Geometry
import ImageFormats
import Photos

/// An estimate of the memory that decoding a picture takes, from its header.
struct MemoryEstimate {
  private let bytes: Int

  /// Returns an estimate for libvips and its loaders.
  static func ofDecoding(_ file: borrowing PhotoFile, _ image: Image) -> MemoryEstimate {
    let pixels = image.width * image.height
    switch file.format {
    case _ where file.isLoadedByMagick: return MemoryEstimate(bytes: pixels * 16)
    // The planes, and the picture converted from them, as measured with 51 megapixels.
    // With more than 8 bits a channel, libheif has several copies of twice the size at a time.
    case .heic, .avif: return MemoryEstimate(bytes: pixels * (image.isDeep ? 26 : 12))
    case .png:
      let size = HeaderSize(of: .png, firstBytes: file.firstBytes)
      return MemoryEstimate(bytes: size?.needsWholePicture ?? false ? pixels * 8 : 0)
    case .pnm where PAMPicture.isSigned(file.firstBytes): return MemoryEstimate(bytes: pixels * 8)
    case .tiff, .pnm, .hdr, .fits: return MemoryEstimate(bytes: 0)
    default: return MemoryEstimate(bytes: pixels * 8)
    }
  }

  /// Returns an estimate for libjpeg: the file, and all coefficients of a progressive JPEG.
  static func ofDecoding(_ header: JPEGHeader, fileLength: Int) -> MemoryEstimate {
    MemoryEstimate(
      bytes: fileLength + (header.isProgressive ? header.width * header.height * 6 : 0))
  }

  /// Throws `FailureReason.needsMemory` if decoding takes more than a limit in bytes.
  func check(_ limit: Int) throws(FailureReason) {
    guard bytes <= limit else { throw .needsMemory(bytes) }
  }
}
