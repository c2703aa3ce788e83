import Glibc
import Photos
import WorkerProtocol
import WorkerRuntime

/// A change of a sidecar, which is created if there is none.
struct SidecarChange {
  var edit: AnnotationEdit
  /// The number of the sidecar in a reversal.
  var index: Int
  var path: [UInt8]
  /// The path of the photo or film.
  var photo: [UInt8]
  /// The bytes that an earlier change replaced, which this one undoes; empty for any other change.
  var undoing: [FileReversal]

  /// The largest sidecar, in bytes.
  static let maxCount = 16 << 20

  /// The sidecar before and after the change.
  struct Outcome {
    /// The sidecar before the change; empty if there was none.
    var before: XMPPacket
    /// The bytes that were replaced; nil if the change undoes another one.
    var reversal: FileReversal?
    /// The state of the new sidecar; nil if it was removed.
    var status: stat?
  }

  /// Writes the change, with the sidecar locked from before it is read.
  func write() throws(AnnotationFault) -> Outcome {
    for _ in 0..<5 {
      do throws(AnnotationFault) {
        return try writeOnce()
      } catch {
        guard error == .changed else { throw error }
      }
    }
    throw .contendedSidecar
  }

  private func writeOnce() throws(AnnotationFault) -> Outcome {
    var file = try Self.converting { () throws(ReplacementFault) in try LockedFile(path) }
    let old = try Self.converting { () throws(ReplacementFault) in
      try file.read(atMost: Self.maxCount)
    }
    guard let document = XMPDocument(old) else { throw .unreadableSidecar }
    if let reversal = undoing.first(where: { $0.index == index }),
      let bytes = reversal.old(from: old)
    {
      if reversal.isCreated {
        try Self.converting { () throws(ReplacementFault) in try file.remove() }
      } else if bytes != old {
        try replace(&file, by: bytes)
      }
      return Outcome(before: document.packet, status: file.status)
    }
    let isNew = file.status == nil
    let new = try document.bytes(after: edit) {
      XMPDocument.Hidden(
        hasLabel: EmbeddedXMP(ofPhoto: photo)?.label?.isEmpty == false,
        keywords: EmbeddedXMP.keywords(ofPhoto: photo),
        people: EmbeddedXMP(ofPhoto: photo)?.people ?? [])
    }
    // One in another encoding that already says so stays as it is.
    let isSame = !isNew && new == document.bytes
    if !isSame { try replace(&file, by: new) }
    return Outcome(
      before: document.packet,
      reversal: FileReversal(
        index: index, of: isSame ? old : new, from: isNew ? nil : old),
      status: file.status)
  }

  private func replace(_ file: inout LockedFile, by bytes: [UInt8]) throws(AnnotationFault) {
    let mode = FileAttributes.mode(besideFileAt: photo)
    try Self.converting { () throws(ReplacementFault) in
      try file.replace(by: bytes, .text(mode: mode))
    }
  }

  private static func converting<Result: ~Copyable>(
    _ body: () throws(ReplacementFault) -> Result
  ) throws(AnnotationFault) -> Result {
    try ReplacementFault.converting(AnnotationFault.init(sidecar:), body)
  }
}
