import Geometry
import Glibc

/// The identity of a file or folder, whatever names it has.
package struct FileIdentity: Hashable, Sendable {
  /// The device number of its file system.
  package let device: UInt64
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  package init(_ status: stat) {
    self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// Creates the identity of an open file.
  package init(of descriptor: Int32) {
    var status = stat()
    fstat(descriptor, &status)
    self.init(status)
  }

  /// Creates the identity of the file at a path, or of a link itself; nil if there is none.
  package init?(at path: [UInt8]) {
    var status = stat()
    guard lstat(path.terminated, &status) == 0 else { return nil }
    self.init(status)
  }
}
