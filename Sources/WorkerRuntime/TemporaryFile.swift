import CLinux
import Geometry
import Glibc

/// A new file that takes its name, or the name of another file, once it is complete.
///
/// Until then it has no name, so that a process that is killed leaves nothing, or where the disk has no
/// such files a random one. It is locked, by which `removeRemains(in:)` tells it from what a killed
/// process left.
package struct TemporaryFile: ~Copyable {
  let descriptor: Int32
  private let folder: Int32
  /// The temporary name; nil if there is none.
  private var name: [CChar]?
  private var isKept = false

  /// The beginning of all temporary names.
  ///
  /// No photo has such a name: those of photos that exchange their names go on with a number.
  private static let prefix = Array(".photogrid-new-".utf8)
  /// The number of characters after that.
  private static let digits = 16
  /// The age from which a file is a remain on a disk without locks, in seconds.
  private static let longestUse = 86_400

  /// Creates an empty file that only its owner can read.
  ///
  /// - Parameters:
  ///   - folder: The descriptor of the folder, which must stay open.
  ///   - isNamed: Whether it has a temporary name from the beginning.
  /// - Throws: `ReplacementFault`, which is `.unsupported` if there can be no file without a name.
  init(in folder: Int32, isNamed: Bool) throws(ReplacementFault) {
    let file = try isNamed ? Self.createNamed(in: folder) : Self.createUnnamed(in: folder)
    (descriptor, name) = file
    self.folder = folder
  }

  private static func createUnnamed(
    in folder: Int32
  ) throws(ReplacementFault) -> (descriptor: Int32, name: [CChar]?) {
    let file = file_open_unnamed(folder)
    guard file >= 0 else { throw .unsupported }
    flock(file, LOCK_EX | LOCK_NB)
    return (file, nil)
  }

  private static func createNamed(
    in folder: Int32
  ) throws(ReplacementFault) -> (descriptor: Int32, name: [CChar]?) {
    while true {
      let name = randomName
      let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
      let file = openat(folder, name, flags, 0o600)
      guard file >= 0 else {
        guard errno == EEXIST else { throw .last }
        continue
      }
      // Another session may have taken it for a remain before it was locked.
      let isLocked = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
      var status = stat()
      if isLocked, fstat(file, &status) == 0, status.st_nlink > 0 { return (file, name) }
      close(file)
    }
  }

  deinit {
    if let name { unlinkat(folder, name, 0) }
    if !isKept { close(descriptor) }
  }

  private static var randomName: [CChar] {
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    let zeros = String(repeating: "0", count: digits - number.utf8.count)
    return (prefix + (zeros + number).utf8).terminated
  }

  /// Gives the file its lasting name.
  ///
  /// - Parameters:
  ///   - target: The name in the folder.
  ///   - isFree: Whether no file has it; otherwise that one is replaced.
  /// - Throws: `ReplacementFault`, which is `.unsupported` if a file without a name can get none, and
  ///   `.changed` if there is a file of a name that was free.
  mutating func take(_ target: [CChar], isFree: Bool) throws(ReplacementFault) {
    // Under another name first, even if the target is free: programs that watch the folder take a file
    // that is moved there as complete, but wait for the end of writing after a link.
    while name == nil {
      let new = Self.randomName
      if try link(as: new) { name = new }
    }
    guard let name else { return }
    if isFree {
      if file_rename_without_replacing(folder, name, folder, target) == 0 {
        self.name = nil
        return
      }
      guard errno == EINVAL || errno == ENOSYS else { throw errno == EEXIST ? .changed : .last }
    }
    guard renameat(folder, name, folder, target) == 0 else { throw .last }
    self.name = nil
  }

  /// Gives the file a name; false if another file has it.
  private func link(as name: [CChar]) throws(ReplacementFault) -> Bool {
    let path = Array("/proc/self/fd/\(descriptor)".utf8).terminated
    if linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW) == 0 { return true }
    switch errno {
    case EEXIST: return false
    case ENOSPC, EDQUOT, EROFS, EIO, EACCES, ENAMETOOLONG: throw .last
    // There is no /proc, or the disk cannot link files.
    default: throw .unsupported
    }
  }

  /// Returns the descriptor, which belongs to the caller from then on.
  mutating func keep() -> Int32 {
    isKept = true
    return descriptor
  }

  // MARK: - Remains

  /// Removes the temporary files that killed processes have left in a folder.
  package static func removeRemains(in path: [UInt8]) {
    guard let stream = opendir((path.isEmpty ? [0x2E] : path).terminated) else { return }
    defer { closedir(stream) }
    let folder = dirfd(stream)
    while let entry = readdir(stream) {
      let start = folder_entry_name(entry)
      guard strlen(start) == prefix.count + digits else { continue }
      let name = Array(cString: start)
      let number = name.dropFirst(prefix.count)
      let isHexadecimal = number.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
      }
      if name.starts(with: prefix), isHexadecimal {
        remove(name.terminated, in: folder, minAge: 0)
      }
    }
  }

  /// Removes what earlier versions left when they were killed while they wrote a file, after a day: they
  /// did not lock it.
  static func removeEarlier(of path: [UInt8], in folder: Int32) {
    let hash = path.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let name = Array(".photogrid-\(String(hash, radix: 16))".utf8)
    let file = path[path.nameStart...]
    for name in [name, name + file[file.extensionStart...]] {
      remove(name.terminated, in: folder, minAge: longestUse)
    }
  }

  /// Removes a file that no process uses.
  private static func remove(_ name: [CChar], in folder: Int32, minAge: Int) {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return }
    let file = openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return }
    defer { close(file) }
    let hasLocks: Bool
    if flock(file, LOCK_EX | LOCK_NB) == 0 {
      hasLocks = true
    } else {
      guard errno != EWOULDBLOCK else { return }
      hasLocks = false
    }
    let (age, isFuture) = time(nil).subtractingReportingOverflow(status.st_ctim.tv_sec)
    guard !isFuture, hasLocks && minAge == 0 || age > longestUse else { return }
    unlinkat(folder, name, 0)
  }
}
