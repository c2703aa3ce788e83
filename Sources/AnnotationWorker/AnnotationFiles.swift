import Glibc
import Photos
import WorkerProtocol
import WorkerRuntime

/// Reads and writes the ratings of photos.
///
/// A sidecar takes precedence over the photo, property by property: a rating in the sidecar hides
/// the one in the photo, and a property that the sidecar lacks is read from the photo. Of two
/// sidecars, "a.jpg.xmp" is used rather than "a.xmp".
package enum AnnotationFiles {
  // MARK: - Reading

  package static func rating(ofPhoto path: [UInt8]) -> Rating {
    rating(sidecar(ofPhoto: path)?.packet, photo: path)
  }

  private static func sidecar(ofPhoto path: [UInt8]) -> XMPDocument? {
    guard let sidecar = SidecarFile(ofPhoto: path) else { return nil }
    defer { sidecar.close() }
    guard let bytes = LockedFile.bytes(of: sidecar.descriptor, 0..<(SidecarChange.maxCount + 1)),
      bytes.count <= SidecarChange.maxCount
    else { return nil }
    return XMPDocument(bytes)
  }

  /// Returns the rating in a sidecar, completed by reading the photo if a property is missing.
  private static func rating(_ sidecar: XMPPacket?, photo path: [UInt8]) -> Rating {
    let (rating, label) = (sidecar?.rating, sidecar?.label)
    guard rating == nil || label == nil else {
      return Rating(xmpRating: rating, xmpLabel: label)
    }
    let embedded = EmbeddedXMP(ofPhoto: path)
    return Rating(xmpRating: rating ?? embedded?.rating, xmpLabel: label ?? embedded?.label)
  }

  private static func exists(_ path: [UInt8]) -> Bool {
    var status = stat()
    return stat(path.terminated, &status) == 0
  }

  // MARK: - Writing

  /// The result of a change.
  package struct Outcome {
    /// The rating before the change; nil if it could not be read.
    package var before: Rating?
    /// Why the change was not written, for the user; nil if it was.
    package var failure: String?
    /// Why a sidecar was written rather than the photo, for the user; nil if the photo was, or was not
    /// to be.
    package var sidecarReason: String?
    /// The bytes that were replaced in files.
    package var reversals: [FileReversal] = []
    /// The states of the files that were written; nil for one that was removed.
    var written: [stat?] = []
  }

  /// A change of a photo's rating or keywords.
  private struct Change {
    var edit: AnnotationEdit
    /// The path of the photo.
    var path: [UInt8]
    var isEmbedded: Bool
    /// The bytes that an earlier change replaced, which this one undoes; empty for any other
    /// change.
    var undoing: [FileReversal]
  }

  /// Writes a change of a photo's rating.
  ///
  /// By default, the change is written to the existing sidecar, or else to a new one. With
  /// `isEmbedded` it is written into the photo, and to a sidecar only if there is one or the
  /// photo cannot be changed. The film of a live photo gets a sidecar of its own, unless photo and film
  /// share one.
  ///
  /// The photo is locked from before it is read until all of its files are written.
  ///
  /// A change that undoes another leaves the photo and the sidecars byte for byte as they were, or no
  /// sidecar, unless they have been changed since, or more was replaced than is recorded.
  package static func write(
    _ edit: AnnotationEdit, ofPhoto path: [UInt8], isEmbedded: Bool, undoing: [FileReversal] = []
  ) -> Outcome {
    let change = Change(edit: edit, path: path, isEmbedded: isEmbedded, undoing: undoing)
    var outcome = Outcome()
    do throws(AnnotationFault) {
      guard exists(path) else { throw .system(ENOENT) }
      for _ in 0..<5 {
        outcome = Outcome()
        do throws(AnnotationFault) {
          try write(change, &outcome)
          return outcome
        } catch {
          guard error == .changed else { throw error }
        }
      }
      throw .contendedPhoto
    } catch {
      outcome.failure = error.message
      outcome.reversals = []
      return outcome
    }
  }

  private static func write(_ change: Change, _ outcome: inout Outcome) throws(AnnotationFault) {
    // A photo that cannot be read cannot be locked either.
    guard change.isEmbedded || access(change.path.terminated, R_OK) == 0 else {
      return try writeSidecars(change, &outcome)
    }
    var photo = try lock(change.path)
    guard change.isEmbedded else { return try writeSidecars(change, &outcome) }
    let undone = change.undoing.first { $0.index == FileReversal.photo }
    guard !Sidecar.paths(ofPhoto: change.path).contains(where: exists) else {
      try writeSidecars(change, &outcome)
      // The sidecar takes precedence, so it does not matter if the photo cannot be written.
      if let reversal = try? EmbeddedXMP.write(change.edit, into: &photo, undoing: undone) {
        outcome.reversals.append(reversal)
      }
      outcome.written.append(photo.status)
      return
    }
    outcome.before = rating(nil, photo: change.path)
    do throws(AnnotationFault) {
      if let reversal = try EmbeddedXMP.write(change.edit, into: &photo, undoing: undone) {
        outcome.reversals.append(reversal)
      }
      outcome.written.append(photo.status)
      outcome.reversals += writeFilms(change)
    } catch {
      guard case .unwritable(let reason) = error else { throw error }
      try writeSidecars(change, &outcome)
      outcome.sidecarReason = reason.message
    }
  }

  private static func lock(_ photo: [UInt8]) throws(AnnotationFault) -> LockedFile {
    try ReplacementFault.converting(AnnotationFault.init(photo:)) { () throws(ReplacementFault) in
      try LockedFile(photo)
    }
  }

  /// Writes a change into the sidecars of a photo and of its films.
  private static func writeSidecars(
    _ change: Change, _ outcome: inout Outcome
  ) throws(AnnotationFault) {
    let sidecars = Sidecar.paths(ofPhoto: change.path)
    let index = sidecars.firstIndex(where: exists) ?? 0
    let sidecar = SidecarChange(
      edit: change.edit, index: index, path: sidecars[index], photo: change.path,
      undoing: change.undoing)
    let result = try sidecar.write()
    outcome.before = outcome.before ?? rating(result.before, photo: change.path)
    if let reversal = result.reversal { outcome.reversals.append(reversal) }
    outcome.written.append(result.status)
    outcome.reversals += writeFilms(change)
  }

  /// Writes a change of a live photo's rating into the sidecars of its films.
  ///
  /// Failures are ignored, because the rating that is shown is the photo's.
  private static func writeFilms(_ change: Change) -> [FileReversal] {
    LivePhoto.existingFilms(beside: change.path).enumerated().compactMap { number, film in
      let sidecars = Sidecar.paths(ofPhoto: film)
      let index = sidecars.firstIndex(where: exists) ?? 0
      let sidecar = SidecarChange(
        edit: change.edit, index: Sidecar.maxCount * (number + 1) + index, path: sidecars[index],
        photo: film,
        undoing: change.undoing)
      return (try? sidecar.write())?.reversal
    }
  }
}
