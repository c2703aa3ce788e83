import CLinux
import Geometry
import Glibc
import ImageFormats

/// A file that is locked from before it is read until after it is replaced, so that sessions which
/// change the same file queue instead of overwriting each other.
///
///     var file = try LockedFile(path)
///     let old = try file.read(atMost: 16 << 20)
///     try file.replace(by: [.kept(0..<100), .new(packet), .kept(200..<file.count)], .photo)
///
/// After a crash, a power cut or with a full disk, the path leads to the whole old file or to the whole
/// new one. A file that does not exist yet is created in the same way, with its folder locked.
package struct LockedFile: ~Copyable {
  /// The absolute path.
  ///
  /// A symbolic link is resolved: it stays, and its target is replaced.
  package let path: [UInt8]
  /// The open file; nil if there is none.
  package private(set) var descriptor: Int32?
  /// The state of the file since it was locked; nil if there is none.
  package private(set) var status: stat?
  private let folder: Int32
  private let name: [CChar]

  /// The attributes of the file that its replacement keeps.
  package enum Kind: Equatable, Sendable {
    /// All that the disk can keep: owner, permissions, attributes, and times. A photo whose owner
    /// cannot stay is not replaced.
    case photo
    /// All but the times, by which other programs notice the change. The mode is for a new file.
    case text(mode: mode_t)
  }

  /// The time to wait for another session, in seconds: less than a worker has for a request.
  package static let patience = 10.0

  /// Opens and locks a file, which need not exist but in a folder that does.
  ///
  /// On a disk without locks the file is only compared before it is replaced.
  package init(
    _ path: [UInt8], patience: Double = Self.patience
  ) throws(ReplacementFault) {
    let deadline = monotonic_nanoseconds() + Int64(patience * 1e9)
    while true {
      let path = try Self.resolved(path)
      let folder = try Self.openFolder(Array(path[..<path.nameStart]))
      let name = Array(path[path.nameStart...]).terminated
      do throws(ReplacementFault) {
        if let file = try Self.lock(name, in: folder, until: deadline) {
          (self.path, self.folder, self.name) = (path, folder, name)
          (descriptor, status) = (file.descriptor, file.status)
          return
        }
      } catch {
        close(folder)
        throw error
      }
      // Another session has replaced the file, so that the path leads to a new one.
      close(folder)
      guard monotonic_nanoseconds() < deadline else { throw .busy }
    }
  }

  deinit {
    if let descriptor { close(descriptor) }
    close(folder)
  }

  // MARK: - Opening

  /// Opens and locks a file, or its folder if it does not exist; nil if the path leads elsewhere by now.
  private static func lock(
    _ name: [CChar], in folder: Int32, until deadline: Int64
  ) throws(ReplacementFault) -> (descriptor: Int32?, status: stat?)? {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      guard errno == ENOENT else { throw .last }
      try lock(folder, until: deadline)
      guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 else { return nil }
      return errno == ENOENT ? (nil, nil) : nil
    }
    // A named pipe or a device is not even opened.
    guard status.st_mode & S_IFMT != S_IFLNK else { return nil }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .irregular }
    let file = openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW)
    guard file >= 0 else {
      if errno == ENOENT || errno == ELOOP { return nil }
      throw .last
    }
    do throws(ReplacementFault) {
      try lock(file, until: deadline)
      var (opened, named) = (stat(), stat())
      guard fstat(file, &opened) == 0 else { throw .last }
      if fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0, opened.isFile(of: named) {
        guard opened.st_mode & S_IFMT == S_IFREG else { throw .irregular }
        return (file, opened)
      }
    } catch {
      close(file)
      throw error
    }
    close(file)
    return nil
  }

  /// Locks an open file or folder, if its disk has locks.
  private static func lock(_ file: Int32, until deadline: Int64) throws(ReplacementFault) {
    var pause: UInt32 = 500
    while flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
      guard monotonic_nanoseconds() < deadline else { throw .busy }
      usleep(UInt32.random(in: pause / 2...pause))
      pause = min(pause * 2, 20_000)
    }
  }

  private static func openFolder(_ path: [UInt8]) throws(ReplacementFault) -> Int32 {
    let folder = open(path.terminated, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 { return folder }
    guard errno == EACCES else { throw .last }
    // Files can be replaced in a folder that cannot be listed, nor locked or flushed.
    let passed = folder_open(path.terminated)
    guard passed >= 0 else { throw .last }
    return passed
  }

  /// Returns the absolute path of the file that a path leads to, or would if it existed.
  package static func resolved(_ path: [UInt8]) throws(ReplacementFault) -> [UInt8] {
    var path = path
    for _ in 0..<40 {
      if let real = realpath(path.terminated, nil) {
        defer { free(real) }
        return Array(cString: real)
      }
      guard errno == ENOENT else { throw .last }
      let (folder, name) = (path[..<path.nameStart], path[path.nameStart...])
      guard let real = realpath((folder.isEmpty ? [0x2E] : Array(folder)).terminated, nil)
      else { throw .last }
      defer { free(real) }
      let place = Array(cString: real) + [UInt8(ascii: "/")]
      // A link to a file that does not exist.
      var link = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink((place + name).terminated, &link, link.count)
      guard count > 0 else { return place + name }
      let target = link[..<count].map { UInt8(bitPattern: $0) }
      path = target.first == UInt8(ascii: "/") ? target : place + target
    }
    throw .system(ELOOP)
  }

  // MARK: - Reading

  /// The number of bytes; 0 if there is no file.
  package var count: Int { Int(status?.st_size ?? 0) }

  /// Whether the file has several names, of which replacing it would take one away from the others.
  package var hasSeveralNames: Bool { (status?.st_nlink ?? 1) > 1 }

  /// The file's bytes, valid until the file is replaced; empty if it does not exist.
  package var source: ByteSource { ByteSource(of: descriptor ?? -1, count: count) }

  /// Reads a range of an open file; fewer bytes at its end, nil if they cannot be read.
  package static func bytes(of file: Int32, _ range: Range<Int>) -> [UInt8]? {
    var fault: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      count = 0
      while count < range.count {
        let added = pread(
          file, buffer.baseAddress?.advanced(by: count), range.count - count,
          off_t(range.lowerBound + count))
        if added < 0, errno == EINTR { continue }
        if added < 0 { fault = errno }
        guard added > 0 else { break }
        count += added
      }
    }
    guard fault == 0 else {
      errno = fault
      return nil
    }
    return bytes
  }

  /// Reads the whole file; empty if there is none.
  ///
  /// - Throws: `ReplacementFault`, which is `.large` if it has more than `limit` bytes.
  package func read(atMost limit: Int) throws(ReplacementFault) -> [UInt8] {
    guard let descriptor else { return [] }
    guard count <= limit else { throw .large }
    guard let bytes = Self.bytes(of: descriptor, 0..<count) else { throw .last }
    guard bytes.count == count else { throw .changed }
    return bytes
  }

  // MARK: - Replacing

  /// Replaces the file, which is the new one from then on, and still locked.
  ///
  /// - Parameters:
  ///   - pieces: The contents, in their order.
  ///   - kind: What stays besides the contents.
  ///   - isRight: Whether the new file, as it can be read by its descriptor, may take the place.
  ///   - prepare: Called when the new file is on the disk, and only its name is missing.
  /// - Throws: `ReplacementFault`; the file is unchanged then, unless its folder cannot be flushed.
  package mutating func replace(
    by pieces: [FilePatch.Piece], _ kind: Kind, verifiedBy isRight: (Int32) -> Bool = { _ in true },
    preparedBy prepare: () -> Void = {}
  ) throws(ReplacementFault) {
    guard !hasSeveralNames else { throw .shared }
    // Otherwise noticed only after most of it is copied.
    let count = pieces.reduce(0) { $0 + $1.count }
    guard count <= Self.maxCount else { throw .system(EFBIG) }
    do throws(ReplacementFault) {
      return try replace(by: pieces, kind, isRight, prepare, isNamed: false)
    } catch {
      guard error == .unsupported else { throw error }
    }
    // The disk has no files without names, or the system no way to give them one.
    try replace(by: pieces, kind, isRight, prepare, isNamed: true)
  }

  private mutating func replace(
    by pieces: [FilePatch.Piece], _ kind: Kind, _ isRight: (Int32) -> Bool,
    _ prepare: () -> Void, isNamed: Bool
  ) throws(ReplacementFault) {
    var new = try TemporaryFile(in: folder, isNamed: isNamed)
    for piece in pieces {
      switch piece {
      case .kept(let range): try copy(range, to: new.descriptor)
      case .new(let bytes): try Self.write(bytes, to: new.descriptor)
      }
    }
    if let descriptor, let status {
      let isOwn = FileAttributes.copy(
        from: descriptor, status, to: new.descriptor, withTimes: kind == .photo)
      guard isOwn || kind != .photo else { throw .foreign }
    } else if case .text(let mode) = kind {
      fchmod(new.descriptor, mode & 0o777)
    }
    var written = stat()
    guard fstat(new.descriptor, &written) == 0 else { throw .last }
    guard Int(written.st_size) == pieces.reduce(0, { $0 + $1.count }), isRight(new.descriptor)
    else { throw .unverified }
    guard fsync(new.descriptor) == 0 else { throw .last }
    prepare()
    guard isUnchanged else { throw .changed }
    try new.take(name, isFree: status == nil)
    TemporaryFile.removeEarlier(of: path, in: folder)
    try Self.flush(folder)
    guard fstat(new.descriptor, &written) == 0 else { throw .last }
    if let descriptor { close(descriptor) }
    (descriptor, status) = (new.keep(), written)
  }

  /// The largest file that this process may write, in bytes.
  private static var maxCount: Int {
    var limits = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0 else { return .max }
    return Int(clamping: limits.rlim_cur)
  }

  package mutating func replace(by bytes: [UInt8], _ kind: Kind) throws(ReplacementFault) {
    try replace(by: [.new(bytes)], kind)
  }

  /// Removes the file.
  package mutating func remove() throws(ReplacementFault) {
    guard isUnchanged else { throw .changed }
    guard unlinkat(folder, name, 0) == 0 || errno == ENOENT else { throw .last }
    try Self.flush(folder)
    if let descriptor { close(descriptor) }
    (descriptor, status) = (nil, nil)
  }

  /// Whether the path still leads to the file, and no program that does not lock it has changed it.
  package var isUnchanged: Bool {
    var now = stat()
    guard fstatat(folder, name, &now, AT_SYMLINK_NOFOLLOW) == 0 else {
      return status == nil && errno == ENOENT
    }
    return status.map { now.isState(of: $0) } ?? false
  }

  private func copy(_ range: Range<Int>, to target: Int32) throws(ReplacementFault) {
    guard let descriptor else { throw .changed }
    var offset = Int64(range.lowerBound)
    let end = Int64(range.upperBound)
    // The kernel copies, or lets the files share what they have in common, where the disk can.
    while offset < end, file_copy_range(descriptor, &offset, target, Int(end - offset)) > 0 {}
    while offset < end {
      let piece = Int(offset)..<Int(min(offset + 1 << 20, end))
      guard let bytes = Self.bytes(of: descriptor, piece) else { throw .last }
      guard bytes.count == piece.count else { throw .changed }
      try Self.write(bytes, to: target)
      offset = Int64(piece.upperBound)
    }
  }

  private static func write(_ bytes: [UInt8], to file: Int32) throws(ReplacementFault) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(file, $0.baseAddress?.advanced(by: start), $0.count - start)
      }
      guard count > 0 || count < 0 && errno == EINTR else {
        throw count == 0 ? .system(ENOSPC) : .last
      }
      start += max(count, 0)
    }
  }

  /// Flushes the names in a folder to the disk, if its file system can do that for a folder.
  private static func flush(_ folder: Int32) throws(ReplacementFault) {
    guard fsync(folder) == 0 || [EINVAL, ENOSYS, EOPNOTSUPP, EBADF].contains(errno) else {
      throw .last
    }
  }
}

extension ByteSource {
  /// Creates a source of the bytes of an open file.
  package init(of descriptor: Int32, count: Int) {
    self.init(count: count) { LockedFile.bytes(of: descriptor, $0) }
  }
}

/// Why a file was not replaced.
package enum ReplacementFault: Error, Equatable {
  case system(Int32)
  /// It is a folder, a device, a pipe or a socket.
  case irregular
  /// It is larger than may be read.
  case large
  /// A program that does not lock files has changed it since it was locked; it may be tried again.
  case changed
  /// Another session has had it locked all the time.
  case busy
  /// It belongs to another user, and would belong to this one.
  case foreign
  /// It has several names, of which it would be separated from all but one.
  case shared
  /// The bytes that were written are not those that should have been.
  case unverified
  /// The disk has no files without names.
  case unsupported

  /// The error of the system call that has just failed, from `errno`.
  static var last: ReplacementFault { .system(errno) }

  /// Does something with a file, and throws what its fault is converted to.
  package static func converting<Fault: Error, Value: ~Copyable>(
    _ convert: (ReplacementFault) -> Fault, _ body: () throws(ReplacementFault) -> Value
  ) throws(Fault) -> Value {
    do throws(ReplacementFault) {
      return try body()
    } catch {
      throw convert(error)
    }
  }
}

extension stat {
  /// Whether this is the status of the same file.
  fileprivate func isFile(of other: stat) -> Bool {
    FileIdentity(self) == FileIdentity(other)
  }

  /// Whether this is the status of the same state of the same file.
  package func isState(of other: stat) -> Bool {
    isFile(of: other) && st_size == other.st_size && st_mtim.tv_sec == other.st_mtim.tv_sec
      && st_mtim.tv_nsec == other.st_mtim.tv_nsec && st_ctim.tv_sec == other.st_ctim.tv_sec
      && st_ctim.tv_nsec == other.st_ctim.tv_nsec
  }
}
