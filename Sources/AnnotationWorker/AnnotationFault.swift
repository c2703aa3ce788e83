import Glibc
import ImageFormats
import WorkerRuntime

/// Why a rating or keywords were not written.
enum AnnotationFault: Error, Equatable {
  case system(Int32)
  case unreadableSidecar
  /// The sidecar is larger than any that a program writes.
  case largeSidecar
  case irregularSidecar
  /// The sidecar has other hard links, from which it would be separated.
  case sharedSidecar
  case irregularPhoto
  /// Other programs changed the file during each of several attempts.
  case contendedSidecar
  case contendedPhoto
  /// A program that does not lock files changed this one meanwhile; it is tried again.
  case changed
  /// The new XMP cannot be made, or differs from what it should be when it is read back.
  case unverified
  /// The title or the caption is not the one that was to be changed.
  case otherText
  /// The photo stays as it is, and the sidecar is written.
  case unwritable(Reason)

  /// Why nothing is written into a photo.
  enum Reason: Equatable {
    case format
    case damaged
    case large
    /// The process may not write such a large file, or the disk cannot hold one.
    case huge
    case immovable
    case unreadable
    case extended
    case shared
    case foreign
    case unverified

    init(_ fault: ContainerFault) {
      switch fault {
      case .format: self = .format
      case .damaged: self = .damaged
      case .large: self = .large
      case .immovable: self = .immovable
      }
    }

    /// The rest of a sentence for the user, printable ASCII without a period.
    var message: String {
      switch self {
      case .format: "photos of its format are not changed"
      case .damaged: "the photo is damaged"
      case .large: "the photo has no room for it"
      case .huge: "the photo is too large to be replaced"
      case .immovable: "other data in the photo would move"
      case .unreadable: "the XMP in the photo is not valid"
      case .extended: "the photo has it in extended XMP"
      case .shared: "the photo has several names (hard links)"
      case .foreign: "the photo belongs to another user"
      case .unverified: "the new photo failed verification"
      }
    }
  }

  init(sidecar fault: ReplacementFault) {
    switch fault {
    case .system(let code): self = .system(code)
    case .irregular: self = .irregularSidecar
    case .large: self = .largeSidecar
    case .changed: self = .changed
    case .busy: self = .contendedSidecar
    case .shared: self = .sharedSidecar
    case .foreign, .unverified, .unsupported: self = .unverified
    }
  }

  init(photo fault: ReplacementFault) {
    switch fault {
    case .system(EFBIG), .large: self = .unwritable(.huge)
    case .system(let code): self = .system(code)
    case .irregular: self = .irregularPhoto
    case .changed: self = .changed
    case .busy: self = .contendedPhoto
    case .foreign: self = .unwritable(.foreign)
    case .shared: self = .unwritable(.shared)
    case .unverified, .unsupported: self = .unwritable(.unverified)
    }
  }

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
    case .sharedSidecar: "its sidecar has several names (hard links)"
    case .irregularPhoto: "it is not a file"
    case .contendedSidecar: "another program is writing to the sidecar"
    case .contendedPhoto, .changed: "another program is writing to the photo"
    case .unverified: "the new XMP failed verification; the old file was kept"
    case .otherText: "the text in its file is not the one shown, or longer"
    case .unwritable(let reason): reason.message
    }
  }
}
