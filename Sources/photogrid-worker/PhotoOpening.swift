import CLinux
import Glibc
import ImageFormats
import Photos
import WorkerProtocol
import WorkerRuntime

/// A photo's file, opened for another process that decodes it.
///
/// The descriptor belongs to whoever holds this value.
struct PhotoOpening {
  /// Nil if it is not a regular file.
  private(set) var stamp: FileStamp?
  private(set) var descriptor: Int32?
  /// Why the file cannot be opened.
  private(set) var failure: FailureReason?
  /// The format by the first bytes; nil if the file is not a photo.
  private(set) var format: ImageFormat?

  /// Opens a file without ever waiting for one: a named pipe or a device is not even opened.
  init(_ path: [UInt8]) {
    do throws(FailureReason) {
      stamp = try Self.stamp(of: path)
      let opened = open(path.terminated, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      guard opened >= 0 else { throw FailureReason(errno: errno) }
      do throws(FailureReason) {
        var found = stat()
        // What the name stands for may have changed since.
        guard fstat(opened, &found) == 0 else { throw FailureReason(errno: errno) }
        try Self.requireRegular(found)
        stamp = FileStamp(found)
        format = try Self.format(opened, name: path)
        descriptor = opened
      } catch {
        close(opened)
        throw error
      }
    } catch {
      failure = error
    }
  }

  /// Opens the film beside a live photo; nil if there is none.
  init?(filmBeside path: [UInt8]) {
    for film in LivePhoto.films(beside: path) where RegularFile.exists(at: film) {
      let opening = PhotoOpening(film)
      if opening.format == .film, opening.descriptor != nil {
        self = opening
        return
      }
      if let descriptor = opening.descriptor { close(descriptor) }
    }
    return nil
  }

  /// The format of an open file; nil if it is not a photo.
  private static func format(_ opened: Int32, name: [UInt8]) throws(FailureReason) -> ImageFormat? {
    // The first bytes tell the format of most photos; of others, the decoder reads these again.
    let first = try PhotoFile.read(opened, count: ImageFormat.sniffedByteCount, from: 0)
    if let format = ImageFormat(firstBytes: first) { return format }
    let head = try PhotoFile.read(opened, count: HeaderSize.examinedByteCount, from: 0)
    return ImageFormat(firstBytes: head, name: name)
  }

  /// The stamp of a regular file that is not opened.
  static func stamp(of path: [UInt8]) throws(FailureReason) -> FileStamp {
    var status = stat()
    guard stat(path.terminated, &status) == 0 else {
      throw FailureReason(errno: errno)
    }
    try requireRegular(status)
    return FileStamp(status)
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
}
