import Glibc
import Photos

extension SHA256 {
  /// The bytes that are read from a file at once.
  private static let pieceLength = 256 << 10

  /// Returns the hash of a file's bytes; nil if it is no file, or cannot be read to its end.
  static func digest(ofFile path: [UInt8]) -> ContentDigest? {
    let file = open(path.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var hash = SHA256()
    var piece = [UInt8](repeating: 0, count: pieceLength)
    while true {
      let count = read(file, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { return hash.finish() }
      piece.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }
}
