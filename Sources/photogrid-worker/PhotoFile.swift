import CLinux
import Glibc
import ImageFormats
import Photos
import WorkerProtocol
import WorkerRuntime

/// An open file that may be a photo: not empty, and of a known format by its first bytes.
struct PhotoFile: ~Copyable {
  let descriptor: Int32
  /// The object that keeps the descriptor open.
  private let file: DeliveredFile
  /// The format, by the first bytes of the file, its name and its embedded pictures.
  let format: ImageFormat
  /// The pictures embedded in a raw photo or a TIFF file; nil for other formats.
  let embedded: EmbeddedPreviews?
  let stamp: FileStamp
  let sidecar: XMPFacts
  /// Whether the file is loaded by ImageMagick instead of the loader for its format.
  var isLoadedByMagick = false
  /// The first bytes of the file, up to `HeaderSize.examinedByteCount`.
  let firstBytes: [UInt8]

  /// The day after which no photo was taken, as digits.
  static var latestDay: Int64 { TakenTime.latestDay(now: time(nil)) }

  var byteCount: Int { Int(stamp.byteCount) }

  /// The longest file that is read into memory, in bytes.
  private static let maxBytes = 1 << 30

  /// Examines a file that was opened for a request.
  ///
  /// - Throws: `FailureReason` if the file could not be opened, is empty, or is not an image.
  init(_ file: DeliveredFile) throws(FailureReason) {
    let descriptor = try file.descriptor()
    let stamp = try file.stamp()
    let head = try Self.read(descriptor, count: HeaderSize.examinedByteCount, from: 0)
    guard !head.isEmpty else { throw .emptyFile }
    guard let format = ImageFormat(firstBytes: head, name: file.name) else {
      throw ImageFormat.isVideo(head) ? .isVideo : .notAnImage
    }
    let isContainer = format == .tiff || format == .raw
    embedded = isContainer ? EmbeddedPreviews(Self.source(descriptor, Int(stamp.byteCount))) : nil
    // A raw file without a JPEG may still hold a picture that TIFF decoders can show.
    let isShownByJPEG = embedded.map { $0.isRaw && !$0.previews.isEmpty } ?? false
    self.format = isShownByJPEG ? .raw : format
    self.stamp = stamp
    sidecar = file.sidecar
    firstBytes = head
    self.descriptor = descriptor
    self.file = file
  }

  /// A file in memory, the only one that a decoder of photos can open by a name.
  ///
  /// It is made before the decoder is confined.
  static let copy = file_in_memory("photo")

  /// Returns a name of the file, for loaders that take no open one: that of a copy in memory.
  func name() throws(FailureReason) -> String {
    guard byteCount <= ProcessLimits.maxCopyByteCount else { throw .fileTooLong }
    try file.copy(to: Self.copy)
    return "/proc/self/fd/\(Self.copy)"
  }

  private static func source(_ descriptor: Int32, _ byteCount: Int) -> ByteSource {
    ByteSource(count: byteCount) { range in
      try? read(descriptor, count: range.count, from: range.lowerBound)
    }
  }

  /// Reads the whole file, up to the length that it had when it was opened.
  ///
  /// The file is not mapped: if it is truncated in the meantime, there are fewer bytes instead of a
  /// SIGBUS.
  func contents() throws(FailureReason) -> [UInt8] {
    guard byteCount <= Self.maxBytes else { throw .fileTooLong }
    return try Self.read(descriptor, count: byteCount, from: 0)
  }

  /// Reads `count` bytes from an offset on, or fewer at the end of the file.
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
    // What could be read from a failing disk may still show a part of the picture.
    guard failure == 0 || !bytes.isEmpty else { throw FailureReason(errno: failure) }
    return bytes
  }
}
