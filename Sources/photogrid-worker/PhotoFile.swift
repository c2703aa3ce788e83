import PhotoGridCore
import Glibc
import ImageFormats
import WorkerProtocol

/// An open file that may be a photo: regular, not empty, and of a known format by its first bytes.
struct PhotoFile: ~Copyable {
  let descriptor: Int32
  let format: ImageFormat
  /// The pictures inside of a raw photo or a TIFF file.
  let embedded: EmbeddedPreviews?
  /// In bytes.
  let byteCount: Int
  /// In seconds since 1970.
  let modified: Int
  /// Up to `HeaderSize.examinedByteCount` bytes.
  let firstBytes: [UInt8]

  /// Files above this are not read into memory, in bytes.
  private static let mostBytes = 1 << 30

  /// Opens a file without ever waiting for one: a named pipe or a device is not even opened.
  init(_ path: [UInt8]) throws(FailureReason) {
    let name = (path + [0]).map { CChar(bitPattern: $0) }
    var status = stat()
    guard stat(name, &status) == 0 else { throw FailureReason(errno: errno) }
    try Self.requireRegular(status)
    let descriptor = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw FailureReason(errno: errno) }
    do throws(FailureReason) {
      // What the name stands for may have changed since.
      guard fstat(descriptor, &status) == 0 else { throw FailureReason(errno: errno) }
      try Self.requireRegular(status)
      let head = try Self.read(descriptor, count: HeaderSize.examinedByteCount, from: 0)
      guard !head.isEmpty else { throw .emptyFile }
      guard let format = ImageFormat(firstBytes: head, name: path) else { throw .notAnImage }
      let byteCount = Int(status.st_size)
      let isContainer = format == .tiff || format == .raw
      embedded = isContainer ? EmbeddedPreviews(Self.source(descriptor, byteCount)) : nil
      // One without a JPEG in it may still have something that TIFF decoders show.
      let isShownByJPEG = embedded.map { $0.isRaw && !$0.previews.isEmpty } ?? false
      self.format = isShownByJPEG ? .raw : format
      self.byteCount = byteCount
      firstBytes = head
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    modified = status.st_mtim.tv_sec
  }

  deinit { close(descriptor) }

  /// What tells whether a file is still the one that it was.
  struct Status: Equatable {
    /// In bytes.
    var byteCount: Int
    /// In seconds since 1970.
    var modified: Int
  }

  /// The status of a regular file that is not opened.
  static func status(of path: [UInt8]) throws(FailureReason) -> Status {
    var status = stat()
    guard stat((path + [0]).map { CChar(bitPattern: $0) }, &status) == 0 else {
      throw FailureReason(errno: errno)
    }
    try requireRegular(status)
    return Status(byteCount: Int(status.st_size), modified: status.st_mtim.tv_sec)
  }

  /// Whether the system gives all bytes of a file, as far as it takes to fill some memory.
  static func isReadable(_ path: [UInt8]) -> Bool {
    guard let file = try? PhotoFile(path) else { return false }
    let piece = 1 << 20
    for offset in stride(from: 0, to: min(file.byteCount, 64 * piece), by: piece) {
      guard (try? read(file.descriptor, count: piece, from: offset)) != nil else { return false }
    }
    return true
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

  private static func requireRegular(_ status: stat) throws(FailureReason) {
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      // The kernel's own files say so too, and reading some of them has effects (/proc/kmsg).
      guard status.st_size > 0 else { throw .emptyFile }
    case S_IFDIR: throw .isFolder
    case S_IFIFO: throw .isNamedPipe
    case S_IFSOCK: throw .isSocket
    default: throw .isDevice
    }
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
