import PhotoGridCore
import Glibc
import ImageFormats
import WorkerProtocol

/// An open file that may be a photo: not empty, and of a known format by its first bytes.
struct PhotoFile: ~Copyable {
  let descriptor: Int32
  /// Keeps the descriptor open.
  private let file: DeliveredFile
  let format: ImageFormat
  /// The pictures inside of a raw photo or a TIFF file.
  let embedded: EmbeddedPreviews?
  /// In bytes.
  let byteCount: Int
  /// In seconds since 1970.
  let modified: Int
  /// Whether the file is loaded by ImageMagick in place of the loader for its format.
  var isLoadedByMagick = false
  /// Up to `HeaderSize.examinedByteCount` bytes.
  let firstBytes: [UInt8]

  /// Files above this are not read into memory, in bytes.
  private static let mostBytes = 1 << 30

  /// The file that was opened for a request.
  init(_ file: DeliveredFile) throws(FailureReason) {
    let descriptor = try file.descriptor()
    let status = try file.status()
    let head = try Self.read(descriptor, count: HeaderSize.examinedByteCount, from: 0)
    guard !head.isEmpty else { throw .emptyFile }
    guard let format = ImageFormat(firstBytes: head, name: file.name) else { throw .notAnImage }
    byteCount = status.byteCount
    modified = status.modified
    let isContainer = format == .tiff || format == .raw
    embedded = isContainer ? EmbeddedPreviews(Self.source(descriptor, byteCount)) : nil
    // One without a JPEG in it may still have something that TIFF decoders show.
    let isShownByJPEG = embedded.map { $0.isRaw && !$0.previews.isEmpty } ?? false
    self.format = isShownByJPEG ? .raw : format
    firstBytes = head
    self.descriptor = descriptor
    self.file = file
  }

  private static func source(_ descriptor: Int32, _ byteCount: Int) -> ByteSource {
    ByteSource(count: byteCount) { range in
      try? read(descriptor, count: range.count, from: range.lowerBound)
    }
  }

  /// All bytes, as far as the file was long when it was opened.
  ///
  /// Read rather than mapped, so that a file cut short meanwhile is short instead of a SIGBUS.
  func contents() throws(FailureReason) -> [UInt8] {
    guard byteCount <= Self.mostBytes else { throw .fileTooLong }
    return try Self.read(descriptor, count: byteCount, from: 0)
  }

  /// The bytes from an offset on: `count`, or fewer at the end of the file.
  static func read(
    _ descriptor: Int32, count: Int, from offset: Int
  ) throws(FailureReason) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), count - filled,
          off_t(offset + filled))
        if got > 0 {
          filled += got
        } else if got == 0 {
          return
        } else if errno != EINTR {
          failure = errno
          return
        }
      }
    }
    // A part that could be read of a failing disk may still be a part of a picture.
    guard failure == 0 || !bytes.isEmpty else { throw FailureReason(errno: failure) }
    return bytes
  }
}
