import CZlib

/// Compression in the zlib format (RFC 1950), by the system's library.
enum Deflate {
  /// The kind of bytes, which decides how to search for repetitions.
  enum Content {
    /// Residuals of a photo after prediction: noise, in which only runs of one byte repeat.
    ///
    /// Searching for more takes six times as long and saves nothing (measured with fifty photos of
    /// 200 by 200 pixels).
    case residuals
    /// Bytes with repeated patterns.
    case patterns
  }

  static func compressed(_ bytes: [UInt8], _ content: Content) -> [UInt8] {
    // zlib keeps the stream's address.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    let strategy = content == .residuals ? Z_RLE : Z_DEFAULT_STRATEGY
    guard photogrid_deflate_begin(stream, 6, strategy) == Z_OK else { return [] }
    defer { deflateEnd(stream) }
    let limit = Int(deflateBound(stream, uLong(bytes.count)))
    return [UInt8](unsafeUninitializedCapacity: limit) { out, count in
      bytes.withUnsafeBufferPointer { bytes in
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        stream.pointee.avail_in = uInt(bytes.count)
        stream.pointee.next_out = out.baseAddress
        stream.pointee.avail_out = uInt(limit)
        count = deflate(stream, Z_FINISH) == Z_STREAM_END ? Int(stream.pointee.total_out) : 0
      }
    }
  }

  /// Returns the checksum of a PNG chunk (CRC-32).
  static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.withUnsafeBufferPointer {
      UInt32(truncatingIfNeeded: crc32(0, $0.baseAddress, uInt($0.count)))
    }
  }
}
