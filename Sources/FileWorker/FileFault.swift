import Glibc

/// Why nothing was done to a file.
package enum FileFault: Error, Equatable, Sendable {
  /// The system's refusal, as an `errno`.
  case system(Int32)
  case isFolder
  /// It lies in the trash already.
  case isTrashed
  /// What was to be restored is not in the trash any more.
  case lost
  /// There is no trash on its disk; the first one that was tried, and why it cannot be used.
  indirect case noTrash(folder: [UInt8], FileFault)
  /// A folder that was found in place of a trash is somebody else's.
  case notOwn

  /// The message for the user, without a period; names of files may have unprintable characters.
  package var message: String {
    switch self {
    case .system(let code):
      switch code {
      case EACCES, EPERM: "no permission"
      case ENOENT, ENOTDIR: "no such file or folder"
      case EEXIST: "there is a file of that name"
      case EROFS: "the disk is read-only"
      case ENOSPC, EDQUOT: "the disk is full"
      case ENAMETOOLONG: "the name is too long"
      case EXDEV: "it is on another disk"
      default: String(cString: strerror(code))
      }
    case .isFolder: "it is a folder"
    case .isTrashed: "it is in the trash already"
    case .lost: "it is not in the trash any more"
    case .noTrash(let folder, let fault):
      "\(fault.messageAboutTrash) (\(String(decoding: folder, as: UTF8.self)))"
    case .notOwn: "it is somebody else's"
    }
  }

  private var messageAboutTrash: String {
    switch self {
    case .system(ELOOP): "the trash is a link"
    case .system(ENOTDIR): "the trash is no folder"
    case .system(EACCES), .system(EPERM): "no permission for a trash"
    case .notOwn: "the trash is somebody else's"
    default: message
    }
  }

  /// The refusal of the call that failed last.
  static var last: FileFault { .system(errno) }
}

extension [UInt8] {
  /// With a NUL behind it, for the system.
  var terminated: [CChar] { map { CChar(bitPattern: $0) } + [0] }

  /// A path's folder, with its slash, or empty; and what follows.
  var split: (folder: [UInt8], name: [UInt8]) {
    let start = lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return (Array(self[..<start]), Array(self[start...]))
  }

  /// The path of a name in this folder.
  func adding(_ name: [UInt8]) -> [UInt8] {
    self + (last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + name
  }

  func adding(_ name: String) -> [UInt8] { adding(Array<UInt8>(name.utf8)) }
}
