import Foundation
import Glibc

/// A disk of 1 MB, at the folder "disk" of another one.
final class SmallDisk {
  private let folder: RatedFolder
  private let path: String
  private static let pageLength = 4096

  /// Mounts the disk; nil if that is not allowed, as to ordinary users.
  init?(in folder: RatedFolder) {
    self.folder = folder
    path = "\(folder.folder.path)/disk"
    mkdir(path, 0o755)
    _ = folder.output(of: "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path)
    var (here, there) = (stat(), stat())
    guard stat(folder.folder.path, &here) == 0, stat(path, &there) == 0,
      here.st_dev != there.st_dev
    else { return nil }
  }

  deinit { _ = folder.output(of: "umount", path) }

  /// Fills the disk with a file "fill", but for some pages of 4 kB.
  func fill(leaving pages: Int) {
    let file = open("\(path)/fill", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    defer { close(file) }
    lseek(file, 0, SEEK_END)
    let zeros = [UInt8](repeating: 0, count: Self.pageLength)
    while write(file, zeros, zeros.count) > 0 {}
    let length = lseek(file, 0, SEEK_END)
    ftruncate(file, max(length - off_t(pages * Self.pageLength), 0))
  }

  func makeReadOnly() { _ = folder.output(of: "mount", "-o", "remount,ro", path) }
}
