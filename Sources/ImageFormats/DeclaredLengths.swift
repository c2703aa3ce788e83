import PhotoGridCore

/// What a file's header announces, held against how long the file is.
///
/// Decoders allocate what is announced before they notice that it is not there: a PNG of 57 bytes can
/// cost a gigabyte.
package enum DeclaredLengths {
  /// No compressed byte of a GIF stands for more pixels: a code has at least three bits, and no
  /// string of its table is longer than 4096.
  private static let pixelsPerByteOfGIF = 3 * 4096
  /// Pictures of so many pixels are never refused: they take less than 100 MB.
  private static let smallPicture = 24_000_000
  /// No file has more chunks before its picture.
  private static let mostChunks = 4096

  /// Refuses a file that announces more than it can hold.
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

  /// The chunks before a PNG's picture; where the picture itself is cut, a part of it can be shown.
  private static func checkChunks(of file: ByteSource) throws(FailureReason) {
    var place = 8
    for _ in 0..<mostChunks {
      guard let head = file.bytes(at: place, count: 8), !head[4...].elementsEqual("IDAT".utf8)
      else { return }
      let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= file.count - place - 8 else { throw .truncated }
      place += 12 + length
    }
  }
}
