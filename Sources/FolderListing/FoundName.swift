import Glibc
import ImageFormats
import WorkerProtocol

/// What a name in a folder stands for, found out with as few questions as possible.
enum FoundName {
  case folder, image, other

  /// Whether it is one of the two names that every folder has.
  static func isSelfOrParent(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.count == 1 || (name.count == 2 && name[0] == 0x2e && name[1] == 0x2e)
  }

  /// Whether a photo may have this name.
  static func mayBeImage(_ name: [UInt8]) -> Bool {
    name.withUnsafeBufferPointer { ImageName.verdict(on: $0) != .other }
  }

  /// Whether a name stands for a photo; where it does not tell, the file at `path` is looked at.
  static func isImage(_ name: [UInt8], at path: [UInt8]) -> Bool {
    switch name.withUnsafeBufferPointer({ ImageName.verdict(on: $0) }) {
    case .image: true
    case .other: false
    case .unnamed:
      fileType(of: FolderWalk.cString(path), in: AT_FDCWD) == S_IFREG
        && startsAsImage(FolderWalk.cString(path), in: AT_FDCWD)
    }
  }

  /// Whether nobody writes to what has just appeared at a path: links are complete at once, and so
  /// is what is no file.
  static func isComplete(_ path: [UInt8]) -> Bool {
    var status = stat()
    guard lstat(FolderWalk.cString(path), &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG || status.st_nlink > 1
  }

  /// The size of the file at a path, in bytes; nil where there is none.
  static func byteCount(of path: [UInt8]) -> Int? {
    var status = stat()
    return stat(FolderWalk.cString(path), &status) == 0 ? Int(status.st_size) : nil
  }

  /// Whether there is a folder at a path.
  static func isFolder(_ path: [UInt8]) -> Bool {
    fileType(of: FolderWalk.cString(path), in: AT_FDCWD) == S_IFDIR
  }

  /// Whether there is no folder any more at a path, or nothing leads to it.
  static func isGone(_ folder: [UInt8]) -> Bool {
    var status = stat()
    guard stat(FolderWalk.cString(folder.isEmpty ? [0x2e] : folder), &status) == 0 else {
      return errno == ENOENT || errno == ENOTDIR
    }
    return status.st_nlink == 0
  }

  /// The kind of a name that a NUL follows, in an open folder.
  ///
  /// The type is one of `readdir`'s. A link is an image if its name says so, wherever it leads:
  /// with a hundred thousand of them nobody can wait until all are looked at.
  static func kind(
    of name: UnsafeBufferPointer<UInt8>, type: UInt8, in folder: Int32
  ) -> FoundName {
    guard let start = name.baseAddress else { return .other }
    let path = UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
    let verdict = ImageName.verdict(on: name)
    if Int(type) == DT_LNK, verdict == .image { return .image }
    let isKnown = Int(type) != DT_UNKNOWN && Int(type) != DT_LNK
    let mode = isKnown ? mode_t(type) << 12 : fileType(of: path, in: folder)
    if mode == S_IFDIR { return .folder }
    switch verdict {
    case .image: return .image
    case .other: return .other
    case .unnamed: return mode == S_IFREG && startsAsImage(path, in: folder) ? .image : .other
    }
  }

  /// The file's type as in `st_mode`, behind links; 0 for a link that leads nowhere.
  private static func fileType(of path: UnsafePointer<CChar>, in folder: Int32) -> mode_t {
    var status = stat()
    guard fstatat(folder, path, &status, 0) == 0 else { return 0 }
    return status.st_mode & S_IFMT
  }

  /// Whether the first bytes are those of an image.
  private static func startsAsImage(_ path: UnsafePointer<CChar>, in folder: Int32) -> Bool {
    let descriptor = openat(folder, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let head = [UInt8](unsafeUninitializedCapacity: ImageFormat.sniffedByteCount) { bytes, count in
      count = max(pread(descriptor, bytes.baseAddress, bytes.count, 0), 0)
    }
    return ImageFormat(firstBytes: head) != nil
  }
}
