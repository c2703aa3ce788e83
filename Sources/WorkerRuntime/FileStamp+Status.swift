import Glibc
import Photos

extension FileStamp {
  /// Creates the stamp of a regular file; nil for anything else.
  ///
  /// - Parameter path: Links are followed.
  package init?(of path: [UInt8]) {
    var status = stat()
    guard stat(path.terminated, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    self.init(status)
  }

  /// Creates the stamp of a regular file, with its sidecar if it has one; nil for anything else.
  package init?(of path: [UInt8], withSidecar: Bool) {
    self.init(of: path)
    guard withSidecar, let sidecar = SidecarFile.stamp(ofPhoto: path) else { return }
    include(sidecar)
  }

  /// Creates the stamp of a file with a status of now.
  package init(_ status: stat) {
    self.init(
      inode: UInt64(status.st_ino), byteCount: Int(status.st_size),
      seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec,
      changed: status.changeNumber, now: time(nil))
  }
}

extension stat {
  /// The time of the last change of the status, in nanoseconds since 1970, as a number that wraps.
  ///
  /// Programs cannot set it, so it tells of changes after which they have set the modification time
  /// back.
  var changeNumber: UInt64 {
    UInt64(bitPattern: Int64(st_ctim.tv_sec)) &* 1_000_000_000
      &+ UInt64(bitPattern: Int64(st_ctim.tv_nsec))
  }
}

/// Tests for regular files, as opposed to folders, links and devices.
package enum RegularFile {
  /// Returns whether there is a regular file at a path; a link to one does not count.
  package static func exists(at path: [UInt8]) -> Bool {
    var status = stat()
    return lstat(path.terminated, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

extension LivePhoto {
  /// Returns the paths of the films that exist beside a photo; none if the format has no live
  /// photos.
  package static func existingFilms(beside path: [UInt8]) -> [[UInt8]] {
    guard canHaveFilm(path) else { return [] }
    return films(beside: path).filter { RegularFile.exists(at: $0) }
  }
}
