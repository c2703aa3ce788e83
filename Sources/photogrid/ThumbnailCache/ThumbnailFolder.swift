import PhotoGridCore
import WorkerProtocol

extension ThumbnailAccess {
  /// The user's shared thumbnail cache; nil without a home folder.
  static func own(mayWrite: Bool) -> ThumbnailAccess? {
    BaseDirectory.path(.cache).map {
      ThumbnailAccess(folder: $0 + "/thumbnails".utf8, mayWrite: mayWrite)
    }
  }
}
