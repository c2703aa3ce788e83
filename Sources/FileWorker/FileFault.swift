import Glibc
import WorkerRuntime

package enum FileFault: Error, Equatable, Sendable {
  case system(Int32)
  /// There is another file of this name.
  case exists([UInt8])
  /// There is no folder to move files into.
  case noFolder
  /// The file is in that folder already.
  case sameFolder
  /// Another program wrote to the file while it was copied.
  case changed
  /// The copy differs from its original, so removing it would lose changes.
  case changedCopy
  /// The file is a video, whose orientation cannot be changed.
  case film
  /// The file is not a photo.
  case noPhoto
  /// The sidecar is not XMP that could be changed.
  case unreadableSidecar
  /// The photo has been rotated again since.
  case turnedSince
  /// Another session is changing the file.
  case busy
  /// The file is a device, a pipe or a socket.
  case irregular
  case isFolder
  case isTrashed
  case lost
  /// The file's disk has no usable trash; the values are the first folder tried and its fault.
  indirect case noTrash(folder: [UInt8], FileFault)
  case notOwn
  /// The history of operations is not used, since others may have written it; the value is the file
  /// or folder.
  indirect case untrusted([UInt8], FileFault)
  case writableByOthers
  /// The file has other names, perhaps in folders of others.
  case hasOtherNames
  case isLink

  /// The message for the user, without a period; file names in it may have unprintable characters.
  package var message: String {
    switch self {
    case .system(let code):
      switch code {
      case EACCES, EPERM: "no permission"
      case ENOENT, ENOTDIR: "no such file or folder"
      case EEXIST: "a file with that name exists"
      case EROFS: "the disk is read-only"
      case ENOSPC, EDQUOT: "the disk is full"
      case EFBIG: "it is too large for the disk"
      case ENAMETOOLONG: "the name is too long"
      case EXDEV: "it is on another disk"
      default: String(cString: strerror(code))
      }
    case .exists(let name):
      "a file with that name exists (\(String(decoding: name, as: UTF8.self)))"
    case .noFolder: "no such folder; end the name with / to create it"
    case .sameFolder: "it is already in that folder"
    case .changed: "another program is writing to it"
    case .changedCopy: "it now differs from its original"
    case .irregular: "it is not a file"
    case .film: "videos cannot be rotated"
    case .noPhoto: "it is not a photo"
    case .unreadableSidecar: "its sidecar is not valid XMP and was left alone"
    case .turnedSince: "it has been rotated again since"
    case .busy: "another photogrid is changing it"
    case .isFolder: "it is a folder"
    case .isTrashed: "it is already in the trash"
    case .lost: "it is no longer in the trash"
    case .noTrash(let folder, let fault):
      "\(fault.messageAboutTrash) (\(String(decoding: folder, as: UTF8.self)))"
    case .notOwn: "it belongs to another user"
    case .writableByOthers: "others may write to it"
    case .isLink: "it is a symbolic link"
    case .hasOtherNames: "it has other names (hard links)"
    case .untrusted(let path, let fault):
      "\(fault.message) (\(String(decoding: path, as: UTF8.self)))"
    }
  }

  /// The fault of a file that was to be replaced.
  init(_ fault: ReplacementFault) {
    self =
      switch fault {
      case .system(let code): .system(code)
      case .irregular: .irregular
      case .large: .unreadableSidecar
      case .busy: .busy
      case .foreign: .notOwn
      case .shared: .hasOtherNames
      case .changed, .unverified, .unsupported: .changed
      }
  }

  private var messageAboutTrash: String {
    switch self {
    case .system(ELOOP): "the trash is a symbolic link"
    case .system(ENOTDIR): "the trash is not a folder"
    case .system(EACCES), .system(EPERM): "no permission to create a trash folder"
    case .notOwn: "the trash belongs to another user"
    default: message
    }
  }

  /// The error of the system call that has just failed, from `errno`.
  static var last: FileFault { .system(errno) }
}

extension [UInt8] {
  /// The folder of a path, which ends in a slash or is empty, and the name after it.
  var split: (folder: [UInt8], name: [UInt8]) {
    let start = lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return (Array(self[..<start]), Array(self[start...]))
  }

  /// Returns the path of a name in this folder.
  func adding(_ name: [UInt8]) -> [UInt8] {
    self + (last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + name
  }

  /// Returns the path of a name in this folder.
  func adding(_ name: String) -> [UInt8] { adding(Array<UInt8>(name.utf8)) }
}
