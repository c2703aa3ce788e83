import CLinux
import Glibc
import ImageFormats
import Photos
import WorkerProtocol

/// The kind of a name in a folder, determined with as few system calls as possible.
enum EntryKind {
  case folder
  /// A photo, by its name or its first bytes.
  case image
  /// Any other file.
  case other

  /// Whether a name, which must begin with a dot, is "." or "..".
  static func isSelfOrParent(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.count == 1 || (name.count == 2 && name[0] == 0x2e && name[1] == 0x2e)
  }

  /// Whether a file of this name may be a photo.
  static func mayBeImage(_ name: [UInt8]) -> Bool {
    name.withUnsafeBufferPointer { ImageFileExtension.kind(of: $0) != .other }
  }

  /// Whether a file is a photo, by its extension, or if it has none by its first bytes.
  static func isImage(_ name: [UInt8], at path: [UInt8]) -> Bool {
    switch name.withUnsafeBufferPointer({ ImageFileExtension.kind(of: $0) }) {
    case .image: true
    case .other: false
    case .noExtension:
      fileType(of: FolderWalk.cString(path), in: AT_FDCWD) == S_IFREG
        && startsAsImage(FolderWalk.cString(path), in: AT_FDCWD)
    }
  }

  /// Whether a path that has just been created is complete, as links and folders are.
  ///
  /// A regular file may still be written to.
  static func isComplete(_ path: [UInt8]) -> Bool {
    var status = stat()
    guard lstat(FolderWalk.cString(path), &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG || status.st_nlink > 1
  }

  /// The size of the file at a path, in bytes; nil if there is none.
  static func byteCount(of path: [UInt8]) -> Int? {
    var status = stat()
    return stat(FolderWalk.cString(path), &status) == 0 ? Int(status.st_size) : nil
  }

  /// Returns the current state of a path as a change.
  ///
  /// - Parameters:
  ///   - path: The path, below one of the listed roots.
  ///   - includesHidden: Whether hidden files are listed.
  ///   - isGiven: Whether the path itself is one of the roots.
  /// - Returns: Nil for a file that is not listed, and for a missing root, which keeps its tile.
  static func change(of path: PhotoPath, includesHidden: Bool, isGiven: Bool) -> PhotoChange? {
    var status = stat()
    guard lstat(FolderWalk.cString(path.path), &status) == 0 else {
      return isGiven ? nil : .absent(path)
    }
    let name = path.path.lastPathComponent
    let isListed =
      isGiven || ((includesHidden || name.first != 0x2e) && isImage(name, at: path.path))
    return isListed ? .present(path) : nil
  }

  static func isFolder(_ path: [UInt8]) -> Bool {
    fileType(of: FolderWalk.cString(path), in: AT_FDCWD) == S_IFDIR
  }

  /// Whether the folder at a path was removed.
  static func isRemoved(_ folder: [UInt8]) -> Bool {
    var status = stat()
    guard stat(FolderWalk.cString(folder.isEmpty ? [0x2e] : folder), &status) == 0 else {
      return errno == ENOENT || errno == ENOTDIR
    }
    return status.st_nlink == 0
  }

  /// Returns the kind of a name in an open folder.
  ///
  /// A link with the name of an image counts as an image, whatever its target: following a hundred
  /// thousand links would take too long.
  ///
  /// - Parameters:
  ///   - name: The name, which a NUL must follow in memory.
  ///   - type: The type that `readdir` reports, such as `DT_REG`.
  ///   - folder: The descriptor of the folder.
  /// - Returns: The kind.
  static func kind(
    of name: UnsafeBufferPointer<UInt8>, type: UInt8, in folder: Int32
  ) -> EntryKind {
    guard let start = name.baseAddress else { return .other }
    let path = UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
    let imageName = ImageFileExtension.kind(of: name)
    if Int(type) == DT_LNK, imageName == .image { return .image }
    let isKnown = Int(type) != DT_UNKNOWN && Int(type) != DT_LNK
    let mode = isKnown ? mode_t(type) << 12 : fileType(of: path, in: folder)
    if mode == S_IFDIR { return .folder }
    switch imageName {
    case .image: return .image
    case .other: return .other
    case .noExtension: return mode == S_IFREG && startsAsImage(path, in: folder) ? .image : .other
    }
  }

  /// The type of a file as in `st_mode`, with links followed; 0 for a broken link.
  private static func fileType(of path: UnsafePointer<CChar>, in folder: Int32) -> mode_t {
    var status = stat()
    guard fstatat(folder, path, &status, 0) == 0 else { return 0 }
    return status.st_mode & S_IFMT
  }

  /// Whether a file begins with the signature of an image format.
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
