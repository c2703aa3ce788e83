import Glibc
import PhotoGridCore
import WorkerProtocol
import WorkerRuntime

/// Reads and writes the ratings of photos.
///
/// A sidecar takes precedence over the photo, property by property: a rating in the sidecar hides
/// the one in the photo, and a property that the sidecar lacks is read from the photo. Of two
/// sidecars, "a.jpg.xmp" is used rather than "a.xmp".
package enum RatingFiles {
  // MARK: - Reading

  package static func rating(ofPhoto path: [UInt8]) -> Rating {
    let sidecar = Sidecar.paths(ofPhoto: path).first(where: exists)
      .flatMap { try? AtomicFile($0) }.flatMap { XMPPacket(parsing: $0.bytes) }
    return rating(sidecar, photo: path)
  }

  /// Returns the rating in a sidecar, completed by reading the photo if a property is missing.
  private static func rating(_ sidecar: XMPPacket?, photo path: [UInt8]) -> Rating {
    let (rating, label) = (sidecar?.rating, sidecar?.label)
    guard rating == nil || label == nil else {
      return Rating(xmpRating: rating, xmpLabel: label)
    }
    let embedded = EmbeddedXMP.packet(ofPhoto: path)
    return Rating(xmpRating: rating ?? embedded?.rating, xmpLabel: label ?? embedded?.label)
  }

  private static func exists(_ path: [UInt8]) -> Bool {
    var status = stat()
    return stat(path.terminated, &status) == 0
  }

  // MARK: - Writing

  /// Writes a change of a photo's rating.
  ///
  /// By default, the change is written to the existing sidecar, or else to a new one. With
  /// `isEmbedded` it is written into the photo, and to a sidecar only if there is one or the
  /// photo's format does not allow embedding. The film of a live photo gets a sidecar of its own,
  /// unless photo and film share one.
  ///
  /// A change that undoes another leaves the photo and the sidecars byte for byte as they were, or no
  /// sidecar, unless they have been changed since, or more was replaced than is recorded.
  ///
  /// - Returns: The rating before the change, nil if it could not be read; a message for the user
  ///   about why the change was not written, nil if it was; and what it replaced in files.
  package static func write(
    _ edit: RatingEdit, ofPhoto path: [UInt8], isEmbedded: Bool, undoing: [FileReversal] = []
  ) -> (before: Rating?, failure: String?, reversals: [FileReversal]) {
    guard exists(path) else { return (nil, RatingFault.system(ENOENT).message, []) }
    var before: Rating?
    var reversals: [FileReversal] = []
    do throws(RatingFault) {
      let sidecars = Sidecar.paths(ofPhoto: path)
      let index = sidecars.firstIndex(where: exists)
      let isInPhoto = isEmbedded && EmbeddedXMP.isWritable(path)
      let undone = undoing.first { $0.index == FileReversal.photo }
      if isInPhoto, index == nil {
        before = rating(nil, photo: path)
        if let reversal = try EmbeddedXMP.write(edit, into: path, undoing: undone) {
          reversals.append(reversal)
        }
      } else {
        let change = SidecarChange(
          edit: edit, index: index ?? 0, path: sidecars[index ?? 0], photo: path, undoing: undoing)
        if let reversal = try write(change, &before) { reversals.append(reversal) }
        // The sidecar takes precedence, so it does not matter if the photo cannot be written.
        if isInPhoto, let reversal = try? EmbeddedXMP.write(edit, into: path, undoing: undone) {
          reversals.append(reversal)
        }
      }
      reversals += writeFilms(edit, beside: path, undoing: undoing)
      return (before, nil, reversals)
    } catch {
      return (before, error.message, [])
    }
  }

  /// Writes a change of a live photo's rating into the sidecars of its films.
  ///
  /// Failures are ignored, because the rating that is shown is the photo's.
  private static func writeFilms(
    _ edit: RatingEdit, beside path: [UInt8], undoing: [FileReversal]
  ) -> [FileReversal] {
    LivePhoto.existingFilms(beside: path).enumerated().compactMap { number, film in
      var before: Rating?
      let sidecars = Sidecar.paths(ofPhoto: film)
      let index = sidecars.firstIndex(where: exists) ?? 0
      let change = SidecarChange(
        edit: edit, index: Sidecar.maxCount * (number + 1) + index, path: sidecars[index],
        photo: film,
        undoing: undoing)
      return try? write(change, &before)
    }
  }

  private struct SidecarChange {
    var edit: RatingEdit
    var index: Int
    var path: [UInt8]
    var photo: [UInt8]
    var undoing: [FileReversal]
  }

  private static func write(
    _ change: SidecarChange, _ before: inout Rating?
  ) throws(RatingFault) -> FileReversal? {
    for _ in 0..<5 {
      let file = try AtomicFile(change.path)
      let old = XMPPacket(parsing: file.bytes)
      // A program that was stopped while it created the sidecar has left an empty file.
      guard old != nil || file.bytes.isEmpty else { throw .unreadableSidecar }
      guard let packet = old ?? .empty() else { throw .unverified }
      before = before ?? rating(old, photo: change.photo)
      if let reversal = change.undoing.first(where: { $0.index == change.index }),
        let bytes = reversal.old(from: file.bytes)
      {
        if reversal.isCreated {
          if try file.remove() { return nil }
        } else if bytes == file.bytes {
          return nil
        } else if try file.replace(by: bytes, mode: 0o600) {
          return nil
        }
        continue
      }
      let new = try contents(
        of: packet, after: change.edit, replacing: file.bytes, ofPhoto: change.photo)
      guard new != file.bytes || file.status == nil else {
        return FileReversal(index: change.index, of: new, from: new)
      }
      if try file.replace(by: new, mode: mode(ofPhoto: change.photo)) {
        return FileReversal(
          index: change.index, of: new, from: file.status == nil ? nil : file.bytes)
      }
    }
    throw .contendedSidecar
  }

  private static func contents(
    of packet: XMPPacket, after edit: RatingEdit, replacing old: [UInt8], ofPhoto path: [UInt8]
  ) throws(RatingFault) -> [UInt8] {
    if case .keywords(let edit) = edit {
      return try contents(of: packet, after: edit, replacing: old, ofPhoto: path)
    }
    // An empty label in the sidecar hides the photo's label; without one, that would be shown.
    let keepsEmptyLabel =
      edit == .label(nil) && EmbeddedXMP.packet(ofPhoto: path)?.label?.isEmpty == false
    guard let change = XMPPacket.Change(edit, keepsEmptyLabel: keepsEmptyLabel) else {
      throw .unverified
    }
    if let new = XMPText(old)?.bytes(after: change, in: packet) { return new }
    let head = String(decoding: old.prefix(256), as: UTF8.self)
    let others = packet.properties(without: change.name)
    guard packet.apply(change),
      let new = packet.serialized(hasWrapper: old.isEmpty || head.containsText("<?xpacket")),
      let written = XMPPacket(parsing: new), written.properties(without: change.name) == others
    else { throw .unverified }
    let rating = Rating(xmpRating: written.rating, xmpLabel: written.label)
    guard edit.applied(to: rating) == rating else { throw .unverified }
    return new
  }

  /// Returns the permissions for a new sidecar: the photo's, without execute permission.
  private static func mode(ofPhoto path: [UInt8]) -> mode_t {
    var status = stat()
    guard stat(path.terminated, &status) == 0 else { return 0o600 }
    return status.st_mode & 0o666
  }
}

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
