import Glibc
import PhotoGridCore

extension TrashedFile {
  /// The path of the file in the trash.
  var path: [UInt8] { trash.adding("files").adding(name) }

  /// The path of its info file.
  var infoPath: [UInt8] { trash.adding("info").adding(name + TrashInfo.suffix) }

  /// The path that the info file records, absolute; nil if it cannot be read.
  var origin: [UInt8]? {
    let prefix = "Path="
    let lines = String(decoding: info ?? [], as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix(prefix) }),
      let path = TrashInfo.decoded(line.dropFirst(prefix.count))
    else { return nil }
    guard path.first != UInt8(ascii: "/") else { return path }
    // The trash of a disk is `TOP/.Trash-UID` or `TOP/.Trash/UID`.
    let (above, name) = trash.split
    let isShared = name.allSatisfy { (0x30...0x39).contains($0) }
    return (isShared ? Array(above.dropLast()).split.folder : above).adding(path)
  }

  /// Removes the info file of a file that is not in the trash.
  ///
  /// - Parameter path: The absolute path that the info file has to be about, if it is complete.
  func removeInfo(ofMissing path: [UInt8]) {
    guard FileIdentity(at: self.path) == nil, let info else { return }
    // A killed process may have written none of it, or the first part.
    let isCut = info.count { $0 == UInt8(ascii: "\n") } < 3
    if isCut || origin == path { unlink(infoPath.terminated) }
  }

  private var info: [UInt8]? {
    let file = open(infoPath.terminated, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // A path of 4096 bytes takes three times as many.
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = read(file, &bytes, bytes.count)
    return count < 0 ? nil : Array(bytes[..<count])
  }
}
