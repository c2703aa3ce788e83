import Glibc

/// The identity of a file, whatever names it has.
struct FileIdentity: Hashable {
  /// The device number of its file system.
  var device: UInt64
  /// Its inode number.
  var inode: UInt64

  /// Creates the identity with these numbers.
  init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  /// Creates the identity of the file, or of the symbolic link itself, at a path; nil without one.
  init?(at path: [UInt8]) {
    var status = stat()
    guard lstat(path.terminated, &status) == 0 else { return nil }
    self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}
