import CTurboJPEG
import Photos
import WorkerProtocol

final class PictureEncoder {
  private var handle = tjInitCompress()

  private static let quality: Int32 = 90

  deinit {
    if let handle { tjDestroy(handle) }
  }

  func encode(_ bitmap: Bitmap, as format: PictureEncoding.Format) throws(FailureReason) -> [UInt8]
  {
    switch format {
    case .jpeg: try jpeg(bitmap)
    case .png: try VipsDecoder.png(bitmap)
    }
  }

  private func jpeg(_ bitmap: Bitmap) throws(FailureReason) -> [UInt8] {
    var memory: UnsafeMutablePointer<UInt8>?
    defer { tjFree(memory) }
    var byteCount: UInt = 0
    // The chroma is not subsampled, since these pictures have thin lines and edges of tiles.
    let result = tjCompress2(
      handle, bitmap.pixels, Int32(bitmap.width), Int32(bitmap.width * 4), Int32(bitmap.height),
      Int32(TJPF_RGBX.rawValue), &memory, &byteCount, Int32(TJSAMP_444.rawValue), Self.quality, 0)
    guard result == 0, let memory else {
      let words = tjGetErrorStr2(handle).map { String(cString: $0) } ?? ""
      throw .decoder(message: words.utf8)
    }
    return Array(UnsafeBufferPointer(start: memory, count: Int(byteCount)))
  }
}
