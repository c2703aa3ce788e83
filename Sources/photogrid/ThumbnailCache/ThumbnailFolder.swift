import PhotoGridCore
import WorkerProtocol

extension ThumbnailAccess {
  /// The user's shared thumbnail cache; nil if the environment names no folder for it.
  static func own(mayWrite: Bool) -> ThumbnailAccess? {
    BaseDirectory.path(.cache).map {
      ThumbnailAccess(folder: $0 + "/thumbnails".utf8, mayWrite: mayWrite)
    }
  }
}
