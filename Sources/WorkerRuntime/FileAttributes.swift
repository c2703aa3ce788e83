import CLinux
import Geometry
import Glibc

/// Owner, permissions, attributes and times of a file that takes the place of another.
package enum FileAttributes {
  /// The attribute with the access control list.
  private static let list = "system.posix_acl_access"

  /// Gives a new file the attributes of the one that it replaces, as far as the disk has them, so that
  /// nobody can read or write it who could not before.
  ///
  /// - Returns: Whether it belongs to the same user.
  static func copy(from old: Int32, _ status: stat, to new: Int32, withTimes: Bool) -> Bool {
    // The group first: a file that has been given away could not be changed further.
    fchown(new, uid_t.max, status.st_gid)
    fchown(new, status.st_uid, gid_t.max)
    file_copy_attributes(old, new)
    let listed = accessList(of: old)
    // The new file may have inherited another list from its folder.
    if listed == nil { fremovexattr(new, list) }
    var now = stat()
    guard fstat(new, &now) == 0 else { return false }
    var mode = status.st_mode & 0o7777
    if accessList(of: new) != listed {
      // With a list, the permissions of the group are the most that anyone in the list has.
      mode &= 0o700
    } else if now.st_gid != status.st_gid {
      // Members of either group count as others by the one file, and as the group by the other.
      let both = mode >> 3 & mode & 0o7
      mode = mode & 0o1700 | both << 3 | both
    }
    let isOwn = now.st_uid == status.st_uid
    if !isOwn { mode &= 0o1777 }
    fchmod(new, mode)
    if withTimes {
      var times = [status.st_atim, status.st_mtim]
      futimens(new, &times)
    }
    return isOwn
  }

  /// Returns the mode for a new file beside another, which nobody may read who may not read that one.
  package static func mode(besideFileAt path: [UInt8]) -> mode_t {
    var status = stat()
    guard stat(path.terminated, &status) == 0 else { return 0o600 }
    // With a list, the permissions of the group are the most that anyone in the list has.
    let hasList = getxattr(path.terminated, list, nil, 0) > 0
    return status.st_mode & (hasList ? 0o600 : 0o666)
  }

  /// Returns the access control list of a file; nil if it has only the permissions of its mode.
  private static func accessList(of file: Int32) -> [UInt8]? {
    let count = fgetxattr(file, list, nil, 0)
    guard count > 0 else { return nil }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(fgetxattr(file, list, buffer.baseAddress, count), 0)
    }
  }
}
