import Glibc
import ImageFormats
import PhotoGridCore
import WorkerProtocol

/// A photo that another process has opened for a request, with its thumbnails.
///
/// The descriptors are closed with the last reference.
final class DeliveredFile {
  /// The path in the request, whose extension helps to recognize the format; it is never opened.
  let name: [UInt8]
  /// The message that came with the descriptors.
  let delivery: FileDelivery
  private let photo: Int32?
  private let sidecarFile: Int32?
  private let thumbnails: [Int32]

  /// Takes over the descriptors of a delivery.
  init(_ delivery: FileDelivery, _ descriptors: some Collection<Int32>, name: [UInt8]) {
    self.name = name
    self.delivery = delivery
    var rest = Array(descriptors)[...]
    photo = delivery.hasPhoto ? rest.popFirst() : nil
    sidecarFile = delivery.hasSidecar ? rest.popFirst() : nil
    thumbnails = Array(rest)
  }

  deinit {
    if let photo { close(photo) }
    if let sidecarFile { close(sidecarFile) }
    for thumbnail in thumbnails { close(thumbnail) }
  }

  func stamp() throws(FailureReason) -> FileStamp {
    guard let stamp = delivery.stamp else { throw delivery.failure ?? .unreadable(EBADF) }
    return stamp
  }

  /// The photo's descriptor, which is closed with this object.
  func descriptor() throws(FailureReason) -> Int32 {
    guard let photo else { throw delivery.failure ?? .unreadable(EBADF) }
    return photo
  }

  /// What the photo's sidecar says.
  var sidecar: XMPFacts {
    guard let sidecarFile,
      let bytes = try? PhotoFile.read(sidecarFile, count: XMPFacts.mostBytes, from: 0)
    else { return XMPFacts() }
    return XMPFacts(bytes, .sidecar)
  }

  /// The photo's valid thumbnails, best first; each is read only when it is needed.
  var thumbnailFiles: some Sequence<ThumbnailFile> {
    thumbnails.lazy.compactMap {
      ThumbnailFile(descriptor: $0, mostSide: ThumbnailSize.doubleExtraLarge.side)
    }
  }

  /// Whether the first 64 MB of the photo can be read without an error.
  var isReadable: Bool {
    guard let photo, let stamp = delivery.stamp else { return false }
    let piece = 1 << 20
    for offset in stride(from: 0, to: min(Int(stamp.byteCount), 64 * piece), by: piece) {
      guard (try? PhotoFile.read(photo, count: piece, from: offset)) != nil else { return false }
    }
    return true
  }
}
