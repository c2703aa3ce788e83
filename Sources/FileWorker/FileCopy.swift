import CLinux
import Glibc
import WorkerRuntime

/// Copies files; a copy is completely on the disk when the call returns.
struct FileCopy {
  /// A closure that receives the number of bytes copied since the last call.
  var report: (Int) -> Void = { _ in }

  /// The most bytes to copy before progress is reported.
  private static let pieceLength = 4 << 20

  /// Copies the contents, times, owner, permissions and extended attributes of a file.
  ///
  /// - Parameters:
  ///   - source: The path of a file, or of a symbolic link, which is copied itself.
  ///   - target: The path of the new file, which does not exist.
  ///   - linkText: The text of the new link, if the file is one; nil for that of the old link.
  /// - Returns: The new file.
  /// - Throws: `FileFault`; there is no new file then.
  func copy(
    _ source: [UInt8], to target: [UInt8], linkText: [UInt8]? = nil
  ) throws(FileFault) -> FileIdentity {
    var status = stat()
    guard lstat(source.terminated, &status) == 0 else { throw .last }
    do throws(FileFault) {
      switch status.st_mode & S_IFMT {
      case S_IFREG: try copyFile(source, status, to: target)
      case S_IFLNK: try copyLink(source, to: target, linkText)
      default: throw .irregular
      }
    } catch {
      // A file that already had the name is not ours to remove.
      if error != .system(EEXIST) { unlink(target.terminated) }
      throw error
    }
    guard let file = FileIdentity(at: target) else { throw .last }
    return file
  }

  private func copyLink(
    _ source: [UInt8], to target: [UInt8], _ text: [UInt8]?
  ) throws(FileFault) {
    guard let link = SymbolicLink(at: source),
      symlink((text ?? link.text).terminated, target.terminated) == 0
    else { throw .last }
  }

  private func copyFile(
    _ source: [UInt8], _ status: stat, to target: [UInt8]
  ) throws(FileFault) {
    let from = open(source.terminated, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard from >= 0 else { throw .last }
    defer { close(from) }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let to = open(target.terminated, flags, 0o600)
    guard to >= 0 else { throw .last }
    var isOpen = true
    defer { if isOpen { close(to) } }
    try copyContents(from, to)
    file_copy_attributes(from, to)
    // These fail on file systems without owners or permissions, as on memory cards.
    fchown(to, status.st_uid, status.st_gid)
    fchmod(to, status.st_mode & 0o7777)
    var times = [status.st_atim, status.st_mtim]
    futimens(to, &times)
    guard fsync(to) == 0 else { throw .last }
    try check(from, to, status)
    isOpen = false
    // Network disks may report only now that they are full.
    guard close(to) == 0 else { throw .last }
  }

  private func copyContents(_ from: Int32, _ to: Int32) throws(FileFault) {
    // Some file systems let files share their contents, so that nothing needs to be copied.
    if file_shares_contents(from, to) == 0 { return }
    var isSendable = true
    var buffer: [UInt8] = []
    while true {
      var count = -1
      if isSendable {
        count = sendfile(to, from, nil, Self.pieceLength)
        if count < 0, errno == EINVAL || errno == ENOSYS { isSendable = false }
      }
      if !isSendable {
        if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: 1 << 20) }
        count = read(from, &buffer, buffer.count)
        if count > 0 { try write(buffer[..<count], to: to) }
      }
      if count == 0 { return }
      guard count > 0 || errno == EINTR else { throw .last }
      if count > 0 { report(count) }
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(FileFault) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { throw .last }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  /// Checks that a whole file was copied, and that no program wrote to it during the copy.
  private func check(_ from: Int32, _ to: Int32, _ before: stat) throws(FileFault) {
    var (source, target) = (stat(), stat())
    guard fstat(from, &source) == 0, fstat(to, &target) == 0 else { throw .last }
    guard source.st_size == target.st_size, source.st_size == before.st_size,
      source.st_ino == before.st_ino, source.st_dev == before.st_dev,
      source.st_mtim.tv_sec == before.st_mtim.tv_sec,
      source.st_mtim.tv_nsec == before.st_mtim.tv_nsec
    else { throw .changed }
  }

  /// Whether a copy has the type, size and contents of its original, or leads to the same file as
  /// that does.
  ///
  /// The contents are assumed to be the same if the modification times are.
  static func isSame(_ path: [UInt8], as other: [UInt8]) -> Bool {
    if let link = SymbolicLink(at: path) {
      return SymbolicLink(at: other).map {
        link.text == $0.text || link.text == $0.text(at: path)
      } ?? false
    }
    var (first, second) = (stat(), stat())
    guard lstat(path.terminated, &first) == 0, lstat(other.terminated, &second) == 0,
      first.st_mode & S_IFMT == second.st_mode & S_IFMT, first.st_size == second.st_size
    else { return false }
    if first.st_mtim.tv_sec == second.st_mtim.tv_sec,
      first.st_mtim.tv_nsec == second.st_mtim.tv_nsec
    {
      return true
    }
    return first.st_mode & S_IFMT == S_IFREG && hasSameContents(path, other)
  }

  private static func hasSameContents(_ path: [UInt8], _ other: [UInt8]) -> Bool {
    let files = [path, other].map { open($0.terminated, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
    defer { for file in files where file >= 0 { close(file) } }
    guard files.allSatisfy({ $0 >= 0 }) else { return false }
    var pieces = [[UInt8]](repeating: [UInt8](repeating: 0, count: 1 << 18), count: 2)
    while true {
      guard let first = readPiece(of: files[0], into: &pieces[0]),
        let second = readPiece(of: files[1], into: &pieces[1]), first == second,
        pieces[0][..<first] == pieces[1][..<second]
      else { return false }
      if first == 0 { return true }
    }
  }

  /// Reads until a piece is full or the file ends: network and FUSE disks may return less than they
  /// have.
  ///
  /// - Returns: The number of bytes; nil if they cannot be read.
  static func readPiece(of file: Int32, into piece: inout [UInt8]) -> Int? {
    var count = 0
    while count < piece.count {
      let more = piece.withUnsafeMutableBytes {
        read(file, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if more == 0 { break }
      guard more > 0 || errno == EINTR else { return nil }
      count += max(more, 0)
    }
    return count
  }
}

/// Flushes the names in a folder to the disk, if its file system can do that for a folder.
///
/// - Throws: `FileFault` if they may not be on the disk.
func syncFolder(_ path: [UInt8]) throws(FileFault) {
  let folder = open(path.terminated, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  // A folder that may not be read cannot be flushed either.
  guard folder >= 0 else { return }
  defer { close(folder) }
  guard fsync(folder) == 0 || [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else { throw .last }
}
