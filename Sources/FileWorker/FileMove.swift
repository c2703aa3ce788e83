import CLinux
import Glibc

/// Moving a file to another name without ever taking the place of another file.
package enum FileMove {
  /// A file's name in an open folder, or a path where the folder is `AT_FDCWD`.
  package struct Place {
    var folder: Int32
    var name: [UInt8]

    /// A path from the current folder on, or an absolute one.
    package init(_ path: [UInt8]) { self.init(AT_FDCWD, path) }

    init(_ folder: Int32, _ name: [UInt8]) {
      self.folder = folder
      self.name = name
    }
  }

  /// How it is seen to that nothing is overwritten; not every file system knows every way.
  package enum Way: CaseIterable, Sendable {
    /// The system refuses by itself.
    case refusing
    /// A second name is made, which fails where there is one, and then the first is removed.
    case linking
    /// An empty file is made, which fails where there is one, and then its place is taken.
    case reserving
  }

  /// Moves a file.
  ///
  /// - Throws: `EEXIST` where there is something of the new name, `EXDEV` where it is on another
  ///   disk; everything is as it was then.
  package static func move(
    _ old: Place, to new: Place, ways: [Way] = Way.allCases
  ) throws(FileFault) {
    var fault = FileFault.system(EINVAL)
    for way in ways {
      do throws(FileFault) {
        return try move(old, to: new, by: way)
      } catch {
        fault = error
        guard case .system(let code) = error, isUnknown(code, by: way) else { break }
      }
    }
    if fault == .system(EEXIST), isOneFile(old, new) {
      // Only letters' cases differ, on a file system that does not tell them apart.
      guard renameat(old.folder, old.name.terminated, new.folder, new.name.terminated) == 0 else {
        throw .last
      }
      return
    }
    throw fault
  }

  private static func move(_ old: Place, to new: Place, by way: Way) throws(FileFault) {
    let (from, to) = (old.name.terminated, new.name.terminated)
    switch way {
    case .refusing:
      guard file_moves_without_replacing(old.folder, from, new.folder, to) == 0 else {
        throw .last
      }
    case .linking:
      guard linkat(old.folder, from, new.folder, to, 0) == 0 else { throw .last }
      guard unlinkat(old.folder, from, 0) == 0 else {
        let fault = FileFault.last
        unlinkat(new.folder, to, 0)
        throw fault
      }
    case .reserving:
      let descriptor = openat(new.folder, to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw .last }
      close(descriptor)
      guard renameat(old.folder, from, new.folder, to) == 0 else {
        let fault = FileFault.last
        unlinkat(new.folder, to, 0)
        throw fault
      }
    }
  }

  /// Whether an error says that the file system does not know a way.
  private static func isUnknown(_ code: Int32, by way: Way) -> Bool {
    switch way {
    case .refusing: [EINVAL, ENOSYS, EOPNOTSUPP].contains(code)
    case .linking: [EPERM, ENOSYS, EOPNOTSUPP, EMLINK].contains(code)
    case .reserving: false
    }
  }

  /// Whether two names are one and the same of a file that has no others.
  private static func isOneFile(_ old: Place, _ new: Place) -> Bool {
    var (first, second) = (stat(), stat())
    return fstatat(old.folder, old.name.terminated, &first, AT_SYMLINK_NOFOLLOW) == 0
      && fstatat(new.folder, new.name.terminated, &second, AT_SYMLINK_NOFOLLOW) == 0
      && first.st_dev == second.st_dev && first.st_ino == second.st_ino && first.st_nlink == 1
  }
}
