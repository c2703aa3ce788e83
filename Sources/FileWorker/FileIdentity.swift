import Glibc

/// Which file a name leads to, whatever name it has: its disk, and its number on that disk.
struct FileIdentity: Hashable {
  /// The number of the disk.
  var device: UInt64
  /// The number of the file on its disk.
  var inode: UInt64

  /// The identity with these numbers.
  init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  /// The file, or the symbolic link itself, at a path; nil if there is none.
  init?(at path: [UInt8]) {
    var status = stat()
    guard lstat(path.terminated, &status) == 0 else { return nil }
    self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}
