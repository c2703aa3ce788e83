import Glibc
import PhotoGridCore
import WorkerProtocol

/// A photo that another process has opened for a request, with its thumbnails.
///
/// The descriptors are closed with the last reference.
final class DeliveredFile {
  /// The path in the request: a name that tells formats apart, and nothing to open.
  let name: [UInt8]
  let delivery: FileDelivery
  private let photo: Int32?
  private let thumbnails: [Int32]

  /// The files of a delivery, whose descriptors are handed over.
  init(_ delivery: FileDelivery, _ descriptors: some Collection<Int32>, name: [UInt8]) {
    self.name = name
    self.delivery = delivery
    photo = delivery.hasPhoto ? descriptors.first : nil
    thumbnails = Array(descriptors.dropFirst(delivery.hasPhoto ? 1 : 0))
  }

  deinit {
    if let photo { close(photo) }
    for thumbnail in thumbnails { close(thumbnail) }
  }

  /// The status of the photo's file.
  func status() throws(FailureReason) -> FileStatus {
    guard let status = delivery.status else { throw delivery.failure ?? .unreadable(EBADF) }
    return status
  }

  /// The photo's descriptor, which stays this object's.
  func descriptor() throws(FailureReason) -> Int32 {
    guard let photo else { throw delivery.failure ?? .unreadable(EBADF) }
    return photo
  }

  /// The photo's valid thumbnails, best first; each is read when it is asked for.
  var thumbnailFiles: some Sequence<ThumbnailFile> {
    thumbnails.lazy.compactMap {
      ThumbnailFile(descriptor: $0, mostSide: ThumbnailSize.doubleExtraLarge.side)
    }
  }

  /// Whether the system gives all bytes of the photo, as far as it takes to fill some memory.
  var isReadable: Bool {
    guard let photo, let status = delivery.status else { return false }
    let piece = 1 << 20
    for offset in stride(from: 0, to: min(status.byteCount, 64 * piece), by: piece) {
      guard (try? PhotoFile.read(photo, count: piece, from: offset)) != nil else { return false }
    }
    return true
  }
}
