import Glibc
import PhotoGridCore
import WorkerProtocol

extension ThumbnailAccess {
  /// The person's folder of thumbnails, by the XDG Base Directory Specification; nil where the
  /// environment names none.
  static func own(mayWrite: Bool) -> ThumbnailAccess? {
    func variable(_ name: String) -> [UInt8]? {
      // A path that is not absolute is to be ignored.
      guard let text = getenv(name), text[0] == CChar(bitPattern: UInt8(ascii: "/")) else {
        return nil
      }
      return UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
    }
    let cache =
      variable("XDG_CACHE_HOME") ?? variable("HOME").map { $0 + Array("/.cache".utf8) }
    // What is longer fits into no request, and no file could be in it.
    guard var folder = cache, folder.count < Int(PATH_MAX) else { return nil }
    while folder.last == UInt8(ascii: "/") { folder.removeLast() }
    return ThumbnailAccess(folder: folder + Array("/thumbnails".utf8), mayWrite: mayWrite)
  }
}
