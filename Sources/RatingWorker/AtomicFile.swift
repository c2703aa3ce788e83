import CLinux
import Glibc
import PhotoGridCore

/// A file that is read and replaced as a whole.
struct AtomicFile {
  let path: [UInt8]
  /// The state of the file when it was read; nil if there was none.
  private(set) var status: stat?
  private(set) var bytes: [UInt8] = []

  /// The largest sidecar, in bytes.
  static let maxSidecar = 16 << 20

  /// Reads a file; if it does not exist, `replace(by:mode:)` creates it.
  ///
  /// - Throws: `RatingFault` if the file cannot be read, is too large or not a regular file.
  init(_ path: [UInt8]) throws(RatingFault) {
    self.path = Self.resolved(path)
    let descriptor = open(self.path.terminated, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw .last }
      return
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .irregularSidecar }
    guard status.st_size <= Self.maxSidecar else { throw .largeSidecar }
    self.status = status
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor, &piece, piece.count)
      guard count > 0 || count < 0 && errno == EINTR else {
        guard count == 0 else { throw .last }
        break
      }
      bytes += piece[..<max(count, 0)]
      guard bytes.count <= Self.maxSidecar else { throw .largeSidecar }
    }
  }

  /// Replaces the contents of the file atomically: after a crash or with a full disk, the file has
  /// either all of the old contents or all of the new.
  ///
  /// - Returns: False if the file has changed since it was read, and was left alone.
  /// - Throws: `RatingFault`; the file is unchanged then.
  func replace(by new: [UInt8], mode: mode_t) throws(RatingFault) -> Bool {
    try Self.replace(path, status, mode: mode) { (descriptor, _) throws(RatingFault) in
      try Self.write(new, to: descriptor)
    }
  }

  /// Removes the file.
  ///
  /// - Returns: False if the file has changed since it was read, and was left alone.
  func remove() throws(RatingFault) -> Bool {
    guard Self.isUnchanged(path, status) else { return false }
    guard unlink(path.terminated) == 0 || errno == ENOENT else { throw .last }
    return true
  }

  /// Replaces a file atomically by a new one, which is first written under a temporary name.
  ///
  /// - Returns: False if the file has changed since `status`, and was left alone.
  /// - Throws: `RatingFault`; the file is unchanged then.
  static func replace(
    _ path: [UInt8], _ status: stat?, mode: mode_t, suffix: [UInt8] = [],
    _ fill: (Int32, [UInt8]) throws(RatingFault) -> Void
  ) throws(RatingFault) -> Bool {
    let folder = Array(path[..<path.nameStart])
    // The name depends on the path only, so that the next write removes what a killed process left.
    let temporary = folder + ".photogrid-\(hash(of: path))".utf8 + suffix
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    var descriptor = open(temporary.terminated, flags, 0o600)
    if descriptor < 0, errno == EEXIST {
      unlink(temporary.terminated)
      descriptor = open(temporary.terminated, flags, 0o600)
    }
    guard descriptor >= 0 else { throw .last }
    var isKept = false
    defer {
      close(descriptor)
      if !isKept { unlink(temporary.terminated) }
    }
    try fill(descriptor, temporary)
    // The XMP library may have replaced the file at this path when it wrote into a photo.
    let filled = open(temporary.terminated, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard filled >= 0 else { throw .last }
    close(descriptor)
    descriptor = filled
    if let status { fchown(descriptor, status.st_uid, status.st_gid) }
    guard fchmod(descriptor, (status?.st_mode ?? mode) & 0o7777) == 0, fsync(descriptor) == 0
    else { throw .last }
    guard isUnchanged(path, status) else { return false }
    guard rename(temporary.terminated, path.terminated) == 0 else { throw .last }
    isKept = true
    return true
  }

  /// Removes the temporary files for a path that a killed process may have left.
  ///
  /// The XMP library's own temporary files begin with the name of the file that it writes.
  static func removeRemains(of path: [UInt8]) {
    let folder = Array(path[..<path.nameStart])
    guard let stream = opendir((folder.isEmpty ? [0x2e] : folder).terminated) else { return }
    defer { closedir(stream) }
    let prefix = ".photogrid-\(hash(of: path))"
    while let entry = readdir(stream) {
      let name = Array(cString: folder_entry_name(entry))
      if name.starts(with: prefix.utf8) { unlink((folder + name).terminated) }
    }
  }

  /// Whether a file still has an earlier state; nil is the state of a missing file.
  private static func isUnchanged(_ path: [UInt8], _ old: stat?) -> Bool {
    var now = stat()
    guard stat(path.terminated, &now) == 0 else { return old == nil && errno == ENOENT }
    guard let old else { return false }
    return old.st_ino == now.st_ino && old.st_size == now.st_size
      && old.st_mtim.tv_sec == now.st_mtim.tv_sec && old.st_mtim.tv_nsec == now.st_mtim.tv_nsec
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(RatingFault) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start)
      }
      guard count > 0 || errno == EINTR else { throw .last }
      start += max(count, 0)
    }
  }

  /// Returns a path with symbolic links resolved, or the path itself if it does not exist.
  static func resolved(_ path: [UInt8]) -> [UInt8] {
    guard let real = realpath(path.terminated, nil) else { return path }
    defer { free(real) }
    return Array(cString: real)
  }

  /// Returns the 64-bit FNV-1a hash of a path, in hexadecimal digits.
  private static func hash(of path: [UInt8]) -> String {
    let hash = path.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}
