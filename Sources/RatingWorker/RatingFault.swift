import Glibc

enum RatingFault: Error, Equatable {
  case system(Int32)
  case unreadableSidecar
  /// The sidecar is larger than any that a program writes.
  case largeSidecar
  case irregularSidecar
  /// Other programs changed the sidecar during each of several attempts.
  case contendedSidecar
  /// Other programs changed the photo during each of several attempts.
  case contendedPhoto
  /// The new XMP cannot be written, or differs from what it should be when it is read back.
  case unverified

  /// The error of the system call that has just failed, from `errno`.
  static var last: RatingFault { .system(errno) }

  /// The message for the user, printable ASCII without a period.
  var message: String {
    switch self {
    case .system(EACCES), .system(EPERM): "no permission to write to its folder"
    case .system(ENOENT), .system(ENOTDIR): "no such file or folder"
    case .system(EROFS): "the disk is read-only"
    case .system(ENOSPC), .system(EDQUOT), .system(EFBIG): "the disk is full"
    case .system(ENAMETOOLONG): "its name is too long for a sidecar"
    case .system(let code): String(cString: strerror(code))
    case .unreadableSidecar: "its sidecar is not valid XMP and was left alone"
    case .largeSidecar: "its sidecar is over 16 MB and was left alone"
    case .irregularSidecar: "its sidecar is not a regular file"
    case .contendedSidecar: "another program is writing to the sidecar"
    case .contendedPhoto: "another program is writing to the photo"
    case .unverified: "the new XMP failed verification; the old file was kept"
    }
  }
}
